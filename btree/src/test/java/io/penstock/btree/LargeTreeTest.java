package io.penstock.btree;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.Compression;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** 100,000 records through all a tree can do. */
@Tag("long")
class LargeTreeTest {
    private static final int RECORDS = 100_000;
    private static final long START_MILLIS = 1_700_000_000_000L;
    private static final TreeSettings SETTINGS =
            new TreeSettings(2048, 2048, 2048, 4096, 16, Duration.ofDays(1), 16, Compression.NONE);

    private final MemoryObjectStore store = new MemoryObjectStore();
    private final InlineTasks tasks = new InlineTasks(1, START_MILLIS);
    private final Client client = new Client(store, SETTINGS, tasks);

    private static Bytes payload(int number) {
        byte[] payload = new byte[100];
        new Random(number).nextBytes(payload);
        return Bytes.wrap(payload);
    }

    private void load(List<Integer> numbers, int batchSize) {
        for (int from = 0; from < numbers.size(); from += batchSize) {
            List<RecordChange> batch = new ArrayList<>();
            for (int number : numbers.subList(from, Math.min(numbers.size(), from + batchSize))) {
                batch.add(new RecordChange.Put(
                        Client.key(number), payload(number), Client.stamp(START_MILLIS + from, 1)));
            }
            client.apply(batch);
        }
    }

    private static List<Integer> numbers() {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            numbers.add(i);
        }
        return numbers;
    }

    @Test
    void sequentialLoadKeepsPagesFull() {
        load(numbers(), 1000);
        TreeReport report = client.assertSound("load");
        assertThat(report.levels()).hasSizeGreaterThanOrEqualTo(3);
        assertThat(report.records()).isEqualTo(RECORDS);
        assertThat(report.leafFill(SETTINGS.leafBytesTarget())).isBetween(0.8, 1.0);
    }

    @Test
    void loadReadScanDelete() {
        List<Integer> shuffled = numbers();
        Collections.shuffle(shuffled, new Random(1));
        load(shuffled, 5000);
        TreeReport report = client.assertSound("load");
        assertThat(report.levels()).hasSizeGreaterThanOrEqualTo(3);
        assertThat(report.records()).isEqualTo(RECORDS);
        assertThat(report.leafFill(SETTINGS.leafBytesTarget())).isBetween(0.5, 1.0);

        for (int number : shuffled) {
            RecordChange found = client.records.find(Client.key(number)).orElseThrow();
            assertThat(found.livePayload().length()).isEqualTo(100);
        }
        assertThat(client.records.find(Client.key(777)).orElseThrow().livePayload())
                .isEqualTo(payload(777));
        assertThat(client.records.find(Bytes.utf8("key-00000777x"))).isEmpty();
        List<RecordChange> forward = client.scan(KeyRange.all(), Direction.ASCENDING);
        assertThat(forward).hasSize(RECORDS);
        for (int i = 0; i < RECORDS; i++) {
            assertThat(forward.get(i).key()).isEqualTo(Client.key(i));
        }
        assertThat(client.scan(KeyRange.all(), Direction.DESCENDING).reversed()).isEqualTo(forward);

        deleteOdd();
        // The tombstones' time is over: the next change of a page drops those that are on it.
        tasks.advance(Duration.ofDays(3));
        List<RecordChange> touch = new ArrayList<>();
        for (int i = 0; i < RECORDS; i += 2) {
            touch.add(new RecordChange.Put(Client.key(i), payload(0), Client.stamp(tasks.nowMillis(), 1)));
        }
        client.apply(touch);
        TreeReport purged = client.assertSound("purge");
        // A leaf that has nothing but tombstones saw no change, and so no purge.
        assertThat(purged.tombstones()).isLessThan(RECORDS / 1000);
        assertThat(purged.records()).isEqualTo(RECORDS / 2);
    }

    private void deleteOdd() {
        List<RecordChange> deletes = new ArrayList<>();
        for (int i = 1; i < RECORDS; i += 2) {
            deletes.add(new RecordChange.Delete(Client.key(i), Client.stamp(START_MILLIS + RECORDS + i, 1)));
        }
        client.apply(deletes);
        TreeReport report = client.assertSound("deletes");
        assertThat(report.records()).isEqualTo(RECORDS / 2);
        assertThat(report.tombstones()).isEqualTo(RECORDS / 2);
        List<RecordChange> left = client.scan(KeyRange.all(), Direction.DESCENDING);
        assertThat(left).hasSize(RECORDS / 2);
        assertThat(left.getFirst().key()).isEqualTo(Client.key(RECORDS - 2));
    }
}
