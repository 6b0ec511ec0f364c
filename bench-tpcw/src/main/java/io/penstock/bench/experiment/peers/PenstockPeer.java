package io.penstock.bench.experiment.peers;

import io.penstock.ConsistencyLevel;
import io.penstock.Entry;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.Settings;
import io.penstock.bench.program.TemporaryDirectory;
import io.penstock.btree.BLinkTree;
import io.penstock.btree.TreeSettings;
import io.penstock.btree.TreeWriter;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Durability;
import io.penstock.core.PageId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.object.memory.MemoryObjectStore;
import io.penstock.core.page.LeafEntries;
import io.penstock.core.page.LeafRun;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PageManager;
import io.penstock.core.record.ChangeApplier;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import io.penstock.core.record.RecordCursor;
import io.penstock.core.record.RecordManager;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Penstock as its users have it, through {@link RecordCollection}. All pages are pooled, and so young that the object
 * store, here a directory, is not asked about them.
 */
final class PenstockPeer implements PeerStore {
    static final long POOL_BYTES = 1L << 30;
    static final Duration TTL = Duration.ofMinutes(5);

    /** The number of records of one transaction while the store is filled. */
    private static final int LOAD_BATCH = 100_000;

    private final TemporaryDirectory directory = new TemporaryDirectory();
    private final Penstock store;
    private final RecordCollection<Bytes, Bytes> collection;
    private final Bytes[] drawn;

    private final boolean byNext;

    /**
     * @param byNext whether scans are asked for one record after the other, instead of being given an action for each
     */
    PenstockPeer(Records records, boolean byNext) {
        this.byNext = byNext;
        store = Penstock.open(Settings.local(directory.path(), Durability.OS_CACHE)
                .level(ConsistencyLevel.NAIVE)
                .poolBytes(POOL_BYTES)
                .ttl(TTL));
        collection = store.collection("records", Keys.bytes(), PayloadCodec.bytes());
        for (int from = 0; from < records.count(); from += LOAD_BATCH) {
            int first = from;
            store.transact(transaction -> {
                for (int i = first; i < Math.min(first + LOAD_BATCH, records.count()); i++) {
                    transaction.put(collection, Bytes.wrap(records.key(i)), Bytes.wrap(records.payload(i)));
                }
                return true;
            });
        }
        drawn = records.drawn(Bytes[]::new, Bytes::wrap);
    }

    @Override
    public int read(int draw) {
        return digest(collection.get(drawn[draw]).orElseThrow());
    }

    @Override
    public int scan(int draw) {
        try (Scan<Entry<Bytes, Bytes>> scan =
                collection.scan(KeySpan.from(drawn[draw]).limit(Records.RUN))) {
            return byNext ? sumByNext(scan) : sum(scan);
        }
    }

    private static int sumByNext(Scan<Entry<Bytes, Bytes>> scan) {
        int sum = 0;
        while (scan.hasNext()) {
            sum += digest(scan.next());
        }
        return sum;
    }

    private static int sum(Scan<Entry<Bytes, Bytes>> scan) {
        Sum sum = new Sum();
        scan.forEachRemaining(sum);
        return sum.value;
    }

    private static final class Sum implements Consumer<Entry<Bytes, Bytes>> {
        private int value;

        @Override
        public void accept(Entry<Bytes, Bytes> entry) {
            value += digest(entry);
        }
    }

    private static int digest(Entry<Bytes, Bytes> entry) {
        return entry.key().at(0) + digest(entry.value());
    }

    static int digest(Bytes payload) {
        return Records.digest(payload.at(0), payload.at(payload.length() / 2), payload.at(payload.length() - 1));
    }

    @Override
    public void close() {
        store.close();
        directory.close();
    }

    /** The work on one page of 1,000 records, without I/O. */
    static final class PagePeer implements PeerStore {
        private static final long PURGE_NOTHING = 0;

        private final List<PageImage> leaves = new ArrayList<>();
        private final List<List<RecordChange>> batches = new ArrayList<>();
        private final boolean arriving;

        /**
         * @param arriving whether 1,000 stored records arrive, are checked and made searchable; otherwise 1,000 log
         *     records, each newer than its record, are applied at a checkpoint, and the new page is encoded, its
         *     checksum included
         */
        PagePeer(Records records, boolean arriving) {
            this.arriving = arriving;
            Bytes[] payloads = records.batchPayloads(Bytes[]::new, Bytes::wrap);
            for (int b = 0; b < Records.BATCHES; b++) {
                LeafEntries.Builder entries = LeafEntries.builder(null);
                List<RecordChange> changes = new ArrayList<>();
                for (int i = 0; i < Records.RUN; i++) {
                    int at = records.batch(b) + i;
                    Bytes key = Bytes.wrap(records.key(at));
                    entries.put(key, Bytes.wrap(records.payload(at)), before(i));
                    changes.add(new RecordChange.Put(key, payloads[i], Stamp.of(2, 0, new ClientId(2))));
                }
                PageHeader header = PageHeader.of(new PageId(new TreeId(1), b + 1), PageKind.LEAF, 0, 1, 1);
                leaves.add(entries.build().layout(header, 0, Records.RUN).encode());
                batches.add(changes);
            }
        }

        /** The stamp of a stored record: those that arrive differ, as the stamps of users do. */
        private Stamp before(int record) {
            return arriving
                    ? Stamp.of(1_700_000_000_000L + record * 7919L % 3_600_000, 0, new ClientId(1 + record % 5))
                    : Stamp.of(1, 0, new ClientId(1));
        }

        @Override
        public Object apply(int batch) {
            PageImage leaf = leaves.get(batch);
            if (arriving) {
                return PageImage.decode(leaf.bytes(), leaf.id(), "pages/leaf");
            }
            ChangeApplier.Applied applied = ChangeApplier.apply(leaf, batches.get(batch), PURGE_NOTHING);
            if (applied.applied() != Records.RUN) {
                throw new IllegalStateException("not all log records were applied");
            }
            return applied.entries()
                    .layout(leaf.header().next(2, 3), 0, applied.entries().count())
                    .encode();
        }
    }

    /** The lower half of Penstock alone: pooled pages of a tree, without the front door. Objects are in memory. */
    static final class TreePeer implements PeerStore {
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
            BufferPool pool = new BufferPool(PenstockPeer.POOL_BYTES, PenstockPeer.TTL);
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

        /**
         * A tree that takes the work of a checkpoint: from looking up the pages to handing their bytes to the store.
         */
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

        /**
         * Sums a run of records. A method of its own, so that it is compiled well, however much code goes before it.
         */
        private static int sum(LeafRun run, int count) {
            int sum = 0;
            for (int i = 0; i < count; i++) {
                run.next();
                sum += run.key().at(0) + PenstockPeer.digest(run.payload());
            }
            return sum;
        }
    }
}
