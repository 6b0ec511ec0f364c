package io.penstock.bench.experiment.peers;

import io.penstock.btree.BLinkTree;
import io.penstock.btree.TreeSettings;
import io.penstock.btree.TreeWriter;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.object.memory.MemoryObjectStore;
import io.penstock.core.page.LeafRun;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PageManager;
import io.penstock.core.pool.PoolSettings;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import io.penstock.core.record.RecordCursor;
import io.penstock.core.record.RecordManager;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.util.ArrayList;
import java.util.List;

/** The lower half of Penstock alone: pooled pages of a tree, without the front door. Objects are in memory. */
final class TreePeer implements PeerStore {
    /** The number of records of the tree for each one that is written: ten of these are on each page of 64 KiB. */
    private static final int STRIDE = 50;

    private final TreeWriter writer;
    private final RecordManager manager;
    private final Records records;
    private final Bytes[] drawn;
    private final int span;
    private long writes;

    private TreePeer(Records records, int span) {
        this.records = records;
        this.span = span;
        Tasks tasks = new ThreadTasks();
        BufferPool pool = new BufferPool(new PoolSettings(PenstockPeer.POOL_BYTES, PenstockPeer.TTL));
        PageManager pages = new PageManager(new MemoryObjectStore(tasks), pool, tasks, "peers/");
        TreeId tree = new TreeId(1);
        writer = new TreeWriter(pages, tree, TreeSettings.DEFAULT, tasks);
        writer.apply(changes(0, 1));
        manager = new RecordManager(new BLinkTree(pages, tree, 0), tasks, 1);
        drawn = records.drawn(Bytes[]::new, Bytes::wrap);
    }

    /** A tree of all records, which the record manager reads. */
    static TreePeer read(Records records) {
        return new TreePeer(records, records.count());
    }

    /** A tree that takes the work of a checkpoint: from looking up the pages to handing their bytes to the store. */
    static TreePeer written(Records records) {
        return new TreePeer(records, Math.min(records.count(), Records.RUN * STRIDE));
    }

    /** Returns newer versions of every {@code stride}th record. */
    private List<RecordChange> changes(int first, int stride) {
        Stamp stamp = Stamp.of(1_700_000_000_000L + writes++, 0, new ClientId(1));
        List<RecordChange> changes = new ArrayList<>();
        for (int i = first; i < span; i += stride) {
            changes.add(new RecordChange.Put(Bytes.wrap(records.key(i)), Bytes.wrap(records.payload(i)), stamp));
        }
        return changes;
    }

    @Override
    public Object apply(int batch) {
        return writer.apply(changes(batch % STRIDE, STRIDE));
    }

    @Override
    public int read(int draw) {
        return PenstockPeer.digest(manager.find(drawn[draw]).orElseThrow().livePayload());
    }

    @Override
    public int scan(int draw) {
        int sum = 0;
        int left = Records.RUN;
        try (RecordCursor cursor = manager.cursor(KeyRange.atLeast(drawn[draw]), Direction.ASCENDING, 0)) {
            while (left > 0) {
                LeafRun run = cursor.advanceRun();
                if (run == null) {
                    return sum;
                }
                int count = Math.min(left, run.left());
                left -= count;
                sum += sum(run, count);
            }
        }
        return sum;
    }

    /** Sums a run of records. A method of its own, so that it is compiled well, however much code goes before it. */
    private static int sum(LeafRun run, int count) {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            run.next();
            sum += run.key().at(0) + PenstockPeer.digest(run.payload());
        }
        return sum;
    }
}
