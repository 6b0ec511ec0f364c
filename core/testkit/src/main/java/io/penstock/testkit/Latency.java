package io.penstock.testkit;

/**
 * The duration of a call: a log-normal draw given by a median and a 99th percentile, plus a part for each byte moved.
 *
 * @param medianMillis half of all calls without a body take longer
 * @param p99Millis one in a hundred takes longer
 * @param millisPerMiB added for each MiB of body, scaled by the same draw
 */
public record Latency(double medianMillis, double p99Millis, double millisPerMiB) {
    /** The 99th percentile of the standard normal distribution. */
    private static final double Z99 = 2.3263478740408408;

    private static final double BYTES_PER_MIB = 1 << 20;
    private static final double NANOS_PER_MILLI = 1e6;

    public static final Latency NONE = new Latency(0, 0, 0);

    long drawNanos(SeededRandom random, long bytes) {
        return medianMillis <= 0 ? 0 : nanos(random.gaussian(), bytes);
    }

    /** The duration of a call, in nanoseconds: the median for 0, the 99th percentile for 2.33. */
    public long nanos(double standardNormal, long bytes) {
        if (medianMillis <= 0) {
            return 0;
        }
        double sigma = StrictMath.log(p99Millis / medianMillis) / Z99;
        double factor = StrictMath.exp(sigma * standardNormal);
        return (long) ((medianMillis + millisPerMiB * bytes / BYTES_PER_MIB) * factor * NANOS_PER_MILLI);
    }
}
