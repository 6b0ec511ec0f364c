package io.penstock.commit.simulation;

import io.penstock.ConsistencyLevel;
import io.penstock.commit.simulation.promise.Promise;
import io.penstock.commit.simulation.promise.Promises;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The table of {@code docs/CONSISTENCY.md}: the promises of each level and, for what a level does not promise, a seed
 * at which it is really broken.
 */
final class Table {
    /** Seeds that are tried to break what is not promised. */
    static final int SEEDS = 10_000;

    /** Not promised, and yet no run can break it. */
    static final String KEPT = "kept";

    private final Map<ConsistencyLevel, Map<String, Long>> broken = new EnumMap<>(ConsistencyLevel.class);

    private Table() {}

    /** All promises of all levels. */
    static List<Promise> all() {
        List<Promise> all = new ArrayList<>();
        for (ConsistencyLevel level : ConsistencyLevel.values()) {
            all.addAll(Promises.addedBy(level));
        }
        return all;
    }

    private static Set<String> names(Collection<Promise> promises) {
        Set<String> names = new LinkedHashSet<>();
        promises.forEach(promise -> names.add(promise.name()));
        return names;
    }

    /** The scenario that a cell of the table names: at a level chosen freely. */
    static Scenario scenario(long seed, ConsistencyLevel level) {
        return Draw.scenario(seed, level, null);
    }

    /** Whether the promise of that name is broken by a seed at a level. */
    static boolean breaks(long seed, ConsistencyLevel level, String promise) {
        return SimulatedRun.run(scenario(seed, level), all(), false).broken().stream()
                .anyMatch(broken -> broken.promise().equals(promise));
    }

    static String generate() {
        Table table = new Table();
        for (ConsistencyLevel level : ConsistencyLevel.values()) {
            table.broken.put(level, firstBroken(level));
        }
        return table.print();
    }

    private static Map<String, Long> firstBroken(ConsistencyLevel level) {
        Set<String> open = names(all());
        open.removeAll(names(Promises.of(level)));
        open.removeAll(names(Promises.keptBy(level)));
        Map<String, Long> first = new LinkedHashMap<>();
        for (long seed = 0; seed < SEEDS && first.size() < open.size(); seed++) {
            for (SimulatedRun.Broken one :
                    SimulatedRun.run(scenario(seed, level), all(), false).broken()) {
                if (open.contains(one.promise())) {
                    first.putIfAbsent(one.promise(), seed);
                }
            }
        }
        return first;
    }

    private String print() {
        StringBuilder text = new StringBuilder(head());
        for (String name : names(all())) {
            text.append("| ").append(name);
            for (ConsistencyLevel level : ConsistencyLevel.values()) {
                text.append(" | ").append(cell(level, name));
            }
            text.append(" |\n");
        }
        return text.toString();
    }

    /** The first line of the table and the one below it. */
    static String head() {
        StringBuilder names = new StringBuilder("| promise |");
        StringBuilder rule = new StringBuilder("|---|");
        for (ConsistencyLevel level : ConsistencyLevel.values()) {
            names.append(' ').append(level).append(" |");
            rule.append("---|");
        }
        return names + "\n" + rule + "\n";
    }

    private String cell(ConsistencyLevel level, String name) {
        if (names(Promises.of(level)).contains(name)) {
            return "**promised**";
        }
        if (names(Promises.keptBy(level)).contains(name)) {
            return KEPT;
        }
        Long seed = broken.get(level).get(name);
        return seed == null ? "not seen broken" : "broken by seed " + seed;
    }
}
