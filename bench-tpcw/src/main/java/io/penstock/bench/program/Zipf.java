package io.penstock.bench.program;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** A skewed choice among things by Zipf's law: the n-th most wanted has a chance of 1/n^exponent. Immutable. */
public final class Zipf {
    private static final double EXPONENT_OF_YCSB = 0.99;

    private final double[] cumulated;

    /** The choice of YCSB. */
    public Zipf(int things) {
        this(things, EXPONENT_OF_YCSB);
    }

    public Zipf(int things, double exponent) {
        cumulated = new double[things];
        double sum = 0;
        for (int i = 0; i < things; i++) {
            sum += 1 / StrictMath.pow(i + 1, exponent);
            cumulated[i] = sum;
        }
    }

    /** Returns the number of a thing, from 0, the most wanted. */
    public int draw(RandomGenerator random) {
        return at(random.nextDouble());
    }

    /** @param draw uniform from 0 to 1 */
    public int at(double draw) {
        int found = Arrays.binarySearch(cumulated, draw * cumulated[cumulated.length - 1]);
        return found < 0 ? -found - 1 : found;
    }
}
