package io.penstock.commit.domain;

import io.penstock.core.task.MemoryLock;

/**
 * The snapshot of an open transaction: the tail keeps the segments after it, as long as it is within its bounds. Close
 * it when the transaction has ended. Safe for many threads.
 */
public final class Pin implements AutoCloseable {
    private final Tail tail;
    private final MemoryLock lock = new MemoryLock();
    private volatile TailView view;
    private boolean closed;

    Pin(Tail tail, TailView view) {
        this.tail = tail;
        this.view = view;
    }

    public long position() {
        return view.position();
    }

    public TailView view() {
        return view;
    }

    /**
     * Moves the snapshot to the tip of the tail, if nothing of {@code reads} was written since; false, and nothing is
     * moved, if something was.
     */
    public boolean extend(ReadSet reads) {
        lock.lock();
        try {
            long tip = tail.tip();
            if (closed
                    || view.isTooOld()
                    || tail.conflict(reads, view.position(), tip).isPresent()) {
                return false;
            }
            view = tail.move(view, tip);
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                tail.release(view.position());
            }
        } finally {
            lock.unlock();
        }
    }
}
