package io.penstock.bench.experiment.peers;

import java.util.Iterator;
import java.util.Map;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.ByteArrayDataType;
import org.mapdb.BTreeMap;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.Serializer;

/** An embedded store that is a map of Java. */
abstract class MapPeer implements PeerStore {
    private final Map<byte[], byte[]> map;
    private final byte[][] batchPayloads;
    private final byte[][][] batchKeys;

    /** The keys to read, in the order of reading. */
    protected final byte[][] drawn;

    protected MapPeer(Records records, Map<byte[], byte[]> map) {
        this.map = map;
        drawn = records.drawn(byte[][]::new, key -> key);
        batchKeys = records.batchKeys();
        batchPayloads = records.batchPayloads(byte[][]::new, payload -> payload);
    }

    @Override
    public final int read(int draw) {
        byte[] payload = map.get(drawn[draw]);
        if (payload == null) {
            throw new IllegalStateException("a record is missing");
        }
        return Records.digest(payload);
    }

    @Override
    public final Object apply(int batch) {
        byte[][] keys = batchKeys[batch];
        for (int i = 0; i < Records.RUN; i++) {
            map.put(keys[i], batchPayloads[i]);
        }
        commit();
        return map;
    }

    protected abstract void commit();

    /** MapDB's B-link tree on the heap: nodes are objects, nothing is serialized. Its other stores are slower. */
    static final class MapDb extends MapPeer {
        private final DB db;
        private final BTreeMap<byte[], byte[]> map;

        private MapDb(Records records, DB db, BTreeMap<byte[], byte[]> map) {
            super(records, map);
            this.db = db;
            this.map = map;
        }

        static MapDb fill(Records records) {
            DB db = DBMaker.heapDB().make();
            var sink = db.treeMap("records", Serializer.BYTE_ARRAY, Serializer.BYTE_ARRAY)
                    .createFromSink();
            for (int i = 0; i < records.count(); i++) {
                sink.put(records.key(i), records.payload(i));
            }
            return new MapDb(records, db, sink.create());
        }

        @Override
        public int scan(int draw) {
            Iterator<Map.Entry<byte[], byte[]>> entries = map.entryIterator(drawn[draw], true, null, false);
            int sum = 0;
            for (int i = 0; i < Records.RUN && entries.hasNext(); i++) {
                Map.Entry<byte[], byte[]> entry = entries.next();
                sum += entry.getKey()[0] + Records.digest(entry.getValue());
            }
            return sum;
        }

        @Override
        protected void commit() {
            db.commit();
        }

        @Override
        public void close() {
            db.close();
        }
    }

    /** H2's MVStore without a file: its pages are objects on the heap. */
    static final class MvStore extends MapPeer {
        private final MVStore store;
        private final MVMap<byte[], byte[]> map;

        private MvStore(Records records, MVStore store, MVMap<byte[], byte[]> map) {
            super(records, map);
            this.store = store;
            this.map = map;
        }

        static MvStore fill(Records records) {
            MVStore store = new MVStore.Builder().autoCommitDisabled().open();
            MVMap<byte[], byte[]> map = store.openMap(
                    "records",
                    new MVMap.Builder<byte[], byte[]>()
                            .keyType(ByteArrayDataType.INSTANCE)
                            .valueType(ByteArrayDataType.INSTANCE));
            for (int i = 0; i < records.count(); i++) {
                map.append(records.key(i), records.payload(i));
            }
            store.commit();
            return new MvStore(records, store, map);
        }

        @Override
        public int scan(int draw) {
            Cursor<byte[], byte[]> cursor = map.cursor(drawn[draw]);
            int sum = 0;
            for (int i = 0; i < Records.RUN && cursor.hasNext(); i++) {
                sum += cursor.next()[0] + Records.digest(cursor.getValue());
            }
            return sum;
        }

        @Override
        protected void commit() {
            store.commit();
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
