package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.InvalidRequestException;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Lists that are shown page by page. */
class PageOfListTest {
    private static final int LIMIT = 20;

    /** All pages of a span, each asked for by what the one before has given. */
    private static List<Scan.Page<Entry<String, String>>> pages(
            RecordCollection<String, String> words, UnaryOperator<KeySpan<String>> span) {
        List<Scan.Page<Entry<String, String>>> pages = new ArrayList<>();
        String token = null;
        do {
            KeySpan<String> next = span.apply(KeySpan.all()).after(token).limit(LIMIT);
            pages.add(words.scan(next).page());
            token = pages.getLast().next().orElse(null);
        } while (token != null);
        return pages;
    }

    private static List<String> keys(List<Scan.Page<Entry<String, String>>> pages) {
        return pages.stream()
                .flatMap(page -> page.records().stream())
                .map(Entry::key)
                .toList();
    }

    private static String key(int number) {
        return "k%03d".formatted(number);
    }

    @Test
    void pagesGoOnWhereTheOneBeforeEnded() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                RecordCollection<String, String> words = SimulatedStore.words(store);
                List<String> all = new ArrayList<>();
                for (int i = 0; i < 45; i++) {
                    words.put(key(i), "v");
                    all.add(key(i));
                }
                List<Scan.Page<Entry<String, String>>> forwards = pages(words, span -> span);
                assertThat(forwards).extracting(page -> page.records().size()).containsExactly(20, 20, 5);
                assertThat(keys(forwards)).isEqualTo(all);
                assertThat(keys(pages(words, KeySpan::reversed))).isEqualTo(all.reversed());
                assertThat(words.scan(KeySpan.all().limit(45)).page().next())
                        .as("as many as the limit")
                        .isPresent();
                assertThat(words.scan(KeySpan.all()).page().next())
                        .as("no limit")
                        .isEmpty();
                Scan<Entry<String, String>> begun = words.scan(KeySpan.all().limit(3));
                begun.next();
                Scan.Page<Entry<String, String>> rest = begun.page();
                assertThat(rest.records()).extracting(Entry::key).containsExactly(key(1), key(2));
                assertThat(rest.next()).isPresent();
            }
        });
    }

    @Test
    void recordsThatComeAndGoNeitherRepeatNorHideOthers() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                RecordCollection<String, String> words = SimulatedStore.words(store);
                for (int i = 0; i < 40; i += 2) {
                    words.put(key(i), "v");
                }
                Scan.Page<Entry<String, String>> first =
                        words.scan(KeySpan.all().limit(10)).page();
                words.delete(key(18)); // the last of the page
                words.put(key(17), "late");
                words.put(key(19), "late");
                cloud.sleep(Duration.ofMinutes(5));
                Scan.Page<Entry<String, String>> second = words.scan(
                                KeySpan.all().after(first.next().orElseThrow()).limit(10))
                        .page();
                assertThat(first.records()).extracting(Entry::key).endsWith(key(18));
                assertThat(second.records()).extracting(Entry::key).startsWith(key(19), key(20));
            }
        });
    }

    @Test
    void anIndexHasPagesToo() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                RecordCollection<String, String> words = SimulatedStore.words(store);
                Index<String, String, String> byValue = words.index("by-value", Keys.string(), value -> value);
                for (int i = 0; i < 30; i++) {
                    words.put(key(i), i % 3 == 0 ? "x" : "y");
                }
                Scan.Page<Entry<String, String>> first =
                        byValue.scan(KeySpan.startingWith("y").limit(15)).page();
                Scan.Page<Entry<String, String>> second = byValue.scan(KeySpan.startingWith("y")
                                .after(first.next().orElseThrow())
                                .limit(15))
                        .page();
                assertThat(first.records()).hasSize(15);
                assertThat(second.records()).hasSize(5).doesNotContainAnyElementsOf(first.records());
                assertThat(second.next()).isEmpty();
                // A page of one list leads nowhere in another.
                assertThatThrownBy(() ->
                                words.scan(KeySpan.all().after(first.next().orElseThrow())))
                        .isInstanceOf(InvalidRequestException.class);
            }
        });
    }
}
