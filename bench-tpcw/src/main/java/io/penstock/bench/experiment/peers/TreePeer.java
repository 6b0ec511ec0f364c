package io.penstock.bench.experiment.peers;

import io.penstock.bench.program.TemporaryDirectory;
import io.penstock.btree.BLinkTree;
import io.penstock.btree.TreeSettings;
import io.penstock.btree.TreeWriter;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Durability;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.local.LocalCloud;
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

/** The lower half of Penstock alone: pooled pages of a tree, read by the record manager, without the front door. */
final class TreePeer implements PeerStore {
    private final TemporaryDirectory directory = new TemporaryDirectory();
    private final LocalCloud cloud;
    private final RecordManager manager;
    private final Bytes[] drawn;

    TreePeer(Records records) {
        Tasks tasks = new ThreadTasks();
        cloud = LocalCloud.open(directory.path(), tasks, Durability.OS_CACHE);
        BufferPool pool = new BufferPool(new PoolSettings(PenstockPeer.POOL_BYTES, PenstockPeer.TTL));
        PageManager pages = new PageManager(cloud.objects(), pool, tasks, "peers/");
        TreeId tree = new TreeId(1);
        Stamp stamp = Stamp.of(tasks.nowMillis(), 0, new ClientId(1));
        List<RecordChange> changes = new ArrayList<>(records.count());
        for (int i = 0; i < records.count(); i++) {
            changes.add(new RecordChange.Put(Bytes.wrap(records.key(i)), Bytes.wrap(records.payload(i)), stamp));
        }
        new TreeWriter(pages, tree, TreeSettings.DEFAULT, tasks).apply(changes);
        manager = new RecordManager(new BLinkTree(pages, tree, 0), tasks, 1);
        drawn = Forms.drawn(records, Bytes[]::new, Bytes::wrap);
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

    /** By itself, so that it is compiled well, however much code goes before it. */
    private static int sum(LeafRun run, int count) {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            run.next();
            sum += run.key().at(0) + PenstockPeer.digest(run.payload());
        }
        return sum;
    }

    @Override
    public Object apply(int batch) {
        throw new UnsupportedOperationException("measured on the page");
    }

    @Override
    public void close() {
        cloud.close();
        directory.close();
    }
}
