package io.penstock.bench.tpcw.report;

import java.util.List;

/**
 * One table of the report, and the charts that are drawn from it.
 *
 * @param id for links and file names: letters, digits and hyphens
 * @param note the message of the table, in a sentence or two
 * @param labels the heading of the rows' labels
 * @param given headings of the columns whose figures are not measured here, the paper's say
 * @param charted the number of columns, from the first, that are drawn; one chart each
 * @param ranked whether sentences tell the {@link Ranking} of the rows
 */
public record Experiment(
        String id,
        String title,
        String note,
        String labels,
        List<String> given,
        List<Column> columns,
        int charted,
        boolean ranked,
        List<Row> rows) {
    /**
     * A column of measurements.
     *
     * @param pointer the field, by RFC 6901, below the base of each row
     */
    public record Column(String heading, String pointer, int decimals) {}

    /**
     * A row.
     *
     * @param series the line of a chart that the row is a point of; empty if each row is a bar
     * @param command the arguments of {@code scripts/tpcw} that measure it
     * @param base where its fields begin within the JSON that the command prints
     */
    public record Row(String series, String label, String command, String base, List<String> given) {}

    public Experiment {
        if (rows.stream().anyMatch(row -> row.given.size() != given.size())) {
            throw new IllegalArgumentException("a row must have as many given figures as the table: " + id);
        }
    }

    /** Returns sentences that the measurements lead to; says nothing about what has not been measured. */
    List<String> findings(Measurements measured) {
        return ranked ? Ranking.sentences(this, measured) : List.of();
    }
}
