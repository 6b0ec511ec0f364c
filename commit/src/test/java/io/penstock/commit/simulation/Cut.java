package io.penstock.commit.simulation;

import io.penstock.Layout;
import io.penstock.core.InvalidRequestException;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A cut, which leaves something out of a scenario: a fault, users, transactions. Each cut has a name, so that it can be
 * repeated.
 */
final class Cut {
    private static final Map<String, UnaryOperator<Scenario>> FAULTS = new LinkedHashMap<>();
    private static final Map<String, Sizing> SIZES = new LinkedHashMap<>();

    /** Changes one figure of a size. */
    private interface Sizing {
        Scenario.Size apply(Scenario.Size size, int figure);
    }

    static {
        fault("no-idle", f -> f.withIdle(Duration.ZERO));
        fault("no-bursts", f -> f.withBursts(0));
        fault("no-jumps", f -> f.withJumps(0));
        fault("no-skew", f -> f.withSkew(Duration.ZERO));
        fault("no-cut-offs", f -> f.withCutOffs(0));
        fault("no-freezes", f -> f.withFreezes(0));
        fault("no-crashes", f -> f.withCrashes(0));
        fault("no-returns", f -> f.withReturns(0));
        fault("no-relapses", f -> f.withRelapses(0));
        world("no-throttling", w -> world(w, 0, w.lostAnswer(), w.slow(), w.duplicate()));
        world("no-lost-answers", w -> world(w, w.unavailable(), 0, w.slow(), w.duplicate()));
        world("no-slow-calls", w -> world(w, w.unavailable(), w.lostAnswer(), 0, w.duplicate()));
        world("no-duplicates", w -> world(w, w.unavailable(), w.lostAnswer(), w.slow(), 0));
        world("no-misses", w -> queues(w, 0, w.sendDelay()));
        world("no-delays", w -> queues(w, w.missed(), Duration.ZERO));
        wardens("no-wardens", w -> AdminClients.NONE);
        wardens("one-warden", w -> w.withCount(Math.min(w.count(), 1)));
        peril("no-leisure", p -> p.withLeisurely(false));
        peril("no-interrupts", p -> p.withInterrupts(0));
        peril("no-foreign", p -> p.withForeign(0));
        peril("no-losses", p -> p.withLosses(0));
        peril("no-steps", p -> p.withSteps(Duration.ZERO));
        peril("no-refusals", p -> p.withRefusals(0));
        peril("no-fleet", p -> p.withFleet(false));
        shape("no-index", s -> s.withIndexed(false));
        shape("one-queue", s -> s.withLayout(Layout.partitioned(1)));
        FAULTS.put(Scenario.SHORT, Cut::shortened);
        FAULTS.put(GarbageCollectorActor.CUT, s -> s);
        FAULTS.put(Scenario.NO_EPISODE, s -> s);
        FAULTS.put(Scenario.ONE_LEVEL, s -> s);
        FAULTS.put(ClonedClients.CUT, s -> s);
        FAULTS.put(Damage.CUT, s -> s);
        FAULTS.put(ClientDamage.CUT, s -> s);
        FAULTS.put(Tables.CUT, s -> s);
        FAULTS.put(EarlyClose.CUT, s -> s);
        SIZES.put("machines=", (s, n) -> new Scenario.Size(n, s.sessions(), s.transactions(), s.keys()));
        SIZES.put("sessions=", (s, n) -> new Scenario.Size(s.machines(), n, s.transactions(), s.keys()));
        SIZES.put("transactions=", (s, n) -> new Scenario.Size(s.machines(), s.sessions(), n, s.keys()));
        SIZES.put("keys=", (s, n) -> new Scenario.Size(s.machines(), s.sessions(), s.transactions(), n));
    }

    private Cut() {}

    private static void fault(String name, UnaryOperator<Faults> change) {
        FAULTS.put(name, s -> s.with(change.apply(s.faults())));
    }

    private static void world(String name, UnaryOperator<World> change) {
        fault(name, f -> f.withWorld(change.apply(f.world())));
    }

    private static void wardens(String name, UnaryOperator<AdminClients> change) {
        FAULTS.put(name, s -> s.with(change.apply(s.wardens())));
    }

    private static void peril(String name, UnaryOperator<LongRunFaults> change) {
        FAULTS.put(name, s -> s.with(change.apply(s.perils())));
    }

