package io.penstock.bench.program;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** A skewed choice among things, as YCSB's: the n-th most wanted has a chance of 1/n^0.99. Immutable. */
public final class Zipf {
    private static final double SKEW = 0.99;

    private final double[] cumulated;

    public Zipf(int things) {
        cumulated = new double[things];
        double sum = 0;
        for (int i = 0; i < things; i++) {
            sum += Math.pow(i + 1, -SKEW);
            cumulated[i] = sum;
        }
    }

    /** Returns the number of a thing, from 0, the most wanted. */
    public int draw(RandomGenerator random) {
        int found = Arrays.binarySearch(cumulated, random.nextDouble() * cumulated[cumulated.length - 1]);
        return found < 0 ? -found - 1 : found;
    }
}
