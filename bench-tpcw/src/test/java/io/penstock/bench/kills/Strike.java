package io.penstock.bench.kills;

import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/** An interrupt of the thread that makes it, which comes before {@link #end} or not at all. */
final class Strike {
    private final Thread victim = Thread.currentThread();

    /** Guards the fields that follow. */
    private final ReentrantLock lock = new ReentrantLock();

    private boolean over;
    private boolean struck;

    /** Waits, and strikes if it is not over. Returns whether it has. */
    boolean after(Tasks tasks, Duration pause) {
        tasks.sleep(pause);
        lock.lock();
        try {
            if (!over) {
                victim.interrupt();
                struck = true;
            }
            return struck;
        } finally {
            lock.unlock();
        }
    }

    /** Ends it, for the victim alone; clears an interrupt. Returns whether there was one. */
    boolean end() {
        lock.lock();
        try {
            over = true;
            if (struck) {
                Thread.interrupted();
            }
            return struck;
        } finally {
            lock.unlock();
        }
    }
}
