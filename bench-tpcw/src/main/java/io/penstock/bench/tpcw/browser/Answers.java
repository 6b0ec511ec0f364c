package io.penstock.bench.tpcw.browser;

import io.penstock.bench.tpcw.figures.Latencies;
import io.penstock.bench.tpcw.interaction.InteractionKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** The answers to all browsers within the measurement interval. Safe for use by many threads. */
public final class Answers {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<InteractionKind, List<Long>> nanos = new EnumMap<>(InteractionKind.class);
    private final long fromNanos;
    private final long toNanos;
    private long retries;
    private long refused;
    private long failed;
    private long unknown;

    Answers(long fromNanos, long toNanos) {
        this.fromNanos = fromNanos;
        this.toNanos = toNanos;
    }

    long toNanos() {
        return toNanos;
    }

    /**
     * A page.
     *
     * @param attempts how often the interaction ran, conflicts included
     */
    void page(InteractionKind kind, long startNanos, long endNanos, int attempts) {
        count(endNanos, () -> {
            nanos.computeIfAbsent(kind, of -> new ArrayList<>()).add(endNanos - startNanos);
            retries += attempts - 1;
        });
    }

    /** A page that says why not. */
    void refused(long endNanos) {
        count(endNanos, () -> refused++);
    }

    /** No page: the store did not answer, or conflicts did not end. */
    void failed(long endNanos) {
        count(endNanos, () -> failed++);
    }

    /** No page, and nobody knows whether anything was written. */
    void unknown(long endNanos) {
        count(endNanos, () -> unknown++);
    }

    private void count(long endNanos, Runnable counting) {
        if (endNanos < fromNanos || endNanos > toNanos) {
            return;
        }
        lock.lock();
        try {
            counting.run();
        } finally {
            lock.unlock();
        }
    }

    /** The figures of all pages. */
    Tally tally() {
        Map<InteractionKind, Answered> pages = new EnumMap<>(InteractionKind.class);
        nanos.forEach((kind, times) -> pages.put(kind, new Answered(times.size(), Latencies.of(times))));
        return new Tally(pages, retries, refused, failed, unknown);
    }

    /** The pages of one kind. */
    public record Answered(long count, Latencies seconds) {}

    /**
     * The answers, counted.
     *
     * @param retries attempts beyond the first, because others had written what was read
     */
    public record Tally(Map<InteractionKind, Answered> pages, long retries, long refused, long failed, long unknown) {
        public long interactions() {
            return pages.values().stream().mapToLong(Answered::count).sum();
        }
    }
}
