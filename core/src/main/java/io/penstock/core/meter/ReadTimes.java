package io.penstock.core.meter;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.penstock.core.task.Timekeeper;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The meters of the reads of one level: the time that they take their callers, and the number that fail. Safe for use
 * by many threads.
 */
public final class ReadTimes {
    private final Timekeeper clock;
    private final Meters get;
    private final Meters getAll;
    private final Meters scan;

    private record Meters(MeterRegistry registry, Tags tags, Timer ended) {
        static Meters of(MeterRegistry registry, String level, String read) {
            Tags tags = Tags.of("level", level, "read", read);
            Meters meters = new Meters(
                    registry,
                    tags,
                    Timer.builder("penstock.read.duration").tags(tags).register(registry));
            // So that the meter is not absent at zero.
            meters.failures(FailureTag.FIRST);
            return meters;
        }

        private Counter failures(Tag code) {
            return Counter.builder("penstock.read.failures")
                    .tags(tags.and(code))
                    .register(registry);
        }

        void failed(RuntimeException failure) {
            failures(FailureTag.of(failure)).increment();
        }
    }

    public ReadTimes(MeterRegistry registry, String level, Timekeeper clock) {
        this.clock = clock;
        this.get = Meters.of(registry, level, "get");
        this.getAll = Meters.of(registry, level, "getAll");
        this.scan = Meters.of(registry, level, "scan");
    }

    /** The read of one record begins, now by the monotonic clock. It is the most frequent: nothing is made for it. */
    public long begin() {
        return clock.nanoTime();
    }

    /** The read of one record has ended. */
    public void got(long begun) {
        get.ended.record(clock.nanoTime() - begun, TimeUnit.NANOSECONDS);
    }

    /** The read of one record has failed. */
    public void getFailed(RuntimeException failure) {
        get.failed(failure);
    }

    /** Makes the read of many records by their keys. */
    public <T> T getAll(Supplier<T> read) {
        return timed(getAll, read);
    }

    /** Fetches the next records of a scan, mostly those of one page. */
    public <T> T scan(Supplier<T> fetch) {
        return timed(scan, fetch);
    }

    private <T> T timed(Meters meters, Supplier<T> read) {
        long start = clock.nanoTime();
        try {
            T result = read.get();
            meters.ended.record(clock.nanoTime() - start, TimeUnit.NANOSECONDS);
            return result;
        } catch (RuntimeException failure) {
            meters.failed(failure);
            throw failure;
        }
    }
}
