package io.penstock.testing;

import io.penstock.core.task.Promise;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Tasks without threads: a forked body runs at once, to its end; time stands still except for {@link #sleep}, {@link
 * #advance} and {@link #stepWall}. So a single-threaded test is a pure function of its seed. A promise that is
 * never completed cannot be awaited.
 */
public final class InlineTasks implements Tasks {
    private final SplittableRandom random;
    private long nanos;
    private long steppedMillis;

    public InlineTasks(long seed) {
        this(seed, 1_700_000_000_000L);
    }

    public InlineTasks(long seed, long startMillis) {
        random = new SplittableRandom(seed);
        nanos = startMillis * 1_000_000;
    }

    public void advance(Duration duration) {
        nanos += duration.toNanos();
    }

    /** Sets the wall clock forward, or back. */
    public void stepWall(Duration step) {
        steppedMillis += step.toMillis();
    }

    @Override
    public long nowMillis() {
        return nanos / 1_000_000 + steppedMillis;
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public void sleep(Duration duration) {
        advance(duration);
    }

    @Override
    public <T> Task<T> fork(String name, Supplier<T> body) {
        InlinePromise<T> promise = new InlinePromise<>();
        try {
            promise.complete(body.get());
        } catch (RuntimeException failure) {
            promise.fail(failure);
        }
        return promise;
    }

    @Override
    public <T> T uninterruptibly(String name, Supplier<T> body) {
        return body.get();
    }

    @Override
    public <T> Promise<T> promise() {
        return new InlinePromise<>();
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    private static final class InlinePromise<T> implements Promise<T>, Task<T> {
        private T value;
        private RuntimeException failure;
        private boolean done;

        @Override
        public boolean complete(T result) {
            boolean first = !done;
            if (first) {
                value = result;
                done = true;
            }
            return first;
        }

        @Override
        public boolean fail(RuntimeException reason) {
            boolean first = !done;
            if (first) {
                failure = reason;
                done = true;
            }
            return first;
        }

        @Override
        public T await() {
            if (!done) {
                throw new IllegalStateException("nobody else can complete this promise");
            }
            if (failure != null) {
                throw failure;
            }
            return value;
        }

        @Override
        public T join() {
            return await();
        }

        @Override
        public boolean awaitFor(Duration atMost) {
            return done;
        }

        @Override
        public boolean isDone() {
            return done;
        }
    }
}
