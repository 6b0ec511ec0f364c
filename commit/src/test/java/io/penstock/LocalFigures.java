package io.penstock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/**
 * A program that prints how long a transaction takes in a store in a directory, which flushes each commit: one caller
 * reads a record and puts it. Its argument is the folder; the levels take turns, each on a new store.
 */
final class LocalFigures {
    private static final int ROUNDS = 3;
    private static final int TRANSACTIONS = 1_500;
    private static final long KEYS = 500;

    private LocalFigures() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments.length == 0 ? "." : arguments[0]);
        for (int round = 1; round <= ROUNDS; round++) {
            for (ConsistencyLevel level : ConsistencyLevel.values()) {
                long[] nanos = run(Files.createTempDirectory(folder, "figures"), level);
                Arrays.sort(nanos);
                System.out.printf(
                        Locale.ROOT,
                        "round %d %s: p50 %.3f ms, p95 %.3f ms%n",
                        round,
                        level,
                        nanos[nanos.length / 2] / 1e6,
                        nanos[nanos.length * 95 / 100] / 1e6);
            }
        }
    }

    private static long[] run(Path directory, ConsistencyLevel level) {
        long[] nanos = new long[TRANSACTIONS];
        try (Penstock store = Penstock.open(Settings.local(directory).level(level))) {
            RecordCollection<Long, String> records = store.collection("records", Keys.longs(), Json.of(String.class));
            for (int i = 0; i < nanos.length; i++) {
                long key = i % KEYS;
                long begun = System.nanoTime();
                boolean unused = store.transact(transaction -> {
                    var before = transaction.get(records, key);
                    transaction.put(records, key, "value of " + key + " after " + before.isPresent());
                    return true;
                });
                nanos[i] = System.nanoTime() - begun;
            }
        }
        return nanos;
    }
}
