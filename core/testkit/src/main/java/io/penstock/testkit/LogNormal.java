package io.penstock.testkit;

/**
 * A latency given by a median and a 99th percentile, plus a part for each byte moved.
 *
 * @param medianMillis half of all calls without a body take longer
 * @param p99Millis one in a hundred takes longer
 * @param millisPerMiB added for each MiB of body, scaled by the same draw
 */
public record LogNormal(double medianMillis, double p99Millis, double millisPerMiB) implements Latency {
    /** The 99th percentile of the standard normal distribution. */
    private static final double Z99 = 2.3263478740408408;

    private static final double BYTES_PER_MIB = 1 << 20;
    private static final double NANOS_PER_MILLI = 1e6;

    @Override
    public long nanos(double standardNormal, long bytes, int underWay) {
        if (medianMillis <= 0) {
            return 0;
        }
        double sigma = StrictMath.log(p99Millis / medianMillis) / Z99;
        double factor = StrictMath.exp(sigma * standardNormal);
        return (long) ((medianMillis + millisPerMiB * bytes / BYTES_PER_MIB) * factor * NANOS_PER_MILLI);
    }
}
