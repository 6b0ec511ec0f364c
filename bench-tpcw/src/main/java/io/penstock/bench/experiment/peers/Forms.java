package io.penstock.bench.experiment.peers;

import java.util.function.Function;
import java.util.function.IntFunction;

/** Keys and payloads in a library's own form. */
final class Forms {
    private Forms() {}

    /** The keys to read, in the order of reading. */
    static <T> T[] drawn(Records records, IntFunction<T[]> array, Function<byte[], T> form) {
        T[] drawn = array.apply(records.count());
        for (int i = 0; i < drawn.length; i++) {
            drawn[i] = form.apply(records.drawn(i));
        }
        return drawn;
    }

    /** The keys of one batch. */
    static <T> T[][] batchKeys(
            Records records, IntFunction<T[][]> batches, IntFunction<T[]> array, Function<byte[], T> form) {
        T[][] keys = batches.apply(Records.BATCHES);
        for (int b = 0; b < keys.length; b++) {
            keys[b] = array.apply(Records.RUN);
            for (int i = 0; i < Records.RUN; i++) {
                keys[b][i] = form.apply(records.key(records.batch(b) + i));
            }
        }
        return keys;
    }

    /** The payloads of all batches. */
    static <T> T[] batchPayloads(Records records, IntFunction<T[]> array, Function<byte[], T> form) {
        T[] payloads = array.apply(Records.RUN);
        for (int i = 0; i < payloads.length; i++) {
            payloads[i] = form.apply(records.payload(i));
        }
        return payloads;
    }
}
