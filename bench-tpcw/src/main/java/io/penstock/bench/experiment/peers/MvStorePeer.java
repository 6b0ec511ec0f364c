package io.penstock.bench.experiment.peers;

import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.ByteArrayDataType;

/** H2's MVStore without a file: its pages are objects on the heap. */
final class MvStorePeer implements PeerStore {
    private final MVStore store = new MVStore.Builder().autoCommitDisabled().open();
    private final MVMap<byte[], byte[]> map;
    private final byte[][] drawn;
    private final byte[][][] batchKeys;
    private final byte[][] batchPayloads;

    MvStorePeer(Records records) {
        map = store.openMap(
                "records",
                new MVMap.Builder<byte[], byte[]>()
                        .keyType(ByteArrayDataType.INSTANCE)
                        .valueType(ByteArrayDataType.INSTANCE));
        for (int i = 0; i < records.count(); i++) {
            map.append(records.key(i), records.payload(i));
        }
        store.commit();
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
        Cursor<byte[], byte[]> cursor = map.cursor(drawn[draw]);
        int sum = 0;
        for (int i = 0; i < Records.RUN && cursor.hasNext(); i++) {
            sum += cursor.next()[0] + Records.digest(cursor.getValue());
        }
        return sum;
    }

    @Override
    public Object apply(int batch) {
        byte[][] keys = batchKeys[batch];
        for (int i = 0; i < Records.RUN; i++) {
            map.put(keys[i], batchPayloads[i]);
        }
        return store.commit();
    }

    @Override
    public void close() {
        store.close();
    }
}
