package io.penstock.bench.tpcw.run;

import io.penstock.bench.tpcw.bookstore.InteractionKind;
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
        if (event.nanos() < fromNanos || event.nanos() > toNanos) {
            return;
        }
        lock.lock();
        try {
            switch (event.fact()) {
                case SessionEvent.Answered page -> {
                    nanos.computeIfAbsent(page.interaction(), of -> new ArrayList<>())
                            .add(page.tookNanos());
                    retries += page.attempts() - 1;
                }
                case SessionEvent.Refused refusal -> refused++;
                case SessionEvent.Failed failure -> failed++;
                case SessionEvent.Unknown outcome -> unknown++;
                case SessionEvent.Attempted attempt -> {}
                case SessionEvent.Bought bought -> {}
                case SessionEvent.PerhapsBought perhaps -> {}
                case SessionEvent.OrderSeen seen -> {}
            }
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
