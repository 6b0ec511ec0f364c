package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.InvalidRequestException;
import io.penstock.feed.Change;
import io.penstock.feed.ChangeFeed;
import io.penstock.feed.Commit;
import io.penstock.report.LogStats;
import io.penstock.report.StoreStats;
import io.penstock.report.StoredCollection;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Inspections of a store, on the simulated cloud. */
class InspectionTest {
    private static final long RECORDS = 100;
    private static final String PAYLOAD = "a-payload-nobody-may-see";

    /** A store with a hundred applied records, ten of them deleted, under an index, and one that waits. */
    private static void withStore(Consumer<Penstock> body) {
        new SimulatedStore(7, World.CALM).run(world -> {
            try (Penstock store = Penstock.open(
                    world.settings("a").level(ConsistencyLevel.MONOTONIC).checkpointing(false))) {
                RecordCollection<Long, String> words = store.collection("words", Keys.longs(), Json.of(String.class));
                words.index("by-length", Keys.longs(), text -> (long) text.length());
                for (long i = 0; i < RECORDS; i++) {
                    words.put(i, PAYLOAD + i);
                }
                for (long i = 0; i < 10; i++) {
                    words.delete(i);
                }
                store.admin().checkpoint();
                words.put(RECORDS, PAYLOAD);
                body.accept(store);
            }
        });
    }

    @Test
    void statsCountWhatIsThere() {
        withStore(store -> {
            StoreStats stats = store.admin().inspect().stats();

            assertThat(stats.trees()).hasSize(2);
            StoreStats.Tree records = stats.trees().getFirst();
            assertThat(records.collection()).isEqualTo("words");
            assertThat(records.index()).isEmpty();
            assertThat(records.records()).isEqualTo(RECORDS - 10);
            assertThat(records.tombstones()).isEqualTo(10);
            assertThat(records.height()).isGreaterThan(1);
            assertThat(records.leafFill()).isBetween(0.3, 1.0);
            assertThat(stats.trees().get(1).index()).isEqualTo("by-length");
            assertThat(stats.trees().get(1).records()).isEqualTo(RECORDS - 10);
            assertThat(stats.kinds()).anySatisfy(folder -> {
                assertThat(folder.folder()).isEqualTo("pages");
                assertThat(folder.count())
                        .isGreaterThanOrEqualTo(stats.trees().stream()
                                .mapToLong(StoreStats.Tree::pages)
                                .sum());
                assertThat(folder.bytes()).isPositive();
            });
        });
    }

    @Test
    void collectionsAreAsTheyWereDeclared() {
        withStore(store -> {
            store.collection("pairs", Keys.pair(Keys.string(), Keys.longs()), Json.of(String.class))
                    .inDomain("shop")
                    .put(new Keys.Pair<>("a", 1L), "x");
            assertThat(store.admin().inspect().collections())
                    .filteredOn(found -> found.name().equals("pairs"))
                    .singleElement()
                    .satisfies(found -> {
                        assertThat(found.domain()).contains("shop");
                        assertThat(found.keyTypes()).containsExactly("string", "long");
                        assertThat(found.indexes()).isEmpty();
                    });
            assertThat(store.admin().inspect().collections())
                    .filteredOn(found -> found.name().equals("words"))
                    .singleElement()
                    .satisfies(found -> {
                        assertThat(found.domain()).isEmpty();
                        assertThat(found.indexes())
                                .containsExactly(new StoredCollection.Index("by-length", List.of("long"), false, true));
                    });
        });
    }

    @Test
    void keysOfATreeComeByPageWithSizesOfTheirPayloads() {
        withStore(store -> {
            List<Long> found = new ArrayList<>();
            Optional<String> next = Optional.empty();
            do {
                Scan.Page<Entry<Bytes, Long>> page = store.admin()
                        .inspect()
                        .keys(
                                "words",
                                "",
                                KeySpan.<Bytes>all().after(next.orElse(null)).limit(7))
                        .page();
                page.records().forEach(each -> found.add(Keys.longs().decode(each.key())));
                assertThat(page.records()).allMatch(each -> each.value() >= PAYLOAD.length() + 2);
                next = page.next();
            } while (next.isPresent());
            assertThat(found)
                    .startsWith(10L)
                    .isSorted()
                    .hasSize((int) RECORDS - 9)
                    .endsWith(RECORDS);

            List<Keys.Pair<Long, Long>> entries =
                    store.admin().inspect().keys("words", "by-length", KeySpan.all()).stream()
                            .map(each -> Keys.pair(Keys.longs(), Keys.longs()).decode(each.key()))
                            .toList();
            assertThat(entries)
                    .hasSize((int) RECORDS - 9)
                    .first()
                    .isEqualTo(new Keys.Pair<>((long) PAYLOAD.length(), RECORDS));
        });
    }

