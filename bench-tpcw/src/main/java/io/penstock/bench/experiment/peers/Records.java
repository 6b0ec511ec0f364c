package io.penstock.bench.experiment.peers;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * The records that every store is filled with, the keys that are read, and where batches begin: the same in each
 * process. The arrays never change.
 */
final class Records {
    static final int KEY_BYTES = 16;
    static final int PAYLOAD_BYTES = 100;

    /** The number of records of a scan, and of a batch. */
    static final int RUN = 1000;

    /** The number of batches that take turns, so that not all of one lies in a processor's cache. */
    static final int BATCHES = 64;

    private static final long SEED = 20080609;

    private final byte[][] keys;
    private final byte[][] payloads;
    private final int[] draws;
    private final int[] batches;

    Records(int count) {
        SplittableRandom random = new SplittableRandom(SEED);
        keys = new byte[count][KEY_BYTES];
        payloads = new byte[count][PAYLOAD_BYTES];
        draws = new int[count];
        batches = new int[BATCHES];
        for (int i = 0; i < count; i++) {
            random.nextBytes(keys[i]);
            random.nextBytes(payloads[i]);
            draws[i] = random.nextInt(count);
        }
        Arrays.sort(keys, Arrays::compareUnsigned);
        for (int i = 0; i < BATCHES; i++) {
            batches[i] = random.nextInt(count - RUN);
        }
    }

    int count() {
        return keys.length;
    }

    /** The key of a record, by its place in the order of keys. */
    byte[] key(int index) {
        return keys[index].clone();
    }

    byte[] payload(int index) {
        return payloads[index].clone();
    }

    /** Returns the keys to read in a library's own form, in the order of reading: uniformly random, with repeats. */
    <T> T[] drawn(IntFunction<T[]> array, Function<byte[], T> form) {
        return fill(array.apply(count()), i -> form.apply(key(draws[i])));
    }

    /** Returns the keys of each batch. */
    byte[][][] batchKeys() {
        return fill(new byte[BATCHES][][], b -> fill(new byte[RUN][], i -> key(batch(b) + i)));
    }

    /** Returns the payloads that every batch writes, in a library's own form. */
    <T> T[] batchPayloads(IntFunction<T[]> array, Function<byte[], T> form) {
        return fill(array.apply(RUN), i -> form.apply(payload(i)));
    }

    private static <T> T[] fill(T[] array, IntFunction<T> value) {
        Arrays.setAll(array, value);
        return array;
    }

    /** The {@link #digest} of the record drawn as number {@code draw}. */
    int drawnDigest(int draw) {
        return digest(draws[draw]);
    }

    /** The expected sum of a scan from the record drawn as number {@code draw}: first bytes of keys, and digests. */
    int drawnScanDigest(int draw) {
        int sum = 0;
        for (int i = draws[draw]; i < Math.min(draws[draw] + RUN, count()); i++) {
            sum += keys[i][0] + digest(i);
        }
        return sum;
    }

    private int digest(int index) {
        return digest(payloads[index]);
    }

    /** Combines the first, middle and last byte of a payload; see {@link #digest(byte, byte, byte)}. */
    static int digest(byte[] payload) {
        return digest(payload[0], payload[payload.length / 2], payload[payload.length - 1]);
    }

    /** The place of the first record of a batch. */
    int batch(int number) {
        return batches[number];
    }

    /** Combines the first, middle and last byte of a payload, so that it is really read. */
    static int digest(byte first, byte middle, byte last) {
        return (first * 31 + middle) * 31 + last;
    }
}
