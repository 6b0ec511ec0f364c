package io.penstock.bench.tpcw.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The report without charts: Markdown for people, CSV for programs. */
public final class PlainReport {
    private PlainReport() {}

    public static String markdown(List<Experiment> experiments, Measurements measured, String origin) {
        StringBuilder text = new StringBuilder("# What consistency costs\n\n" + origin + "\n");
        for (Experiment experiment : experiments) {
            text.append("\n## ")
                    .append(experiment.title())
                    .append("\n\n")
                    .append(experiment.note())
                    .append("\n\n");
            List<String> findings = experiment.findings(measured);
            findings.forEach(line -> text.append("- ").append(line).append('\n'));
            text.append(findings.isEmpty() ? "" : "\n");
            List<String> headings = new ArrayList<>(List.of("series", experiment.labels()));
            experiment.columns().forEach(column -> headings.add(column.heading()));
            headings.addAll(experiment.given());
            headings.add("scripts/tpcw");
            line(text, headings);
            line(text, headings.stream().map(heading -> "---").toList());
            for (Experiment.Row row : experiment.rows()) {
                List<String> cells = new ArrayList<>(List.of(row.series(), row.label()));
                experiment.columns().forEach(column -> cells.add(measured.text(row, column)));
                cells.addAll(row.given());
                cells.add("`" + row.command() + "`");
                line(text, cells);
            }
        }
        return text.toString();
    }

    private static void line(StringBuilder text, List<String> cells) {
        text.append(cells.stream().collect(Collectors.joining(" | ", "| ", " |\n")));
    }

    /** One figure on each line, with its command and where the command's JSON has it. */
    public static String csv(List<Experiment> experiments, Measurements measured) {
        StringBuilder text = new StringBuilder("experiment,series,label,figure,value,command,pointer\n");
        for (Experiment experiment : experiments) {
            for (Experiment.Row row : experiment.rows()) {
                for (Experiment.Column column : experiment.columns()) {
                    measured.figure(row, column)
                            .ifPresent(value -> text.append(String.join(
                                            ",",
                                            quoted(experiment.id()),
                                            quoted(row.series()),
                                            quoted(row.label()),
                                            quoted(column.heading()),
                                            value.toPlainString(),
                                            quoted("scripts/tpcw " + row.command() + " --json -"),
                                            quoted(row.base() + column.pointer())))
                                    .append('\n'));
                }
            }
        }
        return text.toString();
    }

    private static String quoted(String text) {
        return '"' + text.replace("\"", "\"\"") + '"';
    }
}
