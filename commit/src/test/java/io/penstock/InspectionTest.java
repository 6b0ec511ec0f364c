package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.InvalidRequestException;
import io.penstock.report.StoreStats;
import io.penstock.testkit.World;
import java.util.List;
import java.util.function.Consumer;
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
