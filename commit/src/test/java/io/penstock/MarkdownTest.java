package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The form of the Markdown pages: links lead somewhere, and lines are short. */
class MarkdownTest {
    private static final int LINE_CHARS_MAX = 120;

    private static final Pattern FENCE = Pattern.compile("\\s*```.*");
    private static final Pattern HEADING = Pattern.compile("#+ (.*)");
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
    private static final Pattern PAGE_IN_SOURCE = Pattern.compile("\\bdocs/[\\w/-]+\\.md\\b");

    private static final List<Repository.Text> PAGES = Repository.pages();

    /** Lines of a page outside its code blocks, in order, each by its number, counted from 0. */
    private static Map<Integer, String> prose(Repository.Text page) {
        Map<Integer, String> prose = new TreeMap<>();
        boolean code = false;
        for (int i = 0; i < page.lines().size(); i++) {
            String line = page.lines().get(i);
            boolean fence = FENCE.matcher(line).matches();
            code ^= fence;
            if (!code && !fence) {
                prose.put(i, line);
            }
        }
        return prose;
    }

    @Test
    void linesAreShort() {
        List<String> faults = new ArrayList<>();
        for (Repository.Text page : PAGES) {
            prose(page).forEach((index, line) -> {
                if (!line.stripLeading().startsWith("|") && line.codePointCount(0, line.length()) > LINE_CHARS_MAX) {
                    faults.add(page.at(index) + " is longer than " + LINE_CHARS_MAX);
                }
            });
        }
        assertThat(faults).isEmpty();
    }

    @Test
    void linksLeadSomewhere() {
        List<String> faults = new ArrayList<>();
        for (Repository.Text page : PAGES) {
            Matcher link = LINK.matcher(String.join("\n", prose(page).values()));
            while (link.find()) {
                String target = link.group(1);
                if (!target.startsWith("http") && !leadsSomewhere(page, target)) {
                    faults.add(page.path() + " links to " + target + ", which is not there");
                }
            }
        }
        assertThat(faults).isEmpty();
    }

    private static boolean leadsSomewhere(Repository.Text page, String target) {
        int hash = target.indexOf('#');
        String file = hash < 0 ? target : target.substring(0, hash);
        Path from = Repository.ROOT.resolve(page.path());
        Path to = file.isEmpty() ? from : from.resolveSibling(file).normalize();
        if (!Files.exists(to)) {
            return false;
        }
        return hash < 0
                || anchors(Repository.page(Repository.ROOT.relativize(to).toString()))
                        .contains(target.substring(hash + 1));
    }

    /** The anchors that GitHub makes of headings. */
    private static Set<String> anchors(Repository.Text page) {
        Set<String> anchors = new HashSet<>();
        for (String line : prose(page).values()) {
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                String words = heading.group(1).toLowerCase(Locale.ROOT);
                anchors.add(words.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'));
            }
        }
        return anchors;
    }

    @Test
    void pagesThatSourcesNameAreThere() {
        List<String> faults = new ArrayList<>();
        for (Repository.Text source : Repository.sources("src")) {
            Matcher page = PAGE_IN_SOURCE.matcher(source.whole());
            while (page.find()) {
                if (!Files.exists(Repository.ROOT.resolve(page.group()))) {
                    faults.add(source.path() + " names " + page.group() + ", which is not there");
                }
            }
        }
        assertThat(faults).isEmpty();
    }
}
