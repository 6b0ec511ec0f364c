package io.penstock.bench.program;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Rows of text in aligned columns: the first to the left, all others, being numbers, to the right. For one thread. */
public final class TextTable {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    public TextTable(String... headings) {
        rows.add(List.of(headings));
    }

    public void row(List<String> cells) {
        if (cells.size() != rows.getFirst().size()) {
            throw new IllegalArgumentException("a row must have as many cells as the table has headings");
        }
        rows.add(List.copyOf(cells));
    }

    /** Each line ends with a line feed. */
    @Override
    public String toString() {
        List<Integer> widths =
                new ArrayList<>(Collections.nCopies(rows.getFirst().size(), 0));
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                widths.set(i, Math.max(widths.get(i), row.get(i).length()));
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder("  ");
            for (int i = 0; i < row.size(); i++) {
                String blanks = " ".repeat(widths.get(i) - row.get(i).length());
                line.append(i == 0 ? row.get(i) + blanks : GAP + blanks + row.get(i));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
