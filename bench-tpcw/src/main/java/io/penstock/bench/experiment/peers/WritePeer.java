package io.penstock.bench.experiment.peers;

import io.penstock.btree.TreeSettings;
import io.penstock.btree.TreeWriter;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PageManager;
import io.penstock.core.pool.PoolSettings;
import io.penstock.core.record.RecordChange;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.util.ArrayList;
import java.util.List;

/**
 * The work of a checkpoint on a tree: 1,000 log records, ten for each page of 64 KiB, from looking up the pages to
 * handing their bytes to an object store in memory.
 */
final class WritePeer implements PeerStore {
    /** Records of the tree for each one that is written. */
    private static final int STRIDE = 50;

    private final TreeWriter writer;
    private final Records records;
    private final int span;
    private long writes;

    WritePeer(Records records) {
        this.records = records;
        this.span = Math.min(records.count(), Records.RUN * STRIDE);
        Tasks tasks = new ThreadTasks();
        BufferPool pool = new BufferPool(new PoolSettings(PenstockPeer.POOL_BYTES, PenstockPeer.TTL));
        PageManager pages = new PageManager(new HeapObjects(), pool, tasks, "peers/");
        writer = new TreeWriter(pages, new TreeId(1), TreeSettings.DEFAULT, tasks);
        writer.apply(changes(0, 1));
    }

    /** Newer versions of every {@code stride}th record. */
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
        throw new UnsupportedOperationException("it only writes");
    }

    @Override
    public int scan(int draw) {
        throw new UnsupportedOperationException("it only writes");
    }

    @Override
    public void close() {}
}
