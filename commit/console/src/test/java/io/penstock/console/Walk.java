package io.penstock.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A walk over all pages of a console by their links, as a browser resolves them. For one thread. */
final class Walk {
    private static final Pattern HREF = Pattern.compile("href=\"([^\"#]*)\"");

    /** Elements and attributes that a page of ours has. */
    private static final Pattern RUNS = Pattern.compile("<script|<img|<iframe| on[a-z]+=\"|javascript:");

    private final Console console;
    private final URI first;

    /** Pages by their addresses, relative to the first. */
    private final Map<String, String> pages = new TreeMap<>();

    private Walk(Console console, URI first) {
        this.console = console;
        this.first = first;
    }

    /** @param first the address of the first page, with a slash at its end or without */
    static Map<String, String> over(Console console, String first) {
        Walk walk = new Walk(console, URI.create(first));
        walk.run();
        return walk.pages;
    }

    private void run() {
        URI folder = first.getPath().endsWith("/") ? first : URI.create(first + "/");
        ArrayDeque<URI> left = new ArrayDeque<>(List.of(first));
        while (!left.isEmpty()) {
            URI address = left.remove();
            boolean isFirst = address.equals(first);
            assertThat(isFirst || address.toString().startsWith(folder.toString()))
                    .as("%s is in the console", address)
                    .isTrue();
            String within = isFirst
                    ? ""
                    : address.toString().substring(folder.toString().length());
            if (pages.containsKey(within)) {
                continue;
            }
            String page = page(within, folder);
            pages.put(within, page);
            Matcher links = HREF.matcher(page);
            while (links.find()) {
                left.add(address.resolve(links.group(1).replace("&amp;", "&")));
            }
        }
    }

    private String page(String within, URI folder) {
        List<String> path = within.isEmpty()
                ? List.of()
                : Arrays.stream(within.split("/", -1))
                        .map(part -> URLDecoder.decode(part, StandardCharsets.UTF_8))
                        .toList();
        String root = path.isEmpty() && !first.equals(folder)
                ? first.getPath().substring(first.getPath().lastIndexOf('/') + 1) + "/"
                : "../".repeat(Math.max(0, path.size() - 1));
        Answer answer = console.answer(root, path);
        String page = new String(answer.body(), StandardCharsets.UTF_8);
        boolean isGone = within.contains("/record/") && page.contains("no such record, or not any more");
        assertThat(answer.status()).as("%s: %s", within, page).isEqualTo(isGone ? 404 : 200);
        if (answer.type().startsWith("text/html")) {
            assertThat(RUNS.matcher(page).find()).as("%s: %s", within, page).isFalse();
            assertThat(page).contains("<title>", "<h1>", "Content-Security-Policy");
            assertThat(page).doesNotContain("\u202e").doesNotContain("\0");
        }
        return page;
    }
}
