package io.penstock.bench.experiment.cold;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Points as tables, one for each profile: a row for each curve, a column for each number of records. Immutable. */
final class CurveTables {
    private static final double BYTES_PER_MIB = 1 << 20;
    private static final int MIB = 1 << 20;

    private final List<Point> points;

    CurveTables(List<Point> points) {
        this.points = List.copyOf(points);
    }

    private record Curve(String profile, String reader, int pageBytes, int blockBytes, String tier) {
        static Curve of(Point point) {
            return new Curve(point.profile(), point.reader(), point.pageBytes(), point.blockBytes(), point.tier());
        }

        String name() {
            String blocks = blockBytes == 0 ? "" : ", blocks of " + size(blockBytes);
            return reader + " of " + size(pageBytes) + blocks + (tier.equals("none") ? "" : ", " + tier + " disk");
        }
    }

    private static String size(int bytes) {
        return bytes >= MIB ? bytes / MIB + " MiB" : bytes / 1024 + " KiB";
    }

    /** Markdown, as the documents use. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        Map<String, List<Point>> byProfile =
                points.stream().collect(Collectors.groupingBy(Point::profile, LinkedHashMap::new, Collectors.toList()));
        byProfile.forEach((profile, of) -> table(text, profile, of));
        return text.toString();
    }

    private static void table(StringBuilder text, String profile, List<Point> of) {
        List<Long> marks = of.stream().map(Point::records).distinct().sorted().toList();
        text.append(profile).append(": time in ms; MiB; GETs until the first records are there\n\n| reader |");
        marks.forEach(mark -> text.append(' ').append(mark).append(" |"));
        text.append("\n|---|").append("---|".repeat(marks.size())).append('\n');
        Map<Curve, List<Point>> curves =
                of.stream().collect(Collectors.groupingBy(Curve::of, LinkedHashMap::new, Collectors.toList()));
        curves.forEach((curve, onCurve) -> {
            text.append("| ").append(curve.name()).append(" |");
            marks.forEach(mark -> text.append(' ').append(cell(onCurve, mark)).append(" |"));
            text.append('\n');
        });
        text.append('\n');
    }

    private static String cell(List<Point> curve, long records) {
        return curve.stream()
                .filter(point -> point.records() == records)
                .findFirst()
                .map(point -> String.format(
                        Locale.ROOT, "%.0f; %.1f; %d", point.millis(), point.bytes() / BYTES_PER_MIB, point.gets()))
                .orElse("");
    }
}
