package io.penstock.commit.domain;

import io.penstock.core.task.MemoryLock;

/**
 * The snapshot of some reads. That of an open transaction has the tail keep the segments after it, as long as the tail
 * is within its bounds: close it when the transaction has ended. Safe for many threads.
 */
public final class Pin implements AutoCloseable {
    private final Tail tail;
    private final boolean keeps;
    private final MemoryLock lock = new MemoryLock();
    private volatile TailView view;
    private boolean closed;

    /** @param keeps whether the tail counts it */
    Pin(Tail tail, TailView view, boolean keeps) {
        this.tail = tail;
        this.view = view;
        this.keeps = keeps;
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
        return lock.with(() -> {
            long tip = tail.tip();
            if (closed || tail.conflict(reads, view, tip).isPresent()) {
                return false;
            }
            view = keeps ? tail.move(view, tip) : tail.at(tip);
            return true;
        });
    }

    @Override
    public void close() {
        lock.run(() -> {
            if (!closed) {
                closed = true;
                if (keeps) {
                    tail.release(view.position());
                }
            }
        });
    }
}
