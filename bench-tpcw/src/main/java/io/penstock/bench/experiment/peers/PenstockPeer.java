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
import io.penstock.core.Bytes;
import io.penstock.core.Durability;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Penstock as its users have it, through {@link RecordCollection}. All pages are pooled, and so young that the object
 * store, here a directory, is not asked about them.
 */
final class PenstockPeer implements PeerStore {
    static final long POOL_BYTES = 1L << 30;
    static final Duration TTL = Duration.ofMinutes(5);

    /** Records of one transaction while the store is filled. */
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
}
