package io.penstock.testkit;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A latency given by quantiles that were measured for some sizes of bodies and some numbers of calls under way. Between
 * them it is interpolated: by the draw and the size in a straight line, by the number of calls along its logarithm.
 * Below the least and above the largest of them it stays as it is; but a body that is larger than all adds as much for
 * each byte as between the largest two. Immutable.
 */
public final class MeasuredLatency implements Latency {
    /** The shares of calls that take no longer than the quantiles of a table, in its order. */
    public static final List<Double> SHARES =
            List.of(0.01, 0.05, 0.1, 0.25, 0.485, 0.5, 0.515, 0.75, 0.9, 0.95, 0.985, 0.99, 0.995, 0.999);

    /** The quantiles of the standard normal distribution at {@link #SHARES}. */
    private static final double[] NORMAL = {
        -2.3263478740408408,
        -1.6448536269514722,
        -1.2815515655446004,
        -0.6744897501960817,
        -0.037608287661255936,
        0,
        0.037608287661255936,
        0.6744897501960817,
        1.2815515655446004,
        1.6448536269514722,
        2.1700903775845606,
        2.3263478740408408,
        2.5758293035489004,
        3.090232306167813
    };

    private static final double NANOS_PER_MILLI = 1e6;

    private final NavigableMap<Integer, NavigableMap<Long, List<Double>>> table = new TreeMap<>();

    /**
     * @param millis by the number of calls under way, then by the bytes of the body: the quantiles at {@link #SHARES}
     * @throws IllegalArgumentException if there are none, if they are not as many as shares, or if one is negative or
     *     less than the one before
     */
    public MeasuredLatency(Map<Integer, ? extends Map<Long, List<Double>>> millis) {
        millis.forEach((underWay, sizes) -> {
            sizes.values().forEach(MeasuredLatency::check);
            table.put(underWay, new TreeMap<>(sizes));
        });
        if (table.isEmpty() || table.values().stream().anyMatch(Map::isEmpty)) {
            throw new IllegalArgumentException("there are no quantiles");
        }
    }

    private static void check(List<Double> quantiles) {
        double before = 0;
        for (double quantile : quantiles) {
            if (!(quantile >= before && quantile < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("quantiles must rise from 0 or more, and not as in " + quantiles);
            }
            before = quantile;
        }
        if (quantiles.size() != SHARES.size()) {
            throw new IllegalArgumentException("there must be " + SHARES.size() + " quantiles, one for each of "
                    + SHARES + ", and not as in " + quantiles);
        }
    }

    @Override
    public long nanos(double standardNormal, long bytes, int underWay) {
        int above = 0;
        while (above < NORMAL.length && NORMAL[above] < standardNormal) {
            above++;
        }
        int high = Math.min(above, NORMAL.length - 1);
        int low = Math.max(above - 1, 0);
        double part = low == high ? 0 : (standardNormal - NORMAL[low]) / (NORMAL[high] - NORMAL[low]);
        Map.Entry<Integer, NavigableMap<Long, List<Double>>> few = table.floorEntry(underWay);
        Map.Entry<Integer, NavigableMap<Long, List<Double>>> many = table.ceilingEntry(underWay);
        few = few == null ? table.firstEntry() : few;
        many = many == null ? table.lastEntry() : many;
        double of = of(few.getValue(), bytes, low, high, part);
        if (many.getKey() > few.getKey()) {
            double share = StrictMath.log((double) underWay / few.getKey())
                    / StrictMath.log((double) many.getKey() / few.getKey());
            of += share * (of(many.getValue(), bytes, low, high, part) - of);
        }
        return (long) (of * NANOS_PER_MILLI);
    }

    private static double of(NavigableMap<Long, List<Double>> sizes, long bytes, int low, int high, double part) {
        Map.Entry<Long, List<Double>> larger = sizes.ceilingEntry(bytes);
        larger = larger == null ? sizes.lastEntry() : larger;
        Map.Entry<Long, List<Double>> smaller = sizes.lowerEntry(larger.getKey());
        double most = between(larger.getValue(), low, high, part);
        if (smaller == null) {
            return most;
        }
        double least = between(smaller.getValue(), low, high, part);
        double share = (double) (bytes - smaller.getKey()) / (larger.getKey() - smaller.getKey());
        return Math.max(least + share * (most - least), Math.min(least, most));
    }

    private static double between(List<Double> quantiles, int low, int high, double part) {
        return quantiles.get(low) + part * (quantiles.get(high) - quantiles.get(low));
    }
}
