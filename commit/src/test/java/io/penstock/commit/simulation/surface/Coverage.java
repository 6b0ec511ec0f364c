package io.penstock.commit.simulation.surface;

import static io.penstock.commit.simulation.surface.Feature.*;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells which methods were called, and which pairs of steps, ways, sessions and features of the world were seen. */
final class Coverage {
    private static final List<String> BODIES = List.of(
            "TRANSACT_RETURNS",
            "TRANSACT_COMMITS",
            "TRANSACT_ABORTS",
            "TRANSACT_THROWS",
            "TRANSACT_THROWS_ERROR",
            "TRANSACT_THROWS_OF_THE_STORE",
            "ONCE_RETURNS",
            "READ_RETURNS",
            "READ_THROWS",
            "BEGIN",
            "BEGIN_READ",
            "NESTED");
    private static final List<String> BY_COLLECTION = List.of("OUTSIDE", "INSIDE");
    private static final List<String> SESSIONS = List.of("DEFAULT_SESSION", "SHARED_SESSION", "SESSION");
    private static final Set<Feature> OF_ADDED = EnumSet.of(INDEX_ADDED, UNDECLARED, DROP_INDEX, LACKS_KEY);

    private final Calls calls;
    private final List<String> never = new ArrayList<>();
    private int expected;

    Coverage(Calls calls) {
        this.calls = calls;
    }

    void print(PrintStream out) {
        out.println("calls:");
        for (Map.Entry<String, Long> method : calls.methods().entrySet()) {
            out.println("  " + method.getValue() + " " + method.getKey());
        }
        for (Step step : Step.values()) {
            expect(step);
        }
        for (String act : List.of("PROPOSES", "APPROVES", "REJECTS", "WITHDRAWS", "LISTS")) {
            worlds(null).stream()
                    .filter(feature -> feature != LACKS_KEY)
                    .forEach(feature -> expect(act, feature.name()));
        }
        for (String way : BODIES) {
            SESSIONS.forEach(session -> expect(way, session));
        }
        for (String way : List.of("OUTSIDE", "INSIDE", "BEGIN", "TRANSACT_RETURNS", "READ_RETURNS", "NESTED")) {
            worlds(null).forEach(feature -> expect(way, feature.name()));
        }
        out.printf(Locale.ROOT, "pairs: %d of %d seen%n", expected - never.size(), expected);
        never.forEach(pair -> out.println("  never: " + pair));
    }

    private void expect(Step step) {
        for (String way : step.isOfCollections() ? List.<String>of() : BODIES) {
            if (!step.writes || !way.contains("READ")) {
                expect(step.name(), way);
            }
        }
        BY_COLLECTION.forEach(way -> expect(step.name(), way));
        SESSIONS.forEach(session -> expect(step.name(), session));
        worlds(step).forEach(feature -> expect(step.name(), feature.name()));
    }

    /** The features of the world that make sense beside a step. */
    private static List<Feature> worlds(@Nullable Step step) {
        List<Feature> worlds = new ArrayList<>();
        for (Feature feature : Feature.values()) {
            boolean covers = step == Step.SCAN_COVERING && OF_ADDED.contains(feature);
            if (feature.isOfWorld() && !covers) {
                worlds.add(feature);
            }
        }
        return worlds;
    }

    private void expect(String a, String b) {
        expected++;
        if (!calls.pairs().containsKey(Calls.pair(a, b))) {
            never.add(Calls.pair(a, b));
        }
    }
}