    @Test
    void aSegmentHasTheChangesOfTheFeedWithoutLargeValues() {
        withStore(store -> {
            RecordCollection<String, Bytes> shop = store.collection("shop", Keys.string(), PayloadCodec.bytes())
                    .inDomain("shop");
            String begin = store.transact(ConsistencyLevel.SERIALIZABLE, transaction -> {
                transaction.put(shop, "a", Bytes.utf8("1"));
                return shop.position();
            });
            shop.put("large", Bytes.wrap(new byte[1 << 20]));
            shop.delete("a");
            Inspection inspection = store.admin().inspect();
            LogStats log = inspection.outline().logs().getFirst();
            List<Commit> commits = LongStream.rangeClosed(1, log.last())
                    .boxed()
                    .flatMap(segment -> inspection.changes("shop", segment).stream())
                    .toList();
            assertThat(commits.stream().flatMap(commit -> commit.changes().stream()))
                    .containsExactly(
                            new Change("shop", Bytes.utf8("a"), Change.Kind.PUT, Optional.of(Bytes.utf8("1"))),
                            new Change("shop", Bytes.utf8("large"), Change.Kind.PUT, Optional.empty()),
                            new Change("shop", Bytes.utf8("a"), Change.Kind.DELETE, Optional.empty()));
            ChangeFeed feed = store.changes(begin);
            List<String> positions = Stream.generate(() -> feed.next(Duration.ZERO))
                    .limit(3)
                    .map(next -> next.orElseThrow().position())
                    .toList();
            assertThat(commits).extracting(Commit::position).isEqualTo(positions);
            for (long none : new long[] {-1, 0, log.last() + 1}) {
                assertThatThrownBy(() -> inspection.changes("shop", none)).isInstanceOf(InvalidRequestException.class);
            }
            assertThatThrownBy(() -> inspection.changes("none", 1)).isInstanceOf(InvalidRequestException.class);
        });
    }

    @Test
    void aTreeShowsEveryPageOfEachLevel() {
        withStore(store -> {
            long pages = store.admin().inspect().stats().trees().getFirst().pages();
            List<String> lines = store.admin().inspect().tree("words", "", 1000);

            assertThat(lines).filteredOn(line -> line.startsWith("  page ")).hasSize((int) pages);
            assertThat(lines).contains("level 0");
            assertThat(store.admin().inspect().tree("words", "", 1)).contains("  … and more pages of this level");
        });
    }

    @Test
    void aPageShowsItsHeaderAndOnDemandItsKeysButNeverAPayload() {
        withStore(store -> {
            String leaf = store.admin().inspect().tree("words", "", 1000).stream()
                    .filter(line -> line.startsWith("  page "))
                    .reduce((first, second) -> second)
                    .map(line -> line.substring(7, 23))
                    .orElseThrow();

            assertThat(store.admin().inspect().page("words", "", leaf, false))
                    .anyMatch(line -> line.startsWith("kind=LEAF level=0"))
                    .noneMatch(line -> line.contains("key=\""));
            assertThat(store.admin().inspect().page("words", "", leaf, true))
                    .anyMatch(line -> line.contains("key=\"") && line.contains("payload bytes="))
                    .noneMatch(line -> line.contains("payload-nobody"));
            assertThat(store.admin().inspect().page("words", "", "0000000000000001", true))
                    .anyMatch(line -> line.startsWith("kind=INNER"))
                    .anyMatch(line -> line.startsWith("0 child="));
        });
    }

    @Test
    void aQueueShowsWhatWaitsAndItsLedger() {
        withStore(store -> {
            List<String> queues = store.admin().inspect().queues();
            assertThat(queues).hasSize(2).allMatch(line -> line.contains("collection=words"));
            String records = queues.stream()
                    .filter(line -> !line.contains("index="))
                    .findFirst()
                    .orElseThrow();
            assertThat(records).contains("visible=1");

            assertThat(store.admin().inspect().queue(records.substring(0, records.indexOf(' '))))
                    .contains("messages visible=1 in flight=0", "lock tokens visible=1 in flight=0")
                    .anyMatch(line -> line.startsWith("ledger client=") && line.contains("up to=110 holes=0"));
        });
    }

    @Test
    void aClientShowsItsState() {
        withStore(store -> {
            // One object for all ids of the handle.
            assertThat(store.admin().inspect().clients())
                    .hasSize(1)
                    .allMatch(line -> line.contains(" alive since "))
                    .anyMatch(line -> line.startsWith(store.clientId().hex()));
            assertThat(store.admin().inspect().client(store.clientId().hex()))
                    .hasSize(2)
                    .contains("atomic queue (no such queue)");
            assertThat(store.admin().inspect().client("00000000000000aa").getFirst())
                    .contains("is not known");
        });
    }

    @Test
    void unknownNamesAreRefused() {
        withStore(store -> {
            Inspection inspection = store.admin().inspect();
            assertThatThrownBy(() -> inspection.tree("none", "", 1)).isInstanceOf(InvalidRequestException.class);
            assertThatThrownBy(() -> inspection.tree("words", "none", 1)).isInstanceOf(InvalidRequestException.class);
            assertThatThrownBy(() -> inspection.page("words", "", "xyz", false))
                    .isInstanceOf(InvalidRequestException.class);
            assertThatThrownBy(() -> inspection.page("words", "", "00000000000000ff", false))
                    .isInstanceOf(InvalidRequestException.class);
            assertThatThrownBy(() -> inspection.queue("nonsense")).isInstanceOf(InvalidRequestException.class);
            assertThatThrownBy(() -> inspection.client("nonsense")).isInstanceOf(InvalidRequestException.class);
        });
    }
}
