package io.penstock.testing;

import io.penstock.core.task.Promise;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Virtual time for one thread: a sleep is recorded and over at once, and every reading of the clock takes a while. */
public final class RecordedTasks implements Tasks {
    private final Random random = new Random(1);
    private final List<Duration> sleeps = new ArrayList<>();
    private final long tickNanos;
    private long nanos;

    /** @param tick how far the clock moves with each reading */
    public RecordedTasks(Duration tick) {
        this.tickNanos = tick.toNanos();
    }

    public List<Duration> sleeps() {
        return sleeps;
    }

    @Override
    public long nowMillis() {
        return nanoTime() / 1_000_000;
    }

    @Override
    public long nanoTime() {
        nanos += tickNanos;
        return nanos;
    }

    @Override
    public void sleep(Duration duration) {
        sleeps.add(duration);
        nanos += duration.toNanos();
    }

    @Override
    public <T> Task<T> fork(String name, Supplier<T> body) {
        throw new UnsupportedOperationException("no threads here");
    }

    @Override
    public <T> T uninterruptibly(String name, Supplier<T> body) {
        return body.get();
    }

    @Override
    public <T> Promise<T> promise() {
        throw new UnsupportedOperationException("no threads here");
    }

    @Override
    public RandomGenerator random() {
        return random;
    }
}
