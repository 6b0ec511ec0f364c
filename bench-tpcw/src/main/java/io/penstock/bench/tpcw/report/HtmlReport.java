package io.penstock.bench.tpcw.report;

import io.penstock.bench.program.Resource;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The report as one HTML file that asks for nothing else: tables, and a script within it that draws their first columns
 * by uPlot.
 */
public final class HtmlReport {
    /** The maximum length of a number, in characters; longer cells are text. */
    private static final int NUMBER_LENGTH_MAX = 16;

    private static final String UPLOT = "/META-INF/resources/webjars/uplot/1.6.30/";

    private final Measurements measured;
    private final StringBuilder html = new StringBuilder();

    private HtmlReport(Measurements measured) {
        this.measured = measured;
    }

    /** @param origin the origin of the figures: the commit, and the way of measuring */
    public static String of(List<Experiment> experiments, Measurements measured, String origin) {
        return new HtmlReport(measured).write(experiments, origin);
    }

    private String write(List<Experiment> experiments, String origin) {
        add("""
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>What consistency costs</title>
                <style>
                %s
                %s</style>
                </head>
                <body>
                <a class="skip" href="#levels">To the figures</a>
                <header><h1>What consistency costs</h1>
                <p>The TPC-W bookstore on Penstock, level by level. All clouds are simulated: latencies and prices are \
                models, counts are exact. %s</p>
                <nav aria-label="Contents"><ul>
                """, resource(UPLOT + "dist/uPlot.min.css"), resource("report.css"), escape(origin));
        experiments.forEach(each -> add("<li><a href=\"#%s\">%s</a></li>\n", each.id(), escape(each.title())));
        add("</ul></nav></header>\n<main>\n");
        experiments.forEach(this::section);
        add(
                "</main>\n<script>\n/*\n%s*/\n%s</script>\n<script>\n%s</script>\n</body>\n</html>\n",
                resource(UPLOT + "LICENSE"), resource(UPLOT + "dist/uPlot.iife.min.js"), resource("charts.js"));
        return html.toString();
    }

    private void add(String format, Object... values) {
        html.append(format.formatted(values));
    }

    private void section(Experiment experiment) {
        add(
                "<section id=\"%s\">\n<h2>%s</h2>\n<p>%s</p>\n",
                experiment.id(), escape(experiment.title()), escape(experiment.note()));
        List<String> findings = experiment.findings(measured);
        if (!findings.isEmpty()) {
            add("<ul class=\"findings\">\n");
            findings.forEach(line -> add("<li>%s</li>\n", escape(line)));
            add("</ul>\n");
        }
        add("<div class=\"charts\">\n");
        IntStream.range(0, experiment.charted())
                .forEach(column -> add(
                        "<div class=\"chart\" role=\"img\" aria-label=\"%s: a chart of the table below\""
                                + " data-table=\"table-%s\" data-column=\"%d\"></div>\n",
                        escape(experiment.columns().get(column).heading()), experiment.id(), column));
        add("</div>\n");
        table(experiment);
        add("<details><summary>Commands that print these figures</summary>\n<pre>");
        experiment.rows().stream()
                .map(Experiment.Row::command)
                .distinct()
                .forEach(command -> add("scripts/tpcw %s --json -\n", escape(command)));
        add("</pre></details>\n</section>\n");
    }

    private void table(Experiment experiment) {
        add(
                "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><table id=\"table-%s\">\n"
                        + "<thead><tr>",
                escape(experiment.title()), experiment.id());
        boolean series =
                experiment.rows().stream().anyMatch(row -> !row.series().isEmpty());
        if (series) {
            heading("col", "level");
        }
        heading("col", experiment.labels());
        experiment.columns().forEach(column -> heading("col", column.heading()));
        experiment.given().forEach(heading -> heading("col", heading));
        add("</tr></thead>\n<tbody>\n");
        for (Experiment.Row row : experiment.rows()) {
            add("<tr>");
            if (series) {
                heading("row", row.series());
            }
            heading("row", row.label());
            experiment.columns().forEach(column -> cell(measured.text(row, column)));
            row.given().forEach(this::cell);
            add("</tr>\n");
        }
        add("</tbody></table></div>\n");
    }

    private void heading(String scope, String text) {
        add("<th scope=\"%s\">%s</th>", scope, escape(text));
    }

    private void cell(String text) {
        add("<td%s>%s</td>", text.length() > NUMBER_LENGTH_MAX ? " class=\"words\"" : "", escape(text));
    }

    /** Escapes text, so that it means itself in an element or in a quoted attribute. */
    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    private static String resource(String name) {
        return Resource.text(HtmlReport.class, name);
    }
}
