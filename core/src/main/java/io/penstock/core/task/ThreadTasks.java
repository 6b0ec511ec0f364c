package io.penstock.core.task;

import io.penstock.core.ErrorCode;
import io.penstock.core.UnavailableException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The tasks of production: platform threads, the system's clocks, a secure random source.
 *
 * <p>Callers wait for tasks, so tasks are no virtual threads: callers on virtual threads that hold a monitor (before
 * Java 24) or run an initializer keep their carriers while they wait, and may use up all of them.
 */
public final class ThreadTasks implements Tasks {
    /** The time for which a thread without work stays for the next task, in seconds. */
    private static final long IDLE_SECONDS = 10;

    /**
     * The threads, without a bound: tasks wait for tasks that they start. Shared by all stores, since idle threads are.
     */
    private static final Executor THREADS = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), ThreadTasks::thread);

    /** The thread that starts tasks when their time has come; it runs none of them. */
    private static final ScheduledThreadPoolExecutor TIMER = timer();

    /** The pause before a task is started again that found no thread, in seconds. */
    private static final long NO_THREAD_SECONDS = 1;

    /** The mark on threads of this class that are not lent: only it knows them, so they are never interrupted. */
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
        THREADS.execute(named(name, Thread.currentThread().getContextClassLoader(), () -> {
            try {
                task.future.complete(body.get());
            } catch (Throwable failure) {
                task.future.completeExceptionally(failure);
            }
        }));
        return task;
    }

    private static Runnable named(String name, ClassLoader loader, Runnable body) {
        return () -> {
            Thread thread = Thread.currentThread();
            thread.setName("penstock " + name);
            thread.setContextClassLoader(loader);
            try {
                body.run();
            } finally {
                thread.setContextClassLoader(null); // an idle thread keeps no application
            }
        };
    }

    @Override
    public void startAfter(Duration pause, String name, Runnable body) {
        startAfter(pause.toNanos(), named(name, Thread.currentThread().getContextClassLoader(), body));
    }

    private static void startAfter(long nanos, Runnable body) {
        var unused = TIMER.schedule(
                () -> {
                    try {
                        THREADS.execute(body);
                    } catch (OutOfMemoryError full) {
                        startAfter(TimeUnit.SECONDS.toNanos(NO_THREAD_SECONDS), body);
                    }
                },
                nanos,
                TimeUnit.NANOSECONDS);
    }

    private static ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = thread(work);
            thread.setName("penstock timer");
            thread.setContextClassLoader(null);
            return thread;
        });
        timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        return timer;
    }

    private static Thread thread(Runnable work) {
        return Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false)
                .unstarted(() -> {
                    OWN.set(true);
                    work.run();
                });
    }

    @Override
    public <T> T uninterruptibly(String name, Supplier<T> body) {
        if (OWN.get()) {
            return body.get();
        }
        return joinThrough(forked(name, body).future);
    }

    @Override
    public <T> T lent(Supplier<T> body) {
        boolean own = OWN.get();
        OWN.set(false);
        try {
            return body.get();
        } finally {
            OWN.set(own);
        }
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
        return new UnavailableException(
                ErrorCode.INTERRUPTED, "the thread was interrupted while it waited; retry the call", cause);
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
