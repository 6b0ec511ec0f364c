package io.penstock.bench.experiment.peers;

import java.util.Iterator;
import java.util.Map;
import org.mapdb.BTreeMap;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.Serializer;

/** MapDB's B-link tree on the heap: nodes are objects, nothing is serialized. Its other stores in memory are slower. */
final class MapDbPeer implements PeerStore {
    private final DB db = DBMaker.heapDB().make();
    private final BTreeMap<byte[], byte[]> map;
    private final byte[][] drawn;
    private final byte[][][] batchKeys;
    private final byte[][] batchPayloads;

    MapDbPeer(Records records) {
        var sink = db.treeMap("records", Serializer.BYTE_ARRAY, Serializer.BYTE_ARRAY)
                .createFromSink();
        for (int i = 0; i < records.count(); i++) {
            sink.put(records.key(i), records.payload(i));
        }
        map = sink.create();
        drawn = Forms.drawn(records, byte[][]::new, key -> key);
        batchKeys = Forms.batchKeys(records, byte[][][]::new, byte[][]::new, key -> key);
        batchPayloads = Forms.batchPayloads(records, byte[][]::new, payload -> payload);
    }

    @Override
    public int read(int draw) {
        byte[] payload = map.get(drawn[draw]);
        if (payload == null) {
            throw new IllegalStateException("a record is missing");
        }
        return Records.digest(payload);
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
    public Object apply(int batch) {
        byte[][] keys = batchKeys[batch];
        for (int i = 0; i < Records.RUN; i++) {
            map.put(keys[i], batchPayloads[i]);
        }
        db.commit();
        return map;
    }

    @Override
    public void close() {
        db.close();
    }
}
