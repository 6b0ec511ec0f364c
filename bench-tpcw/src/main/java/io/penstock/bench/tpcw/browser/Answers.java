package io.penstock.bench.tpcw.browser;

import io.penstock.bench.tpcw.anomaly.SessionEvent;
import io.penstock.bench.tpcw.figures.Latencies;
import io.penstock.bench.tpcw.interaction.InteractionKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** The answers to all browsers within the measurement interval. Safe for use by many threads. */
public final class Answers implements Consumer<SessionEvent> {
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

    @Override
    public void accept(SessionEvent event) {
        switch (event) {
            case SessionEvent.Answered page ->
                count(page.nanos(), () -> {
                    nanos.computeIfAbsent(page.interaction(), of -> new ArrayList<>())
                            .add(page.nanos() - page.startNanos());
                    retries += page.attempts() - 1;
                });
            case SessionEvent.Refused refusal -> count(refusal.nanos(), () -> refused++);
            case SessionEvent.Failed failure -> count(failure.nanos(), () -> failed++);
            case SessionEvent.Unknown outcome -> count(outcome.nanos(), () -> unknown++);
            case SessionEvent.Attempted attempt -> {}
            case SessionEvent.Bought bought -> {}
            case SessionEvent.PerhapsBought perhaps -> {}
            case SessionEvent.OrderSeen seen -> {}
        }
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
