package io.penstock.console;

import java.util.ArrayList;
import java.util.List;

/** A table under construction, which scrolls in a box of its own where the screen is narrow. For one thread. */
final class Table {
    private final String caption;
    private final List<String> heads;
    private final List<Html> rows = new ArrayList<>();

    /** @param heads of the columns; one that begins with {@code #} has numbers */
    Table(String caption, String... heads) {
        this.caption = caption;
        this.heads = List.of(heads);
    }

    /** Adds a row; the first cell is its head. */
    void row(Html... cells) {
        List<Html> row = new ArrayList<>();
        for (int i = 0; i < cells.length; i++) {
            Html cell = Html.of(i == 0 ? "th" : "td", cells[i]);
            row.add((i == 0 ? cell.with("scope", "row") : cell).with("class", style(heads.get(i))));
        }
        rows.add(Html.of("tr", row));
    }

    private static String style(String head) {
        return head.startsWith("#") ? "number" : "";
    }

    /** @param none is said in place of a table without rows */
    Html html(String none) {
        if (rows.isEmpty()) {
            return Html.of("p", none).with("class", "none");
        }
        List<Html> columns = heads.stream()
                .map(head -> Html.of("th", head.startsWith("#") ? head.substring(1) : head)
                        .with("scope", "col")
                        .with("class", style(head)))
                .toList();
        return Html.of(
                        "div",
                        Html.of(
                                "table",
                                Html.of("caption", caption),
                                Html.of("thead", Html.of("tr", columns)),
                                Html.of("tbody", rows)))
                .with("class", "scroll")
                .with("role", "region")
                .with("aria-label", caption)
                .with("tabindex", "0");
    }
}
