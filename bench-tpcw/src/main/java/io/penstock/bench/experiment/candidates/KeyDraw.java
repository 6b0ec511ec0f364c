package io.penstock.bench.experiment.candidates;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** A distribution of keys among the threads of all clients. */
enum KeyDraw {
    /** Each thread writes a key of its own. */
    DISJOINT {
        @Override
        int next(int thread, RandomGenerator random) {
            return thread;
        }
    },
    /** All write 10,000 keys with the skew of YCSB: the n-th most wanted is drawn with a chance of 1/n^0.99. */
    ZIPF {
        @Override
        int next(int thread, RandomGenerator random) {
            int found = Arrays.binarySearch(CUMULATED, random.nextDouble() * CUMULATED[KEYS - 1]);
            return found < 0 ? -found - 1 : found;
        }
    };

    private static final int KEYS = 10_000;
    private static final double SKEW = 0.99;
    private static final double[] CUMULATED = new double[KEYS];

    static {
        double sum = 0;
        for (int i = 0; i < KEYS; i++) {
            sum += Math.pow(i + 1, -SKEW);
            CUMULATED[i] = sum;
        }
    }

    abstract int next(int thread, RandomGenerator random);
}
