package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.record.RecordChange;
import io.penstock.report.CheckpointReport;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages that must not be applied: kept with their bytes and the reason, and out of the way. */
class QuarantineTest {
    private static final ClientId STRANGER = new ClientId(42);

    private static void withMessage(SimulatedStore cloud, Bytes body, String reason) {
        try (Penstock store = cloud.open("a")) {
            words(store).put("a", "1");
            store.admin().checkpoint();
            MessageQueue queue = cloud.queues("pu-").getFirst();
            queue.send(List.of(body));
            words(store).put("b", "2");
            CheckpointReport report = store.admin().checkpoint();
            assertThat(report.quarantined()).isEqualTo(1);
            assertKept(cloud, queue.name(), body, reason);
            assertThat(store.admin().backlog().pendingMessages()).isZero();
            assertThat(SimulatedStore.content(store)).containsOnlyKeys("a", "b");
        }
    }

    private static void assertKept(SimulatedStore cloud, String queue, Bytes body, String reason) {
        List<String> keys = cloud.keys("quarantine/" + queue + "/");
        assertThat(keys).hasSize(2);
        assertThat(cloud.object(keys.get(0))).isEqualTo(body);
        assertThat(keys.get(1)).isEqualTo(keys.get(0) + ".reason");
        assertThat(cloud.object(keys.get(1)).toUtf8()).contains(reason);
    }

    private static Bytes message(TreeId tree, long millis) {
        Stamp stamp = Stamp.of(millis, 0, STRANGER);
        LogRecord record = new LogRecord(tree, new RecordChange.Put(Bytes.utf8("old"), Bytes.utf8("\"x\""), stamp));
        return new PuMessage(STRANGER, PuMessage.UNORDERED, List.of(record)).encode();
    }

    private static TreeId tree(SimulatedStore cloud) {
        try (Penstock store = cloud.open("t")) {
            return words(store).tree();
        }
    }

    @Test
    void garbageInAPuQueue() {
        new SimulatedStore(1, World.CALM)
                .run(cloud -> withMessage(cloud, Bytes.utf8("garbage"), "it is no message of this kind"));
    }

    @Test
    void aRecordOlderThanTombstonesAreKept() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            TreeId tree = tree(cloud);
            long millis =
                    cloud.machine("main").nowMillis() - Duration.ofDays(29).toMillis() - 1;
            withMessage(cloud, message(tree, millis), "a log record is older than tombstones are kept");
        });
    }

    @Test
    void aRecordThatIsAlmostTooOldIsApplied() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            TreeId tree = tree(cloud);
            try (Penstock store = cloud.open("a")) {
                words(store).put("a", "1");
                store.admin().checkpoint();
                long millis =
                        cloud.machine("main").nowMillis() - Duration.ofDays(29).toMillis() + 60_000;
                cloud.queues("pu-").getFirst().send(List.of(message(tree, millis)));
                assertThat(store.admin().checkpoint().quarantined()).isZero();
                assertThat(SimulatedStore.content(store)).containsOnlyKeys("a", "old");
            }
        });
    }

    @Test
    void aRecordForAnUnknownTree() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            long millis = cloud.machine("main").nowMillis();
            withMessage(cloud, message(new TreeId(123), millis), "a log record is for a tree that is not there");
        });
    }

    @Test
    void garbageInAnAtomicQueue() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Bytes garbage = Bytes.utf8("garbage");
            Penstock store = cloud.open("a");
            words(store).put("a", "1");
            MessageQueue queue = cloud.queues("at-").getFirst();
            queue.send(List.of(garbage));
            cloud.machine("a").crash();
            cloud.sleep(Duration.ofMinutes(10));
            try (Penstock heir = cloud.open("b")) {
                SimulatedStore.settle(heir, cloud.machine("b"));
                assertThat(SimulatedStore.content(heir)).containsOnlyKeys("a");
                assertThat(heir.admin().backlog().total()).isZero();
                assertKept(cloud, queue.name(), garbage, "it is no message of this kind");
            }
        });
    }

    /** A record that no page can hold, sent by other software, must not stop the queue. */
    @Test
    void aRecordThatNoPageCanHold() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            TreeId tree = tree(cloud);
            Stamp stamp = Stamp.of(cloud.machine("main").nowMillis(), 0, STRANGER);
            RecordChange huge = new RecordChange.Put(Bytes.utf8("k"), Bytes.wrap(new byte[100_000]), stamp);
            Bytes body = new PuMessage(STRANGER, PuMessage.UNORDERED, List.of(new LogRecord(tree, huge))).encode();
            withMessage(cloud, body, "a log record is too large for the pages of its tree");
        });
    }
}
