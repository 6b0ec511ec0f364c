package io.penstock.bench.experiment;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * A point of a curve: the cost of reading a number of records.
 *
 * @param profile of the simulated cloud
 * @param reader the way of reading: pages of a size, whole or by blocks; or a download of all of the collection's
 *     objects
 * @param pageBytes the size at which pages split
 * @param blockBytes the bytes of a page asked for first; 0 for pages read whole
 * @param tier {@code none}, or {@code warm}: a disk tier that a scan before a restart has filled
 * @param records the number of records, from the first of the collection on
 * @param millis virtual time
 * @param gets requests to the object store
 * @param bytes of objects that travelled
 */
record ColdPoint(
        String profile,
        String reader,
        int pageBytes,
        int blockBytes,
        String tier,
        long records,
        double millis,
        long gets,
        long bytes) {
    private static final double BYTES_PER_MIB = 1 << 20;
    private static final int MIB = 1 << 20;

    /** Returns the mean of the same point of several runs. */
    static ColdPoint mean(List<ColdPoint> runs) {
        ColdPoint first = runs.getFirst();
        return new ColdPoint(
                first.profile,
                first.reader,
                first.pageBytes,
                first.blockBytes,
                first.tier,
                first.records,
                mean(runs, ColdPoint::millis),
                Math.round(mean(runs, ColdPoint::gets)),
                Math.round(mean(runs, ColdPoint::bytes)));
    }

    private static double mean(List<ColdPoint> runs, ToDoubleFunction<ColdPoint> figure) {
        return runs.stream().mapToDouble(figure).average().orElseThrow();
    }

    /** Markdown, as the documents use: a table for each profile, a row for each curve, a column for each mark. */
    static String tables(List<ColdPoint> points) {
        StringBuilder text = new StringBuilder();
        points.stream()
                .collect(Collectors.groupingBy(ColdPoint::profile, LinkedHashMap::new, Collectors.toList()))
                .forEach((profile, of) -> table(text, profile, of));
        return text.toString();
    }

    private static void table(StringBuilder text, String profile, List<ColdPoint> of) {
        List<Long> marks =
                of.stream().map(ColdPoint::records).distinct().sorted().toList();
        text.append(profile).append(": time in ms; MiB; GETs until the first records are there\n\n| reader |");
        marks.forEach(mark -> text.append(' ').append(mark).append(" |"));
        text.append("\n|---|").append("---|".repeat(marks.size())).append('\n');
        of.stream()
                .collect(Collectors.groupingBy(ColdPoint::curve, LinkedHashMap::new, Collectors.toList()))
                .forEach((curve, on) -> {
                    Map<Long, String> cells =
                            on.stream().collect(Collectors.toMap(ColdPoint::records, ColdPoint::cell, (a, b) -> a));
                    text.append("| ").append(curve).append(" |");
                    marks.forEach(mark -> text.append(' ')
                            .append(cells.getOrDefault(mark, ""))
                            .append(" |"));
                    text.append('\n');
                });
        text.append('\n');
    }

    private String curve() {
        String blocks = blockBytes == 0 ? "" : ", blocks of " + size(blockBytes);
        return reader + " of " + size(pageBytes) + blocks + (tier.equals("none") ? "" : ", " + tier + " disk");
    }

    private static String size(int bytes) {
        return bytes >= MIB ? bytes / MIB + " MiB" : bytes / 1024 + " KiB";
    }

    private String cell() {
        return String.format(Locale.ROOT, "%.0f; %.1f; %d", millis, bytes / BYTES_PER_MIB, gets);
    }
}
