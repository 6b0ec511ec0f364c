package io.penstock.core.task;

import java.util.ArrayDeque;
import java.util.function.Supplier;

/**
 * A counting semaphore over {@link Tasks}, first come, first served: the one way to exclude others across I/O. With one
 * permit it is a mutex; it is not reentrant. Safe for use by many threads.
 */
public final class Permits {
    private final Tasks tasks;
    private final MemoryLock lock = new MemoryLock();
    private final ArrayDeque<Promise<Boolean>> waiting = new ArrayDeque<>();
    private int free;

    public Permits(Tasks tasks, int permits) {
        this.tasks = tasks;
        this.free = permits;
    }

    /** Runs {@code body} while holding one permit. */
    public <T> T with(Supplier<T> body) {
        acquire();
        try {
            return body.get();
        } finally {
            release();
        }
    }

    /** Runs {@code body} while holding one permit. */
    public void run(Runnable body) {
        with(() -> {
            body.run();
            return true;
        });
    }

    /** Takes a permit if one is free now. */
    public boolean tryAcquire() {
        return lock.with(() -> {
            if (free == 0) {
                return false;
            }
            free--;
            return true;
        });
    }

    /** Takes a permit, waiting for its turn. */
    public void acquire() {
        Promise<Boolean> turn;
        lock.lock();
        try {
            if (free > 0) {
                free--;
                return;
            }
            turn = tasks.promise();
            waiting.add(turn);
        } finally {
            lock.unlock();
        }
        try {
            turn.await();
        } catch (RuntimeException interrupted) {
            giveUp(turn);
            throw interrupted;
        }
    }

    /** Leaves the line; if it was handed a permit meanwhile, passes it on. */
    private void giveUp(Promise<Boolean> turn) {
        boolean handedOver = lock.with(() -> !waiting.remove(turn));
        if (handedOver) {
            release();
        }
    }

    /** Gives a permit back, to the longest waiter if there is one. */
    public void release() {
        Promise<Boolean> next = lock.with(() -> {
            free += waiting.isEmpty() ? 1 : 0;
            return waiting.poll();
        });
        if (next != null) {
            next.complete(true);
        }
    }
}