    private static void shape(String name, UnaryOperator<Shape> change) {
        FAULTS.put(name, s -> s.with(change.apply(s.shape())));
    }

    private static World world(World w, double unavailable, double lostAnswer, double slow, double duplicate) {
        return new World(unavailable, lostAnswer, slow, w.staleFor(), duplicate, w.missed(), w.sendDelay());
    }

    private static World queues(World w, double missed, Duration sendDelay) {
        return new World(w.unavailable(), w.lostAnswer(), w.slow(), w.staleFor(), w.duplicate(), missed, sendDelay);
    }

    /** Half of the work, and nothing that takes days or many machines; all other faults as they were drawn. */
    private static Scenario shortened(Scenario s) {
        Scenario.Size size = s.size();
        return s.with(s.perils().withLeisurely(false).withFleet(false))
                .with(s.faults().withIdle(Duration.ZERO))
                .with(new Scenario.Size(
                        Math.min(size.machines(), 3), size.sessions(), (size.transactions() + 1) / 2, size.keys()));
    }

    /** Applies cuts by their names, separated by commas. */
    static Scenario parse(Scenario scenario, String names) {
        Scenario cut = scenario;
        for (String name : names.split(",")) {
            cut = apply(cut, name);
        }
        return cut;
    }

    private static Scenario apply(Scenario scenario, String name) {
        UnaryOperator<Scenario> fault = FAULTS.get(name);
        if (fault != null) {
            return fault.apply(scenario).with(cuts(scenario, name, name));
        }
        for (Map.Entry<String, Sizing> size : SIZES.entrySet()) {
            String figure = name.startsWith(size.getKey())
                    ? name.substring(size.getKey().length())
                    : "";
            if (figure.matches("[1-9][0-9]{0,3}")) {
                Scenario.Size next = size.getValue().apply(scenario.size(), Integer.parseInt(figure));
                return scenario.with(next).with(cuts(scenario, size.getKey(), name));
            }
        }
        throw new InvalidRequestException(
                "no such cut; use some of " + String.join(",", FAULTS.keySet()) + ","
                        + String.join("N,", SIZES.keySet()) + "N",
                "cut",
                name);
    }

    /** The scenario's cuts with {@code name}, in the place of an earlier one of its kind. */
    private static List<String> cuts(Scenario scenario, String kind, String name) {
        List<String> cuts = new ArrayList<>(scenario.cuts());
        cuts.removeIf(cut -> cut.startsWith(kind));
        cuts.add(name);
        return cuts;
    }

    /** Single cuts that make the scenario smaller, those that save most first. */
    static List<Scenario> smaller(Scenario scenario) {
        List<Scenario> all = new ArrayList<>();
        Scenario.Size size = scenario.size();
        sizes(all, scenario, "machines=", size.machines());
        sizes(all, scenario, "sessions=", size.sessions());
        sizes(all, scenario, "transactions=", size.transactions());
        for (String name : FAULTS.keySet()) {
            Scenario cut = apply(scenario, name);
            boolean same = cut.faults().equals(scenario.faults())
                    && cut.shape().equals(scenario.shape())
                    && cut.wardens().equals(scenario.wardens())
                    && cut.perils().equals(scenario.perils())
                    && cut.size().equals(scenario.size())
                    && new GarbageCollectorActor(cut).isThere == new GarbageCollectorActor(scenario).isThere
                    && cut.hasEpisode() == scenario.hasEpisode()
                    && cut.mixesLevels() == scenario.mixesLevels()
                    && ClonedClients.areIn(cut) == ClonedClients.areIn(scenario)
                    && EarlyClose.isIn(cut) == EarlyClose.isIn(scenario)
                    && Damage.isIn(cut) == Damage.isIn(scenario)
                    && ClientDamage.isIn(cut) == ClientDamage.isIn(scenario);
            if (!same) {
                all.add(cut);
            }
        }
        sizes(all, scenario, "keys=", size.keys());
        return all;
    }

    private static void sizes(List<Scenario> all, Scenario scenario, String name, int figure) {
        if (figure > 1) {
            all.add(apply(scenario, name + (figure / 2)));
        }
        if (figure > 2) {
            all.add(apply(scenario, name + (figure - 1)));
        }
    }
}
