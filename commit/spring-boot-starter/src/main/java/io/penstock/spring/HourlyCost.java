package io.penstock.spring;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.penstock.core.task.MemoryLock;
import io.penstock.core.task.Recurring;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.Timekeeper;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The dollars that the requests of this process have cost within the last hour, or since its start. The meters count
 * from the beginning, so they are read once a minute. Safe for use by many threads.
 */
final class HourlyCost implements AutoCloseable {
    private static final Duration EVERY = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private final MeterRegistry meters;
    private final Timekeeper clock;
    private final Recurring reading;

    private final MemoryLock lock = new MemoryLock();

    /** Oldest first: the first is an hour old, or the very first. */
    private final Deque<Sample> samples = new ArrayDeque<>();

    private record Sample(long nanos, double dollars) {}

    /**
     * @param dollars of the requests
     * @param over the time in which they were made
     */
    record Cost(double dollars, Duration over) {}

    HourlyCost(MeterRegistry meters, Tasks tasks) {
        this.meters = meters;
        this.clock = tasks;
        this.reading = new Recurring(tasks, "hourly cost", EVERY);
        read();
        reading.start(EVERY, this::read);
    }

    private void read() {
        var unused = now();
    }

    Cost now() {
        Sample now = new Sample(
                clock.nanoTime(),
                meters.find("penstock.cost").functionCounters().stream()
                        .mapToDouble(FunctionCounter::count)
                        .sum());
        Sample first = lock.with(() -> firstOfHour(now));
        return new Cost(now.dollars - first.dollars, Duration.ofNanos(now.nanos - first.nanos));
    }

    private Sample firstOfHour(Sample now) {
        samples.addLast(now);
        Sample first = samples.removeFirst();
        while (!samples.isEmpty() && now.nanos - samples.getFirst().nanos >= HOUR.toNanos()) {
            first = samples.removeFirst();
        }
        samples.addFirst(first);
        return first;
    }

    @Override
    public void close() {
        reading.stop();
    }
}
