package io.penstock.bench.program;

import java.util.Collection;

/** Quantiles of what was measured. */
public final class Quantiles {
    private Quantiles() {}

    /** Returns the value below which {@code share} of the values are; no number when there are none. */
    public static double at(Collection<Double> values, double share) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return sorted.length == 0 ? Double.NaN : sorted[(int) (share * (sorted.length - 1))];
    }
}
