package io.penstock.btree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.UnavailableException;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import io.penstock.testing.MemoryObjectStore.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TreeWriterTest {
    private static final long NOW = 1_700_000_000_000L;

    private final MemoryObjectStore store = new MemoryObjectStore();
    private final InlineTasks tasks = new InlineTasks(1, NOW);
    private final Client client = new Client(store, TreeSettings.DEFAULT.withPageBytes(512), tasks);

    private static RecordChange put(int number, String payload, long time) {
        return new RecordChange.Put(Client.key(number), Bytes.utf8(payload), Client.stamp(NOW + time, 1));
    }

    @Test
    void theFirstWriteMakesTheRootAndItsMark() {
        ApplyResult result = client.apply(List.of(put(1, "a", 1), put(2, "b", 1)));
        assertThat(result).isEqualTo(new ApplyResult(1, 0, 2, 0, 0));
        assertThat(store.count(Call.PUT)).isEqualTo(2);
        assertThat(client.assertSound("first").records()).isEqualTo(2);
    }

    @Test
    void anEmptyTreeHasNoRecords() {
        assertThat(client.records.find(Client.key(1))).isEmpty();
        assertThat(client.scan(KeyRange.all(), Direction.ASCENDING)).isEmpty();
        assertThat(client.scan(KeyRange.all(), Direction.DESCENDING)).isEmpty();
        assertThat(client.apply(List.of())).isEqualTo(ApplyResult.NONE);
    }

    @Test
    void whatChangesNothingIsNotWritten() {
        List<RecordChange> changes = List.of(put(1, "a", 1), put(2, "b", 1));
        client.apply(changes);
        ApplyResult again = client.apply(changes);
        assertThat(again).isEqualTo(new ApplyResult(0, 0, 0, 2, 0));
        assertThat(store.count(Call.PUT)).isEqualTo(2);
    }

    @Test
    void refusesWhatDoesNotFitBeforeItWritesAnything() {
        TreeSettings settings = TreeSettings.DEFAULT.withPageBytes(512);
        Bytes longKey = Bytes.wrap(new byte[settings.keyBytesMax() + 1]);
        Bytes large = Bytes.wrap(new byte[settings.recordBytesMax()]);
        var stamp = Client.stamp(NOW, 1);
        assertThatThrownBy(() -> client.apply(List.of(new RecordChange.Delete(longKey, stamp))))
                .isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(
                        () -> client.apply(List.of(put(0, "a", 1), new RecordChange.Put(Client.key(1), large, stamp))))
                .isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> client.writer.apply(List.of(put(2, "a", 1), put(1, "a", 1))))
                .isInstanceOf(InvalidRequestException.class);
        assertThat(store.count(Call.PUT)).isZero();
    }

    /** The longest keys and the largest records, in any order: pages stay within their bounds. */
    @Test
    void theLargestRecordsFit() {
        for (int seed = 0; seed < 30; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            TreeSettings settings = TreeSettings.DEFAULT.withPageBytes(512 << random.nextInt(2));
            Client one = new Client(new MemoryObjectStore(), settings, new InlineTasks(seed));
            TreeMap<Bytes, RecordChange> oracle = new TreeMap<>();
            for (int round = 0; round < 10; round++) {
                List<RecordChange> batch = new ArrayList<>();
                for (int i = 0; i < 40; i++) {
                    byte[] key = new byte[settings.keyBytesMax()];
                    random.nextBytes(key);
                    int room = settings.recordBytesMax() - key.length;
                    byte[] payload = new byte[random.nextInt(3) == 0 ? room : random.nextInt(20)];
                    batch.add(new RecordChange.Put(
                            Bytes.wrap(key), Bytes.wrap(payload), Client.stamp(NOW + round * 40L + i, 1)));
                }
                one.apply(batch);
                Client.merge(oracle, batch);
            }
            one.assertSound("seed=" + seed);
            one.assertEquals(oracle, "seed=" + seed);
            assertPagesWithin(one, settings.pageBytesMax());
        }
    }

    private static void assertPagesWithin(Client client, int bytesMax) {
        for (var leaf = client.tree.leafBefore(null).orElseThrow();
                !leaf.low().isEmpty();
                leaf = client.tree.leafBefore(leaf.low()).orElseThrow()) {
            assertThat(leaf.page().image().bytes().length()).isLessThanOrEqualTo(bytesMax);
        }
    }

    /** A machine stands still at its put; meanwhile a delete comes and goes that would win. */
    @Test
    void whatWasKnownBeforeATombstoneIsNotPutAfterIt() {
        client.apply(List.of(put(1, "a", 1)));
        Client other = new Client(store, TreeSettings.DEFAULT.withPageBytes(512), tasks);
        store.setHook(Client.before(1, true, () -> {
            other.apply(List.of(new RecordChange.Delete(Client.key(2), Client.stamp(NOW + 3, 1))));
            tasks.sleep(TreeSettings.DEFAULT.tombstoneLife().plusDays(1));
            other.apply(List.of(put(3, "purges", 4)));
        }));
        List<RecordChange> derived = List.of(put(2, "deleted since", 2));
        assertThatThrownBy(() -> client.apply(derived)).isInstanceOf(UnavailableException.class);
        assertThat(other.scan(KeyRange.all(), Direction.ASCENDING)).hasSize(2);
        Runnable longAgo = client.writer.knownNow();
        tasks.sleep(TreeSettings.DEFAULT.tombstoneLife());
        assertThatThrownBy(() -> client.writer.apply(derived, longAgo)).isInstanceOf(UnavailableException.class);
    }

    @Test
    void oldTombstonesGoWithTheNextChange() {
        client.apply(List.of(put(1, "a", 1), put(2, "b", 1)));
        client.apply(List.of(new RecordChange.Delete(Client.key(1), Client.stamp(NOW + 2, 1))));
        assertThat(client.check().tombstones()).isEqualTo(1);
        tasks.advance(Duration.ofDays(31));
        client.apply(List.of(put(2, "c", Duration.ofDays(31).toMillis())));
        assertThat(client.check().tombstones()).isZero();
    }

    /** The paper's baseline: who writes last wins the whole page, and the other one's record is gone. */
    @Test
    void unconditionalWritesLoseUpdates() {
        client.apply(List.of(put(0, "zero", 0)));
        Client other = new Client(store, TreeSettings.DEFAULT, new InlineTasks(2, NOW));
        assertThat(other.records.find(Client.key(0))).isPresent();
        client.writer.apply(List.of(put(1, "mine", 1)), WriteMode.OVERWRITE);
        other.writer.apply(List.of(put(2, "theirs", 2)), WriteMode.OVERWRITE);
        Client reader = new Client(store, TreeSettings.DEFAULT, new InlineTasks(3, NOW));
        assertThat(reader.records.find(Client.key(1))).isEmpty();
        assertThat(reader.records.find(Client.key(2))).isPresent();
        Client careful = new Client(store, TreeSettings.DEFAULT, new InlineTasks(4, NOW));
        careful.apply(List.of(put(3, "kept", 3)));
        careful.assertSound("naive");
    }

    @Test
    void aStaleReaderFindsWhatMovedRight() {
        client.apply(List.of(put(0, "zero", 0)));
        List<RecordChange> load = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            load.add(put(i * 10, "a payload", 1));
        }
        client.apply(load);
        Client reader = new Client(store, TreeSettings.DEFAULT, new InlineTasks(2, NOW));
        assertThat(reader.scan(KeyRange.all(), Direction.ASCENDING)).hasSize(300);
        List<RecordChange> more = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            more.add(put(i * 10 + 5, "another payload", 2));
        }
        client.apply(more);
        // Leaves are forgotten, inner pages are as old as before the splits.
        for (var leaf = client.tree.leafBefore(null).orElseThrow();
                !leaf.low().isEmpty();
                leaf = client.tree.leafBefore(leaf.low()).orElseThrow()) {
            reader.pages.refresh(leaf.page().image().id());
        }
        reader.pages.refresh(
                client.tree.leafFor(Bytes.EMPTY).orElseThrow().page().image().id());
        assertThat(reader.scan(KeyRange.all(), Direction.ASCENDING)).hasSize(600);
        assertThat(reader.scan(KeyRange.all(), Direction.DESCENDING)).hasSize(600);
        for (int i = 0; i < 300; i++) {
            assertThat(reader.records.find(Client.key(i * 10 + 5))).isPresent();
        }
    }
}
