package io.penstock.core.task;

import io.penstock.core.UnavailableException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** The tasks of production: virtual threads, the system's clocks, a secure random source. */
public final class ThreadTasks implements Tasks {
    /** Set on threads that this class has started: only it knows them, so they are never interrupted. */
    private static final ThreadLocal<Boolean> OWN = ThreadLocal.withInitial(() -> false);

    private final SecureRandom random = new SecureRandom();

    @Override
    public long nowMillis() {
        return System.currentTimeMillis();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void sleep(Duration duration) {
        if (!duration.isPositive()) {
            return;
        }
        try {
            Thread.sleep(duration);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    @Override
    public <T> Task<T> fork(String name, Supplier<T> body) {
        return forked(name, body);
    }

    private static <T> FutureTask<T> forked(String name, Supplier<T> body) {
        FutureTask<T> task = new FutureTask<>(new CompletableFuture<>());
        Thread.ofVirtual().name(name).start(() -> {
            OWN.set(true);
            try {
                task.future.complete(body.get());
            } catch (Throwable failure) {
                task.future.completeExceptionally(failure);
            }
        });
        return task;
    }

    @Override
    public <T> T shielded(String name, Supplier<T> body) {
        if (OWN.get()) {
            return body.get();
        }
        return joinThrough(forked(name, body).future);
    }

    /** Waits through interrupts, and leaves the thread interrupted if there was one. */
    private static <T> T joinThrough(CompletableFuture<T> future) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            throw unwrap(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public <T> Promise<T> promise() {
        return new FuturePromise<>(new CompletableFuture<>());
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    private static UnavailableException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new UnavailableException("the thread was interrupted while it waited; retry the call", cause);
    }

    private static <T> T join(CompletableFuture<T> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            throw interrupted(e);
        } catch (ExecutionException e) {
            throw unwrap(e);
        }
    }

    private static RuntimeException unwrap(ExecutionException e) {
        Throwable cause = e.getCause();
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException failure ? failure : new CompletionException(cause);
    }

    private record FutureTask<T>(CompletableFuture<T> future) implements Task<T> {
        @Override
        public T join() {
            return ThreadTasks.join(future);
        }

        @Override
        public boolean isDone() {
            return future.isDone();
        }
    }

    private record FuturePromise<T>(CompletableFuture<T> future) implements Promise<T> {
        @Override
        public boolean complete(T value) {
            return future.complete(value);
        }

        @Override
        public boolean fail(RuntimeException failure) {
            return future.completeExceptionally(failure);
        }

        @Override
        public T await() {
            return ThreadTasks.join(future);
        }

        @Override
        public boolean awaitFor(Duration atMost) {
            try {
                future.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
                return true;
            } catch (TimeoutException e) {
                return false;
            } catch (ExecutionException e) {
                return true;
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
        }

        @Override
        public boolean isDone() {
            return future.isDone();
        }
    }
}
