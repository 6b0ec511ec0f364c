package io.penstock.core.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A bound on the bytes that several parts of one client hold in memory together. It only counts; a caller that finds no
 * room decides what to do. Safe for use by many threads.
 */
public final class ByteBudget {
    private final long bytesMax;
    private final AtomicLong used = new AtomicLong();

    public ByteBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /**
     * Takes room, if there is enough. A request larger than the whole budget gets it when no other has any: otherwise
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

    /**
     * Takes room for something that lasts: half of what is free, but not less than {@code least} nor more than {@code
     * most}. A quarter of the budget stays for what is short and must go on meanwhile.
     *
     * @return the bytes taken; 0 when there is less than {@code least}
     */
    public long takeLasting(long least, long most) {
        long lasting = lastingMax();
        while (true) {
            long known = used.get();
            long free = lasting - known;
            if (free < least) {
                return 0;
            }
            long taken = Math.max(least, Math.min(most, free / 2));
            if (used.compareAndSet(known, known + taken)) {
                return taken;
            }
        }
    }

    /** The most that {@link #takeLasting} gives away at a time. */
    public long lastingMax() {
        return bytesMax - bytesMax / 4;
    }

    /** Takes room whether there is any or not, for bytes that are held already. */
    public void take(long bytes) {
        used.addAndGet(bytes);
    }

    /** Returns the bytes that are free; 0 when more is taken than the budget has. */
    public long free() {
        return Math.max(0, bytesMax - used.get());
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
