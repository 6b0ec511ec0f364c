package io.penstock.testing;

import io.penstock.core.task.Promise;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Platform threads, which truly race (the build gives virtual threads one carrier), and clocks that a test can push
 * forward. A task that waits already waits on in real time.
 */
public final class ShiftedTasks implements Tasks {
    private final Tasks real = new ThreadTasks();
    private final AtomicLong shiftNanos = new AtomicLong();

    /** Pushes both clocks forward. */
    public void advance(Duration duration) {
        shiftNanos.addAndGet(duration.toNanos());
    }

    @Override
    public long nowMillis() {
        return real.nowMillis() + shiftNanos.get() / 1_000_000;
    }

    @Override
    public long nanoTime() {
        return real.nanoTime() + shiftNanos.get();
    }

    @Override
    public void sleep(Duration duration) {
        real.sleep(duration);
    }

    @Override
    public <T> Task<T> fork(String name, Supplier<T> body) {
        Promise<T> result = real.promise();
        Thread.ofPlatform().daemon().name(name).start(() -> {
            try {
                result.complete(body.get());
            } catch (RuntimeException failure) {
                result.fail(failure);
            } catch (Error failure) {
                result.fail(new IllegalStateException(failure));
            }
        });
        return new Task<>() {
            @Override
            public T join() {
                return result.await();
            }

            @Override
            public boolean isDone() {
                return result.isDone();
            }
        };
    }

    @Override
    public <T> T uninterruptibly(String name, Supplier<T> body) {
        return real.uninterruptibly(name, body);
    }

    @Override
    public <T> Promise<T> promise() {
        return real.promise();
    }

    @Override
    public RandomGenerator random() {
        return real.random();
    }
}
