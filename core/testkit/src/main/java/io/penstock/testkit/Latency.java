package io.penstock.testkit;

/** The duration of a call, as a function of a random draw. */
public sealed interface Latency permits LogNormal, MeasuredLatency {
    /** No duration. */
    Latency NONE = new LogNormal(0, 0, 0);

    /**
     * Returns the duration of a call in nanoseconds.
     *
     * @param standardNormal the draw: the median for 0, the 99th percentile for 2.33
     * @param bytes of its body
     * @param underWay calls of the same machine that are under way, with this one
     */
    long nanos(double standardNormal, long bytes, int underWay);
}
