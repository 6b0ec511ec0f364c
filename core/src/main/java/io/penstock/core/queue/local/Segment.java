package io.penstock.core.queue.local;

import java.nio.file.Path;

/** A file of the queues' log, and how much of it is still needed. Guarded by {@code QueueLog.committing}. */
final class Segment {
    private final long number;
    private final Path file;
    private long size;
    private long live;
    private volatile boolean damaged;

    Segment(long number, Path file, long size) {
        this.number = number;
        this.file = file;
        this.size = size;
    }

    long number() {
        return number;
    }

    Path file() {
        return file;
    }

    long size() {
        return size;
    }

    /** Bytes of entries that are still needed. */
    long live() {
        return live;
    }

    void grown(int bytes) {
        size += bytes;
    }

    /** Leaves out what follows: it was torn off, or taken back. */
    void endsAt(int end) {
        size = end;
    }

    void needs(long bytes) {
        live += bytes;
    }

    boolean isDamaged() {
        return damaged;
    }

    void markDamaged() {
        damaged = true;
    }
}
