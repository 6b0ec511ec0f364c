package io.penstock.console;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The surroundings of a page, and its links to others. They are relative, so that they hold behind any address.
 *
 * @param root leads from the page to that of the console
 * @param section of the page; empty for none
 * @param store names the store
 * @param level of the handle
 */
record Frame(String root, String section, String store, String level) {
    private static final List<String> SECTIONS =
            List.of("overview", "collections", "logs", "clients", "backlog", "quarantine", "cost");

    /** A link to a page of the console. */
    Html link(String text, String... path) {
        return Html.of("a", text).with("href", address(path));
    }

    String address(String... path) {
        return root
                + Arrays.stream(path)
                        .map(part ->
                                URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20"))
                        .collect(Collectors.joining("/"));
    }

    static String title(String section) {
        return section.substring(0, 1).toUpperCase(Locale.ROOT) + section.substring(1);
    }

    Answer page(String heading, Html... content) {
        return page(200, heading, content);
    }

    /** A page with a heading. */
    Answer page(int status, String heading, Html... content) {
        Html head = Html.of(
                "head",
                Html.of("meta").with("charset", "utf-8"),
                Html.of("meta").with("http-equiv", "Content-Security-Policy").with("content", Answer.POLICY),
                Html.of("meta").with("name", "viewport").with("content", "width=device-width, initial-scale=1"),
                Html.of("meta").with("name", "color-scheme").with("content", "light dark"),
                Html.of("title", heading + " · " + store + " · Penstock"),
                Html.of("link").with("rel", "stylesheet").with("href", address("style.css")),
                Html.of("link").with("rel", "icon").with("href", address("icon.svg")));
        List<Html> main = new ArrayList<>(List.of(Html.of("h1", heading)));
        main.addAll(List.of(content));
        Html body = Html.of(
                "body",
                Html.of("a", "Skip to the content").with("class", "skip").with("href", "#main"),
                header(),
                Html.of("main", main).with("id", "main").with("tabindex", "-1"),
                Html.of("footer", "Penstock console. It shows the store and changes nothing in it. Times are in UTC."));
        String text = "<!doctype html>"
                + Html.of("html", head, body).with("lang", "en").markup();
        return new Answer(status, "text/html;charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    private Html header() {
        List<Html> items = SECTIONS.stream()
                .map(each ->
                        Html.of("li", link(title(each), each).with("aria-current", each.equals(section) ? "page" : "")))
                .toList();
        return Html.of(
                "header",
                Html.of(
                                "p",
                                link("Penstock", "overview").with("class", "home"),
                                Html.text(" "),
                                Html.of("strong", store),
                                Html.text(" "),
                                Html.of("span", level)
                                        .with("class", "tag")
                                        .with("title", "the level at which it reads"),
                                Html.text(" "),
                                Html.of("span", "read only").with("class", "tag"))
                        .with("class", "store"),
                Html.of("nav", Html.of("ul", items)).with("aria-label", "Sections"));
    }

    /** The way from the section to the page, by links to what is above it: each is below the one before. */
    Html trail(String... above) {
        List<Html> links = new ArrayList<>(List.of(Html.of("li", link(title(section), section))));
        for (String each : above) {
            links.add(Html.of("li", link(each, section, each)));
        }
        return Html.of("nav", Html.of("ol", links))
                .with("aria-label", "Way here")
                .with("class", "trail");
    }

    /** Links to other pages of a list; those that are not there are empty. */
    static Html pager(Html... links) {
        return Html.of("nav", links).with("aria-label", "Pages").with("class", "pager");
    }

    /** A term with its value, for a list of facts. */
    static Html fact(String term, Html value) {
        return Html.of("div", Html.of("dt", term), Html.of("dd", value));
    }
}
