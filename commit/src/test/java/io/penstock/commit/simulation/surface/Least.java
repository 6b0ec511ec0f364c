package io.penstock.commit.simulation.surface;

import java.util.EnumSet;
import java.util.List;

/** Makes a failing run smaller, as long as the same promise breaks. */
final class Least {
    private Least() {}

    static Drawn of(Drawn drawn, String promise) {
        Drawn least = drawn;
        for (Feature feature : Feature.values()) {
            if (least.has(feature)) {
                EnumSet<Feature> left = EnumSet.copyOf(least.features());
                left.remove(feature);
                least = smaller(least, least.with(left), promise);
            }
        }
        boolean shrinks = true;
        while (shrinks) {
            Drawn before = least;
            for (Drawn next : List.of(
                    before.with(before.features(), Math.max(1, before.handles() - 1), before.users(), before.rounds()),
                    before.with(before.features(), before.handles(), Math.max(1, before.users() - 1), before.rounds()),
                    before.with(
                            before.features(), before.handles(), before.users(), Math.max(1, before.rounds() - 1)))) {
                least = smaller(least, next, promise);
            }
            shrinks = !least.equals(before);
        }
        return least;
    }

    private static Drawn smaller(Drawn least, Drawn next, String promise) {
        boolean breaks = !next.equals(least)
                && SurfaceRun.run(next, false).broken.stream()
                        .anyMatch(broken -> broken.promise().equals(promise));
        return breaks ? next : least;
    }
}
