package io.penstock.bench.tpcw.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The report as one HTML file that asks for nothing else: tables, and a script within it that draws their first columns
 * by uPlot.
 */
public final class HtmlReport {
    /** The maximum length of a number, in characters; longer cells are text. */
    private static final int NUMBER_LENGTH_MAX = 16;

    private static final String UPLOT = "/META-INF/resources/webjars/uplot/1.6.30/";

    private final List<Experiment> experiments;
    private final Measurements measured;
    private final StringBuilder html = new StringBuilder();

    private HtmlReport(List<Experiment> experiments, Measurements measured) {
        this.experiments = experiments;
        this.measured = measured;
    }

    /** @param origin the origin of the figures: the commit, and the way of measuring */
    public static String of(List<Experiment> experiments, Measurements measured, String origin) {
        return new HtmlReport(experiments, measured).write(origin);
    }

    private String write(String origin) {
        html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
                .append("<title>What consistency costs</title>\n<style>\n")
                .append(resource(UPLOT + "dist/uPlot.min.css"))
                .append('\n')
                .append(resource("report.css"))
                .append("</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#levels\">To the figures</a>\n")
                .append("<header><h1>What consistency costs</h1>\n<p>The TPC-W bookstore on Penstock, level by level. ")
                .append("All clouds are simulated: latencies and prices are models, counts are exact. ")
                .append(Html.escape(origin))
                .append("</p>\n<nav aria-label=\"Contents\"><ul>\n");
        experiments.forEach(each -> html.append("<li><a href=\"#")
                .append(each.id())
                .append("\">")
                .append(Html.escape(each.title()))
                .append("</a></li>\n"));
        html.append("</ul></nav></header>\n<main>\n");
        experiments.forEach(this::section);
        return html.append("</main>\n<script>\n/*\n")
                .append(resource(UPLOT + "LICENSE"))
                .append("*/\n")
                .append(resource(UPLOT + "dist/uPlot.iife.min.js"))
                .append("</script>\n<script>\n")
                .append(resource("charts.js"))
                .append("</script>\n</body>\n</html>\n")
                .toString();
    }

    private void section(Experiment experiment) {
        html.append("<section id=\"")
                .append(experiment.id())
                .append("\">\n<h2>")
                .append(Html.escape(experiment.title()))
                .append("</h2>\n<p>")
                .append(Html.escape(experiment.note()))
                .append("</p>\n");
        List<String> findings = experiment.findings(measured);
        if (!findings.isEmpty()) {
            html.append("<ul class=\"findings\">\n");
            findings.forEach(
                    line -> html.append("<li>").append(Html.escape(line)).append("</li>\n"));
            html.append("</ul>\n");
        }
        html.append("<div class=\"charts\">\n");
        for (int column = 0; column < experiment.charted(); column++) {
            html.append(String.format(
                    Locale.ROOT,
                    "<div class=\"chart\" role=\"img\" aria-label=\"%s: a chart of the table below\" data-table=\"%s\""
                            + " data-column=\"%d\"></div>\n",
                    Html.escape(experiment.columns().get(column).heading()),
                    tableId(experiment),
                    column));
        }
        html.append("</div>\n");
        table(experiment);
        commands(experiment);
        html.append("</section>\n");
    }

    private static String tableId(Experiment experiment) {
        return "table-" + experiment.id();
    }

    private void table(Experiment experiment) {
        html.append("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"")
                .append(Html.escape(experiment.title()))
                .append("\"><table id=\"")
                .append(tableId(experiment))
                .append("\">\n<thead><tr>");
        boolean series =
                experiment.rows().stream().anyMatch(row -> !row.series().isEmpty());
        if (series) {
            heading("level");
        }
        heading(experiment.labels());
        experiment.columns().forEach(column -> heading(column.heading()));
        experiment.given().forEach(this::heading);
        html.append("</tr></thead>\n<tbody>\n");
        for (Experiment.Row row : experiment.rows()) {
            html.append("<tr>");
            if (series) {
                html.append("<th scope=\"row\">")
                        .append(Html.escape(row.series()))
                        .append("</th>");
            }
            html.append("<th scope=\"row\">").append(Html.escape(row.label())).append("</th>");
            experiment.columns().forEach(column -> cell(measured.text(row, column)));
            row.given().forEach(this::cell);
            html.append("</tr>\n");
        }
        html.append("</tbody></table></div>\n");
    }

    private void heading(String text) {
        html.append("<th scope=\"col\">").append(Html.escape(text)).append("</th>");
    }

    private void cell(String text) {
        boolean words = text.length() > NUMBER_LENGTH_MAX;
        html.append(words ? "<td class=\"words\">" : "<td>")
                .append(Html.escape(text))
                .append("</td>");
    }

    private void commands(Experiment experiment) {
        Set<String> commands = new LinkedHashSet<>();
        experiment.rows().forEach(row -> commands.add(row.command()));
        html.append("<details><summary>Commands that print these figures</summary>\n<pre>");
        commands.forEach(command ->
                html.append("scripts/tpcw ").append(Html.escape(command)).append(" --json -\n"));
        html.append("</pre></details>\n");
    }

    private static String resource(String name) {
        try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing from the build; build bench-tpcw again");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
