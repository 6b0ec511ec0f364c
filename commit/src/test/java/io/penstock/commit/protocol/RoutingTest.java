package io.penstock.commit.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.btree.BLinkTree;
import io.penstock.btree.TreeSettings;
import io.penstock.btree.TreeWriter;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PageManager;
import io.penstock.core.record.PageIndex;
import io.penstock.core.record.RecordChange;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoutingTest {
    private static final TreeId TREE = new TreeId(9);
    private static final int RECORDS = 400;

    private final InlineTasks tasks = new InlineTasks(1);
    private final PageManager pages =
            new PageManager(new MemoryObjectStore(), new BufferPool(1 << 20, Duration.ofHours(1)), tasks, "s/");
    private final BLinkTree tree = new BLinkTree(pages, TREE, 0);

    private void fill() {
        List<RecordChange> changes = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            changes.add(put(i).change());
        }
        changes.add(delete(RECORDS).change());
        new TreeWriter(pages, TREE, TreeSettings.DEFAULT.withPageBytes(1024), tasks).apply(changes);
    }

    private static Bytes key(int i) {
        return Bytes.utf8(String.format("%06d", i));
    }

    private static LogRecord put(int i) {
        return new LogRecord(
                TREE, new RecordChange.Put(key(i), Bytes.wrap(new byte[30]), Stamp.of(1, 0, new ClientId(1))));
    }

    private static LogRecord delete(int i) {
        return new LogRecord(TREE, new RecordChange.Delete(key(i), Stamp.of(1, 0, new ClientId(1))));
    }

    @Test
    void onePartitionAsksNoTree() {
        Routing.Router router = Routing.partitioned(1).router(id -> {
            throw new AssertionError("no need to read");
        });
        assertThat(router.route(put(1))).isEqualTo(PuQueueId.partition(TREE, 0));
    }

    @Test
    void partitionsKeepTheRecordsOfALeafTogetherAndShareLeavesOut() {
        fill();
        Routing.Router router = Routing.partitioned(4).router(id -> tree);
        Map<Long, PuQueueId> ofLeaf = new HashMap<>();
        Set<PuQueueId> used = new HashSet<>();
        for (int i = 0; i < RECORDS; i++) {
            PuQueueId queue = router.route(put(i));
            PageIndex.Leaf leaf = tree.leafFor(key(i)).orElseThrow();
            PuQueueId before = ofLeaf.put(leaf.page().image().id().number(), queue);
            assertThat(before == null || before.equals(queue))
                    .as("record %d", i)
                    .isTrue();
            used.add(queue);
        }
        assertThat(used).hasSize(4);
    }

    @Test
    void anEmptyTreeHasAQueueToo() {
        assertThat(Routing.partitioned(4).router(id -> tree).route(put(1)).tree())
                .isEqualTo(TREE);
        assertThat(Routing.perLeaf().router(id -> tree).route(put(1))).isEqualTo(PuQueueId.ofTree(TREE));
    }

    @Test
    void perLeafSendsOnlyUpdatesToLeaves() {
        fill();
        Routing.Router router = Routing.perLeaf().router(id -> tree);
        PageIndex.Leaf leaf = tree.leafFor(key(7)).orElseThrow();
        assertThat(router.route(put(7)))
                .isEqualTo(PuQueueId.ofLeaf(leaf.page().image().id()));
        assertThat(router.route(delete(7))).isEqualTo(PuQueueId.ofTree(TREE));
        assertThat(router.route(put(RECORDS))).as("over a tombstone").isEqualTo(PuQueueId.ofTree(TREE));
        assertThat(router.route(put(RECORDS + 1))).as("new").isEqualTo(PuQueueId.ofTree(TREE));
    }
}
