package io.penstock.btree;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.memory.Workspace;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PageManager;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import io.penstock.core.record.RecordCursor;
import io.penstock.core.record.RecordManager;
import io.penstock.core.task.Tasks;
import io.penstock.testing.MemoryObjectStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All that one client has of one tree: its own pool, page manager, reader and writer. */
final class Client {
    static final TreeId TREE = new TreeId(0x7ee);

    final PageManager pages;
    private final Tasks tasks;
    final BufferPool pool;
    final BLinkTree tree;
    final RecordManager records;
    final TreeWriter writer;

    Client(ObjectStore store, TreeSettings settings, Tasks tasks, Duration ttl) {
        this(store, settings, tasks, new BufferPool(64 << 20, ttl));
    }

    Client(ObjectStore store, TreeSettings settings, Tasks tasks, BufferPool pool) {
        this.tasks = tasks;
        this.pool = pool;
        pages = new PageManager(store, pool, tasks, "test/");
        tree = new BLinkTree(pages, TREE, 8);
        records = new RecordManager(tree, tasks, 8);
        writer = new TreeWriter(pages, TREE, settings, tasks);
    }

    Client(ObjectStore store, TreeSettings settings, Tasks tasks) {
        this(store, settings, tasks, Duration.ofHours(1));
    }

    /** Runs {@code deed} before the n-th call, or the n-th put, of any other user of the store. */
    static MemoryObjectStore.Hook before(int n, boolean putsOnly, Runnable deed) {
        return new MemoryObjectStore.Hook() {
            private int count;
            private boolean under;

            @Override
            public void before(MemoryObjectStore.Call call, String key) {
                if (!under && (!putsOnly || call == MemoryObjectStore.Call.PUT) && ++count == n) {
                    under = true;
                    deed.run();
                    under = false;
                }
            }
        };
    }

    static Bytes key(int number) {
        return Bytes.utf8(String.format("key-%08d", number));
    }

    static Stamp stamp(long time, long client) {
        return new Stamp(time << Stamp.COUNTER_BITS, new ClientId(client));
    }

    ApplyResult apply(List<RecordChange> changes) {
        return writer.apply(sorted(changes));
    }

    static List<RecordChange> sorted(List<RecordChange> changes) {
        List<RecordChange> sorted = new ArrayList<>(changes);
        sorted.sort(Comparator.comparing(RecordChange::key));
        return sorted;
    }

    TreeReport check() {
        return TreeCheck.run(pages, TREE, Workspace.standard(tasks));
    }

    TreeReport assertSound(String what) {
        TreeReport report = check();
        assertThat(report.violations()).as(what).isEmpty();
        return report;
    }

    /** The records of a scan. */
    static List<RecordChange> drain(RecordCursor scan) {
        return drainAll(scan).stream().filter(record -> !record.isTombstone()).toList();
    }

    /** The records and tombstones of a scan. */
    static List<RecordChange> drainAll(RecordCursor scan) {
        List<RecordChange> found = new ArrayList<>();
        try (scan) {
            while (scan.advance()) {
                found.add(scan.record());
            }
        }
        return found;
    }

    /** The same by a scan that knows that it goes to its end. */
    static List<RecordChange> drainToEnd(RecordCursor scan) {
        scan.expectAll();
        return drainAll(scan);
    }

    List<RecordChange> scan(KeyRange range, Direction direction) {
        return drain(records.cursor(range, direction));
    }

    /** Keys from {@code from} to {@code to}, each bound inclusive or not. */
    static KeyRange range(Bytes from, boolean fromInclusive, Bytes to, boolean toInclusive) {
        return new KeyRange(fromInclusive ? from : KeyRange.after(from), toInclusive ? KeyRange.after(to) : to);
    }

    /** The change that must win for each key. */
    static void merge(Map<Bytes, RecordChange> oracle, List<RecordChange> changes) {
        for (RecordChange change : changes) {
            oracle.merge(change.key(), change, (old, next) -> next.stamp().isAfter(old.stamp()) ? next : old);
        }
    }

    /** Compares the whole tree with the winners, by scans both ways and by point reads. */
    void assertEquals(TreeMap<Bytes, RecordChange> oracle, String what) {
        List<Bytes> live = new ArrayList<>();
        oracle.forEach((key, change) -> {
            if (change.payloadOrNull() != null) {
                live.add(key);
            }
        });
        List<RecordChange> forward = scan(KeyRange.all(), Direction.ASCENDING);
        assertThat(forward.stream().map(RecordChange::key)).as(what).isEqualTo(live);
        List<RecordChange> backward = scan(KeyRange.all(), Direction.DESCENDING);
        assertThat(backward.reversed()).as(what).isEqualTo(forward);
        oracle.forEach((key, change) -> {
            RecordChange found = records.find(key).orElseThrow(() -> new AssertionError(what));
            assertThat(found.stamp()).as(what).isEqualTo(change.stamp());
            assertThat(found.payloadOrNull()).as(what).isEqualTo(change.payloadOrNull());
        });
    }
}
