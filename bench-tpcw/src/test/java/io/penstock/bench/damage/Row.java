package io.penstock.bench.damage;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * All damages of one sort to one kind of object.
 *
 * @param harmless nobody noticed, and every record read as it must
 * @param silent nobody noticed, and something read wrongly
 * @param spread damages that kept anything else from being read, written or checkpointed
 * @param reason why those that nobody noticed are no harm, or cannot be noticed
 */
record Row(
        String object,
        String damage,
        int tried,
        int byRead,
        int byVerify,
        int harmless,
        int silent,
        int spread,
        String reason) {
    static List<Row> of(List<Trial> trials) {
        Map<String, List<Trial>> groups = new TreeMap<>();
        trials.forEach(
                trial -> groups.computeIfAbsent(trial.target().kind() + "\0" + trial.what(), name -> new ArrayList<>())
                        .add(trial));
        return groups.values().stream().map(Row::row).toList();
    }

    private static Row row(List<Trial> group) {
        Trial first = group.getFirst();
        return new Row(
                first.target().kind(),
                first.what(),
                group.size(),
                count(group, Verdict.READ),
                count(group, Verdict.VERIFY),
                count(group, Verdict.HARMLESS),
                count(group, Verdict.SILENT),
                (int) group.stream()
                        .filter(trial -> !trial.collateral().isEmpty())
                        .count(),
                group.stream()
                        .map(trial -> Excuses.of(trial).orElse("none"))
                        .filter(reason -> !reason.isEmpty())
                        .distinct()
                        .collect(Collectors.joining("; ")));
    }

    private static int count(List<Trial> group, Verdict verdict) {
        return (int) group.stream().filter(trial -> trial.verdict() == verdict).count();
    }
}
