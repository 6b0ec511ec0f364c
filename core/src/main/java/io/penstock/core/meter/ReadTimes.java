package io.penstock.core.meter;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.penstock.core.task.Timekeeper;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** How long the reads of one level take their callers, failed ones too. Safe for use by many threads. */
public final class ReadTimes {
    private final Timekeeper clock;
    private final Timer get;
    private final Timer getAll;
    private final Timer scan;

    public ReadTimes(MeterRegistry registry, String level, Timekeeper clock) {
        this.clock = clock;
        this.get = timer(registry, level, "get");
        this.getAll = timer(registry, level, "getAll");
        this.scan = timer(registry, level, "scan");
    }

    private static Timer timer(MeterRegistry registry, String level, String read) {
        return registry.timer("penstock.read.duration", "level", level, "read", read);
    }

    /** Makes the read of one record. */
    public <T> T get(Supplier<T> read) {
        return timed(get, read);
    }

    /** Makes the read of many records by their keys. */
    public <T> T getAll(Supplier<T> read) {
        return timed(getAll, read);
    }

    /** Fetches the next records of a scan, mostly those of one page. */
    public <T> T scan(Supplier<T> fetch) {
        return timed(scan, fetch);
    }

    private <T> T timed(Timer timer, Supplier<T> read) {
        long start = clock.nanoTime();
        try {
            return read.get();
        } finally {
            timer.record(clock.nanoTime() - start, TimeUnit.NANOSECONDS);
        }
    }
}
