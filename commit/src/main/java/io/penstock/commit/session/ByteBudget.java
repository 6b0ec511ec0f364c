package io.penstock.commit.session;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A bound on the bytes that several parts of one client hold in memory together. It only counts; whoever finds no room
 * decides what to do. Safe for use by many threads.
 */
public final class ByteBudget {
    private final long bytesMax;
    private final AtomicLong used = new AtomicLong();

    public ByteBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /**
     * Takes room, if there is enough. What is larger than the whole budget gets it when nobody else has any: otherwise
     * it never would.
     */
    public boolean tryTake(long bytes) {
        long known = used.get();
        while (known == 0 || known + bytes <= bytesMax) {
            if (used.compareAndSet(known, known + bytes)) {
                return true;
            }
            known = used.get();
        }
        return false;
    }

    /** Gives back what was taken. */
    public void give(long bytes) {
        used.addAndGet(-bytes);
    }

    /** Whether half of it is taken: time to make room, while there is some left. */
    public boolean isHalfTaken() {
        return used.get() * 2 >= bytesMax;
    }

    public long used() {
        return used.get();
    }

    public long bytesMax() {
        return bytesMax;
    }
}
