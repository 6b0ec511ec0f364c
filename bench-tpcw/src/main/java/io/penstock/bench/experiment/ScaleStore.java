package io.penstock.bench.experiment;

import io.penstock.ConsistencyLevel;
import io.penstock.Entry;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.bench.program.Benchmark.FailedException;
import io.penstock.bench.program.Progress;
import io.penstock.bench.program.Rows;
import io.penstock.bench.tpcw.bookstore.Draws;
import io.penstock.core.Bytes;
import io.penstock.report.CheckpointReport;
import io.penstock.report.CompactionReport;
import io.penstock.report.StoreStats;
import io.penstock.report.VerifyReport;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/**
 * An open store with two collections: one that is loaded, then updated, and one that records are inserted into. Knows
 * what must be in them, and compares. For one thread.
 */
final class ScaleStore implements AutoCloseable {
    private static final long READ_SEED = 1;
    private static final long UPDATE_SEED = 2;

    /** The number of queues: as many as one checkpoint of the store works on at a time. */
    private static final int QUEUES = 8;

    /** The number of records of one transaction. */
    private static final int TRANSACTION = 100;

    private final Penstock store;
    private final long records;
    private final Progress progress;
    private final RecordCollection<Bytes, Bytes> loaded;
    private final RecordCollection<Bytes, Bytes> inserted;

    /** The numbers of the records that have their second payload. */
    private final BitSet updated = new BitSet();

    ScaleStore(Penstock store, long records, Progress progress) {
        this.store = store;
        this.records = records;
        this.progress = progress;
        this.loaded = store.collection("loaded", Keys.bytes(), PayloadCodec.bytes());
        this.inserted = store.collection("inserted", Keys.bytes(), PayloadCodec.bytes());
    }

