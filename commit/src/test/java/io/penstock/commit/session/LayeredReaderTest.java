package io.penstock.commit.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.btree.BLinkTree;
import io.penstock.commit.checkpoint.LedgerStore;
import io.penstock.commit.client.HybridClock;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.protocol.StampedForTests;
import io.penstock.commit.protocol.StampedTransaction;
import io.penstock.commit.protocol.WriteSet;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.PageId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.memory.ByteBudget;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.overflow.OverflowStore;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PageManager;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import io.penstock.core.record.RecordManager;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LayeredReaderTest {
    private static final TreeId TREE = new TreeId(1);

    private final InlineTasks tasks = new InlineTasks(1);
    private final MemoryObjectStore objects = new MemoryObjectStore();
    private final BufferPool pool = new BufferPool(1 << 20, Duration.ZERO);
    private final PageManager pages = new PageManager(objects, pool, tasks, "");
    private final Overlay overlay =
            new Overlay(new LedgerStore(pages, tasks), pool, new ByteBudget(Long.MAX_VALUE), tree -> Stream.empty());

    /** A process may stand still in a read, for longer than the TTL: the overlay is swept before the page is there. */
    @Test
    void aRecordThatIsDroppedDuringThePageReadIsFound() {
        Bytes key = Bytes.utf8("k");
        Stamp stamp = Stamp.of(1, 0, new ClientId(1));
        StampedTransaction committed = new StampedTransaction(
                stamp, List.of(new LogRecord(TREE, new RecordChange.Put(key, Bytes.utf8("v"), stamp))));
        overlay.add(committed);
        objects.setHook(new MemoryObjectStore.Hook() {
            @Override
            public void before(MemoryObjectStore.Call call, String object) {
                StampedForTests.needsNothing(committed);
                overlay.sweep(() -> 1);
                overlay.sweep(() -> 2);
            }
        });
        assertThat(reader().find(TREE, key, new WriteSet(Long.MAX_VALUE))).contains(Bytes.utf8("v"));
        assertThat(overlay.size()).isZero();
    }

    private LayeredReader reader() {
        return new LayeredReader(
                tree -> new RecordManager(new BLinkTree(pages, tree, 0), tasks, 1),
                new OverflowStore(objects, tasks, ""),
                overlay,
                new HybridClock(tasks::nowMillis),
                ExpiryTime.by(tasks::nowMillis),
                pages::versions);
    }

    /** The versions are listed after a look into the overlay, however long before the leaves are asked about. */
    @Test
    void aLeafWhoseChangeIsDroppedWhileVersionsAreListedIsNoneThatIsUnchanged() {
        ObjectVersion version = objects.put(
                        pages.objectKey(PageId.root(TREE)), Bytes.utf8("page"), WriteCondition.ALWAYS)
                .version();
        KnownLeaf leaf = new KnownLeaf(PageId.ROOT, version, KeyRange.all(), 0);
        WriteSet writes = new WriteSet(Long.MAX_VALUE);
        assertThat(reader().unchanged(TREE, KeyRange.all(), 0, writes).among(List.of(leaf)))
                .containsExactly(leaf);
        Stamp stamp = Stamp.of(1, 0, new ClientId(1));
        StampedTransaction committed = new StampedTransaction(
                stamp, List.of(new LogRecord(TREE, new RecordChange.Put(Bytes.utf8("k"), Bytes.utf8("v"), stamp))));
        overlay.add(committed);
        RecordReader.Unchanged begun = reader().unchanged(TREE, KeyRange.all(), 0, writes);
        StampedForTests.needsNothing(committed);
        overlay.sweep(() -> 1);
        overlay.sweep(() -> 2);
        assertThat(overlay.size()).isZero();
        assertThat(begun.among(List.of(leaf))).isEmpty();
    }
}
