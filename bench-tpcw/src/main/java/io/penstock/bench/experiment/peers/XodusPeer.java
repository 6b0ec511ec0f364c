package io.penstock.bench.experiment.peers;

import io.penstock.bench.program.TemporaryDirectory;
import jetbrains.exodus.ArrayByteIterable;
import jetbrains.exodus.ByteIterable;
import jetbrains.exodus.ByteIterator;
import jetbrains.exodus.env.Cursor;
import jetbrains.exodus.env.Environment;
import jetbrains.exodus.env.EnvironmentConfig;
import jetbrains.exodus.env.Environments;
import jetbrains.exodus.env.Store;
import jetbrains.exodus.env.StoreConfig;
import jetbrains.exodus.env.Transaction;

/**
 * Xodus with its log in memory and a cache with room for all of it. Its reads take a snapshot first, as those of the
 * others take what is newest: one for each read or scan.
 */
final class XodusPeer implements PeerStore {
    private static final String IN_MEMORY = "jetbrains.exodus.io.MemoryDataReaderWriterProvider";
    private static final long CACHE_BYTES = 1L << 30;

    /** The number of records of one transaction while the store is filled. */
    private static final int LOAD_BATCH = 100_000;

    private final TemporaryDirectory directory = new TemporaryDirectory();
    private final Environment environment;
    private final Store store;
    private final ByteIterable[] drawn;
    private final ByteIterable[][] batchKeys;
    private final ByteIterable[] batchPayloads;

    XodusPeer(Records records) {
        environment = Environments.newInstance(
                directory.path().toFile(),
                new EnvironmentConfig()
                        .setLogDataReaderWriterProvider(IN_MEMORY)
                        .setLogCacheUseSoftReferences(false)
                        .setMemoryUsage(CACHE_BYTES)
                        .setGcEnabled(false));
        store = environment.computeInTransaction(
                transaction -> environment.openStore("records", StoreConfig.WITHOUT_DUPLICATES, transaction));
        for (int from = 0; from < records.count(); from += LOAD_BATCH) {
            int first = from;
            environment.executeInTransaction(transaction -> {
                for (int i = first; i < Math.min(first + LOAD_BATCH, records.count()); i++) {
                    store.putRight(
                            transaction,
                            new ArrayByteIterable(records.key(i)),
                            new ArrayByteIterable(records.payload(i)));
                }
            });
        }
        drawn = records.drawn(ByteIterable[]::new, ArrayByteIterable::new);
        batchKeys = records.batchKeys(ByteIterable[][]::new, ByteIterable[]::new, ArrayByteIterable::new);
        batchPayloads = records.batchPayloads(ByteIterable[]::new, ArrayByteIterable::new);
    }

    @Override
    public int read(int draw) {
        Transaction transaction = environment.beginReadonlyTransaction();
        try {
            ByteIterable payload = store.get(transaction, drawn[draw]);
            if (payload == null) {
                throw new IllegalStateException("a record is missing");
            }
            return digest(payload);
        } finally {
            transaction.abort();
        }
    }

    @Override
    public int scan(int draw) {
        Transaction transaction = environment.beginReadonlyTransaction();
        try (Cursor cursor = store.openCursor(transaction)) {
            int sum = 0;
            boolean more = cursor.getSearchKeyRange(drawn[draw]) != null;
            for (int i = 0; i < Records.RUN && more; i++) {
                sum += cursor.getKey().iterator().next() + digest(cursor.getValue());
                more = cursor.getNext();
            }
            return sum;
        } finally {
            transaction.abort();
        }
    }

    @Override
    public Object apply(int batch) {
        ByteIterable[] keys = batchKeys[batch];
        environment.executeInTransaction(transaction -> {
            for (int i = 0; i < Records.RUN; i++) {
                store.put(transaction, keys[i], batchPayloads[i]);
            }
        });
        return store;
    }

    private static int digest(ByteIterable payload) {
        ByteIterator bytes = payload.iterator();
        byte first = bytes.next();
        bytes.skip(Records.PAYLOAD_BYTES / 2 - 1);
        byte middle = bytes.next();
        bytes.skip(Records.PAYLOAD_BYTES / 2 - 2);
        return Records.digest(first, middle, bytes.next());
    }

    @Override
    public void close() {
        environment.close();
        directory.close();
    }
}