    /** Fails for unexpected data: the store is broken, or this program. */
    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new FailedException(what);
        }
    }

    /** Loads all records, in an order unrelated to that of their keys. */
    long load() {
        progress.begin("loading", records);
        Iterator<Entry<Bytes, Bytes>> unsorted = LongStream.range(0, records)
                .mapToObj(number -> new Entry<>(ScaleRecords.key(number), ScaleRecords.payload(number, 0)))
                .iterator();
        long read = loaded.load(unsorted, advancing());
        require(read == records, "a load read " + read + " records of " + records);
        return read;
    }

    /** Takes sums, and passes on differences. */
    private LongConsumer advancing() {
        long[] told = {0};
        return done -> {
            progress.advance(done - told[0]);
            told[0] = done;
        };
    }

    /** Verifies the store; returns the expected number of records. */
    long check(long expected) {
        requireSound("checking");
        return expected;
    }

    /** Verifies the store; returns the number of its pages. */
    long verify() {
        return requireSound("verifying").pages();
    }

    private VerifyReport requireSound(String title) {
        progress.begin(title, 1);
        VerifyReport report = store.admin().verify();
        require(report.violations().isEmpty(), "the store is not sound: " + report.violations());
        return report;
    }

    /** Returns the columns of {@link #trees}; pages that are not full are smaller objects. */
    static Rows treeRows() {
        return new Rows()
                .column("tree", "tree", "%s")
                .column("records", "records", "%,d")
                .column("height", "height", "%,d")
                .column("pages", "pages", "%,d")
                .column("bytes", "page bytes", "%,d")
                .column("rawBytes", "raw bytes", "%,d")
                .column("overheadPercent", "overhead %", "%,.1f")
                .column("leafFill", "leaf fill", "%.2f");
    }

    /** Adds the sizes of the two collections, if they have records. Reads every page, and lists every object. */
    long trees(Rows rows) {
        progress.begin("counting", 1);
        List<StoreStats.Tree> found = store.admin().inspect().stats().trees().stream()
                .filter(tree -> tree.records() > 0
                        && tree.index().isEmpty()
                        && List.of(loaded.name(), inserted.name()).contains(tree.collection()))
                .toList();
        for (StoreStats.Tree tree : found) {
            long raw = tree.records() * (ScaleRecords.KEY_BYTES + ScaleRecords.PAYLOAD_BYTES);
            rows.add(
                    nameOf(tree.collection()),
                    tree.records(),
                    tree.height(),
                    tree.pages(),
                    tree.bytes(),
                    raw,
                    Rows.rounded(100.0 * (tree.bytes() - raw) / Math.max(1, raw), 10),
                    Rows.rounded(tree.leafFill(), 100));
        }
        return found.stream().mapToLong(StoreStats.Tree::records).sum();
    }

    private String nameOf(String collection) {
        return collection.equals(loaded.name()) && !updated.isEmpty() ? collection + ", then updated" : collection;
    }

    /** Scans every loaded record once, in the order of keys, and compares its payload. */
    long scan() {
        progress.begin("scanning", records);
        BitSet met = new BitSet();
        Bytes last = Bytes.EMPTY;
        try (Scan<Entry<Bytes, Bytes>> scan = loaded.scan(KeySpan.all())) {
            while (scan.hasNext()) {
                Entry<Bytes, Bytes> entry = scan.next();
                long number = ScaleRecords.number(entry.key());
                require(number >= 0 && number < records, "a scan met a record that was never written");
                require(entry.key().compareTo(last) > 0, "a scan met records out of order, or twice");
                require(entry.value().equals(current(number)), "a scan met a record with another's payload");
                last = entry.key();
                met.set((int) number);
                progress.advance(1);
            }
        }
        require(met.cardinality() == records, "a scan met " + met.cardinality() + " records of " + records);
        return records;
    }

    private Bytes current(long number) {
        return ScaleRecords.payload(number, updated.get((int) number) ? 1 : 0);
    }

    /** Reads records that are drawn uniformly, one at a time. */
    long read(long reads) {
        return read(new SplittableRandom(READ_SEED).longs(reads, 0, records), reads, "reading");
    }

    /** Reads the records that {@link #update} has written, in the same order. */
    long readUpdated(long writes) {
        return read(updates(writes), writes, "reading what was updated");
    }

    private long read(LongStream numbers, long reads, String title) {
        progress.begin(title, reads);
        numbers.forEach(number -> {
            Bytes found = loaded.get(ScaleRecords.key(number)).orElse(Bytes.EMPTY);
            require(found.equals(current(number)), "a read found no record, or an old one, or another");
            progress.advance(1);
        });
        return reads;
    }

    private LongStream updates(long writes) {
        return new SplittableRandom(UPDATE_SEED).longs(writes, 0, records);
    }

    /** Gives records that are drawn uniformly their second payload. */
    long update(long writes) {
        progress.begin("updating", writes);
        long[] numbers = updates(writes).toArray();
        commit(ConsistencyLevel.ATOMIC, loaded, numbers, 1);
        LongStream.of(numbers).forEach(number -> updated.set((int) number));
        return writes;
    }

    /** Inserts records from number {@code first} to {@code end}, whose keys are in no order. */
    long insert(long first, long end) {
        progress.begin("inserting", end - first);
        commit(ConsistencyLevel.ATOMIC, inserted, LongStream.range(first, end).toArray(), 0);
        return end - first;
    }

    private void commit(
            ConsistencyLevel level, RecordCollection<Bytes, Bytes> collection, long[] numbers, int version) {
        for (int from = 0; from < numbers.length; from += TRANSACTION) {
            int begin = from;
            int end = Math.min(numbers.length, from + TRANSACTION);
            store.transact(level, transaction -> {
                for (int i = begin; i < end; i++) {
                    transaction.put(
                            collection, ScaleRecords.key(numbers[i]), ScaleRecords.payload(numbers[i], version));
                }
                return true;
            });
            progress.advance(end - begin);
        }
    }

    /** Applies committed log records, batch by batch; returns their number. */
    long checkpoint() {
        progress.begin("applying", 1);
        long applied = 0;
        do {
            CheckpointReport report = store.admin().checkpoint();
            require(report.records() > 0 && report.quarantined() == 0, "a checkpoint applied nothing: " + report);
            applied += report.records();
        } while (store.admin().backlog().total() > 0);
        return applied;
    }

    /** Commits {@code each} records to each of several collections at BASIC; returns their number. */
    long fillQueues(int each) {
        progress.begin("filling queues", (long) QUEUES * each);
        for (int queue = 0; queue < QUEUES; queue++) {
            var collection = store.collection("queue-" + queue, Keys.bytes(), PayloadCodec.bytes());
            commit(ConsistencyLevel.BASIC, collection, LongStream.range(0, each).toArray(), 0);
        }
        return (long) QUEUES * each;
    }

    /** Builds an index of few of the loaded records; returns the number of records. */
    long buildIndex() {
        progress.begin("building an index", 1);
        // A handle of its own: an index is declared before the first use.
        RecordCollection<Bytes, Bytes> indexed = store.collection(loaded.name(), Keys.bytes(), PayloadCodec.bytes());
        var index = indexed.index("few", Keys.bytes(), payload -> payload.at(0) == 0 ? payload.slice(0, 8) : null);
        long[] built = {0};
        indexed.build(now -> built[0] = now.records());
        require(store.admin().check(index).missing() == 0, "an index that was built lacks entries");
        return built[0];
    }

    /** Returns the number of objects that were looked at. */
    long collectGarbage() {
        progress.begin("collecting garbage", 1);
        return store.admin().removeGarbage(Duration.ZERO).objects();
    }

    /** Returns the number of leaves that were written or merged. */
    long compact() {
        progress.begin("compacting", 1);
        CompactionReport report = store.admin().compact();
        return report.rewritten() + report.joined();
    }

    @Override
    public void close() {
        store.close();
    }

    /**
     * Records computed from their numbers. Keys in the order of numbers are unsorted. A key contains its number, so a
     * scan can check that it met every record once. Pure.
     */
    static final class ScaleRecords {
        static final int KEY_BYTES = 16;
        static final int PAYLOAD_BYTES = 100;

        /** Apart from the numbers that keys are made of, whatever the version. */
        private static final long PAYLOAD_SEED = 0x5ca1ab1e00000000L;

        private ScaleRecords() {}

        /** A mixture of the number's bits, which sorts it among the others, then the number. */
        static Bytes key(long number) {
            return Bytes.wrap(ByteBuffer.allocate(KEY_BYTES)
                    .putLong(Draws.mix(number))
                    .putLong(number)
                    .array());
        }

        /** @param version of the record: another one, another payload */
        static Bytes payload(long number, int version) {
            ByteBuffer payload = ByteBuffer.allocate(PAYLOAD_BYTES);
            long state = Draws.mix(number) + PAYLOAD_SEED + version;
            while (payload.remaining() >= Long.BYTES) {
                state = Draws.mix(state);
                payload.putLong(state);
            }
            return Bytes.wrap(payload.putInt((int) state).array());
        }

        /** The number of the record with this key; -1 when none has it. */
        static long number(Bytes key) {
            if (key.length() != KEY_BYTES) {
                return -1;
            }
            ByteBuffer bytes = ByteBuffer.wrap(key.array(), key.offset(), key.length());
            long mixed = bytes.getLong();
            long number = bytes.getLong();
            return mixed == Draws.mix(number) ? number : -1;
        }
    }
}
