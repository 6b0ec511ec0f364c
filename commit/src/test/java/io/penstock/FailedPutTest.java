package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.UnavailableException;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A put that throws leaves its transaction as it was: what is committed afterwards keeps records and indexes whole. */
class FailedPutTest {
    private static final World AWAY = new World(1, 0, 0, Duration.ZERO, 0, 0, Duration.ZERO);

    record Paper(String author, String text) {}

    /** A store with one paper by Knuth, and what may happen to its transactions. */
    private static final class Library {
        final SimulatedStore cloud;
        final Penstock store;
        final RecordCollection<String, Paper> papers;
        final Index<String, String, Paper> byAuthor;
        final Index<Long, String, Paper> byLength;
        final AtomicBoolean refusing = new AtomicBoolean();

        Library(SimulatedStore cloud, Penstock store) {
            this.cloud = cloud;
            this.store = store;
            papers = store.collection("papers", Keys.string(), Json.of(Paper.class));
            byAuthor = papers.index("by-author", Keys.string(), Paper::author);
            byLength = papers.index("by-length", Keys.longs(), this::length);
        }

        private Long length(Paper paper) {
            if (refusing.get() && paper.text().equals("old")) {
                throw new IllegalStateException("no length");
            }
            return (long) paper.text().length();
        }

        long byKnuth() {
            try (Scan<Entry<String, Paper>> scan = byAuthor.scan("Knuth")) {
                long count = 0;
                for (; scan.hasNext(); scan.next()) {
                    count++;
                }
                return count;
            }
        }
    }

    private static void afterFailure(Consumer<Library> failure) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Settings settings = cloud.settings("a").callBudget(Duration.ofSeconds(1));
            try (Penstock store = Penstock.open(settings)) {
                Library library = new Library(cloud, store);
                library.papers.put("a", new Paper("Knuth", "old"));
                store.admin().checkpoint();
                failure.accept(library);
                SimulatedStore.settle(store, cloud.machine("a"));
                assertThat(library.papers.get("a")).hasValue(new Paper("Knuth", "old"));
                assertThat(library.papers.get("b")).hasValue(new Paper("Knuth", "b"));
                assertThat(library.byKnuth()).isEqualTo(2);
                assertThat(store.admin().check(library.byAuthor).missing()).isZero();
                assertThat(store.admin().check(library.byAuthor).leftOver()).isZero();
                assertThat(store.admin().check(library.byLength).missing()).isZero();
            }
        });
    }

    @Test
    void aLargePayloadThatCannotBeWritten() {
        afterFailure(library -> {
            try (Transaction tx = library.store.begin()) {
                assertThat(tx.get(library.papers, "a")).isPresent();
                library.cloud.cloud.setWorld(AWAY);
                assertThatThrownBy(() -> tx.put(library.papers, "a", new Paper("Knuth", "x".repeat(100_000))))
                        .isInstanceOf(UnavailableException.class);
                library.cloud.cloud.setWorld(World.CALM);
                tx.put(library.papers, "b", new Paper("Knuth", "b"));
                tx.commit();
            }
        });
    }

    @Test
    void anIndexThatCannotReadTheOldValue() {
        afterFailure(library -> {
            try (Transaction tx = library.store.begin()) {
                library.refusing.set(true);
                assertThatThrownBy(() -> tx.put(library.papers, "a", new Paper("Lamport", "new")))
                        .isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(() -> tx.delete(library.papers, "a")).isInstanceOf(IllegalStateException.class);
                library.refusing.set(false);
                tx.put(library.papers, "b", new Paper("Knuth", "b"));
                tx.commit();
            }
        });
    }
}
