package io.penstock.commit.domain;

import io.penstock.commit.client.HybridClock;
import io.penstock.commit.domain.LogObjects.KnownHorizon;
import io.penstock.commit.domain.LogObjects.Slot;
import io.penstock.commit.domain.Segment.Tip;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Permits;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Reads the segments of a log into the tail. Safe for many threads. */
final class Follower {
    private static final int WIDTH = 16;

    /**
     * The number of polls in the time of a put while one transaction waits; {@link #PEEKS_MAX} while any number of them
     * do.
     */
    private static final int PEEKS = 2;

    private static final int PEEKS_MAX = 20;
    private static final int PEEKS_AT_ONCE_MAX = 8;

    /**
     * The time without a look at the log after which a client makes sure that a free slot is the end of the log, and
     * not a lost segment.
     */
    private static final Duration GAP_UNSEEN_MAX = Duration.ofMinutes(1);

    private final Tasks tasks;
    private final LogObjects log;
    private final Tail tail;
    private final HybridClock clock;
    private final Duration retention;
    private final long bytesMax;
    private final Duration budget;
    private final Permits turns;

    /** The number of rounds that have begun; each begins after its turn, so one at a time. */
    private volatile long begun;

    private final AtomicInteger peeks = new AtomicInteger();
    private volatile long peekedNanos;

    /** The polls in a row that have found a segment. */
    private final AtomicInteger found = new AtomicInteger();

    private volatile Ended last = new Ended(0, null);
    private volatile @Nullable Current current;

    /** A round that has ended, and why it failed. */
    private record Ended(long round, @Nullable RuntimeException failure) {}

    /** The times, before a round, after which nothing was acknowledged that the tail lacks. */
    private record Current(long nanos, long wallMillis) {}

    Follower(Tasks tasks, LogObjects log, Tail tail, HybridClock clock, Limits limits) {
        this.tasks = tasks;
        this.log = log;
        this.tail = tail;
        this.clock = clock;
        this.retention = limits.retention();
        this.bytesMax = limits.readBytes();
        this.budget = limits.budget();
        this.turns = new Permits(tasks, 1);
        this.peekedNanos = tasks.nanoTime();
    }

    /** Waits until the tip is at everything that was acknowledged before the call. */
    void refresh() {
        long before = begun;
        // Others wait for the same answers: an interrupt of this caller must not fail them.
        Ended ended = tasks.uninterruptibly("refresh", () -> turns.with(() -> last.round > before ? last : round()));
        if (ended.failure != null) {
            throw ended.failure;
        }
    }

    /**
     * Refreshes the tip, unless it is already at everything that was acknowledged {@code staleness} before the call.
     */
    void refresh(Duration staleness) {
        if (!wasCurrent(staleness)) {
            refresh();
        }
    }

    /** Makes sure, unless that was done within a minute, that the slot after the tip is the end of the log. */
    void refreshBeforePut() {
        refresh(GAP_UNSEEN_MAX);
    }

    /** Whether this client knows all that was acknowledged {@code ago} before now, or earlier. */
    private boolean wasCurrent(Duration ago) {
        Current known = current;
        return known != null
                && tasks.nowMillis() >= known.wallMillis
                && age(known).compareTo(ago) < 0;
    }

    /** The time since this client last knew all that was acknowledged; zero before it has read the log. */
    Duration age() {
        Current known = current;
        return known == null ? Duration.ZERO : age(known);
    }

    /** The monotonic clock may stand still while the machine sleeps; the wall clock may be set. */
    private Duration age(Current known) {
        Duration byNanos = Duration.ofNanos(tasks.nanoTime() - known.nanos);
        Duration byWall = Duration.ofMillis(tasks.nowMillis() - known.wallMillis);
        return byNanos.compareTo(byWall) > 0 ? byNanos : byWall;
    }

    /**
     * Polls the next slot in the background, unless that was done a moment ago; more often, the more transactions wait.
     * Polls overlap, since one takes longer than the pause between them. If each finds a segment, others fill slots
     * faster than this client polls: then it reads on to the end.
     *
     * @param waiting transactions that others may put
     * @param putNanos the duration of a put
     */
    void peek(int waiting, long putNanos) {
        long now = tasks.nanoTime();
        long often = Math.min(PEEKS_MAX, (long) PEEKS * waiting * waiting);
        if (peeks.get() < PEEKS_AT_ONCE_MAX && (now - peekedNanos) * often >= putNanos) {
            peekedNanos = now;
            peeks.incrementAndGet();
            tasks.start("peek", this::peekOnce);
        }
    }

    /** Puts the next look off, if all that waits was sent just now: it cannot be there. */
    void expectLater(boolean all) {
        peekedNanos = all ? tasks.nanoTime() : peekedNanos;
    }

    private void peekOnce() {
        try {
            long before = tail.tip();
            advance();
            if (tail.tip() == before) {
                found.set(0);
            } else if (found.incrementAndGet() > PEEKS_AT_ONCE_MAX) { // so many may overlap, and find the same one
                found.set(0);
                refresh();
            }
        } catch (StoreException failure) {
            // A waiting client puts by itself in a while, and learns it then.
        } finally {
            peeks.decrementAndGet();
        }
    }

    /** Reads the next slot, no further: the tip may stay before what was acknowledged. */
    private void advance() {
        Current now = new Current(tasks.nanoTime(), tasks.nowMillis());
        long before = tail.tip();
        List<Slot> next = List.of(log.look(before + 1));
        boolean free = take(next);
        if (free && tail.tip() == before && confirmFree(next) && wasCurrent(GAP_UNSEEN_MAX)) {
            current = now;
        }
    }

    private Ended round() {
        long number = begun + 1;
        begun = number;
        try {
            Current now = new Current(tasks.nanoTime(), tasks.nowMillis());
            begin();
            follow();
            if (!wasCurrent(GAP_UNSEEN_MAX)) {
                requireNoGap();
            }
            current = now;
            last = new Ended(number, null);
        } catch (RuntimeException failure) {
            last = new Ended(number, failure);
        }
        return last;
    }

    /** Reads the horizon when the tail has not begun. */
    private void begin() {
        while (!tail.state().begun()) {
            beginAt(log.horizon());
        }
    }

    /** Begins the tail at a horizon, if the segment that the horizon names is still there. */
    private void beginAt(KnownHorizon known) {
        Horizon horizon = known.horizon();
        if (horizon.position() == 0) {
            tail.begin(Tip.NONE);
            return;
        }
        Slot slot = log.look(horizon.position());
        Segment segment = slot.segment();
        if (segment == null && log.horizon().horizon().trimmed() >= horizon.position()) {
            return; // others have gone on meanwhile; the caller tries again
        }
        if (segment == null || segment.writeId() != horizon.writeId()) {
            throw new CorruptDataException(
                    ErrorCode.LOG_DAMAGED,
                    "the last segment that is on pages is missing or another one: the horizon is not that of this"
                            + " log; restore the object, or the horizon",
                    "object",
                    log.key(horizon.position()),
                    "horizon",
                    log.horizonKey());
        }
        tail.begin(new Tip(horizon.position(), horizon.writeId(), horizon.stamp(), slot.atMillis()));
    }

    /** Reads on until a slot is free. */
    private void follow() {
        int width = 1;
        long begunNanos = tasks.nanoTime();
        while (true) {
            requireInTime(begunNanos);
            long first = tail.tip() + 1;
            List<Slot> slots = Parallel.map(
                    tasks, WIDTH, LongStream.range(first, first + width).boxed().toList(), log::look);
            boolean free = take(slots);
            requireRoom();
            long missing = tail.tip() + 1;
            boolean later = slots.stream().anyMatch(slot -> slot.segment() != null && slot.number() > missing);
            if (free && later) {
                requireThere(missing);
            } else if (free && confirmFree(slots)) {
                return;
            } else {
                width = Math.min(WIDTH, width * 2);
            }
        }
    }

    private void requireInTime(long begunNanos) {
        if (tasks.nanoTime() - begunNanos > budget.toNanos()) {
            throw new UnavailableException(
                    "the end of the commit log was not reached in time; retry later", "tip", tail.tip());
        }
    }

    /** Commits wait before it comes to that; so no checkpoint has got through for long, or the horizon was set back. */
    private void requireRoom() {
        if (tail.bytes() > bytesMax) {
            throw new UnavailableException(
                    ErrorCode.BACKLOG_FULL,
                    "the commit log is further ahead of the pages than this client may hold in memory; checkpoint the"
                            + " store, and retry",
                    "tip",
                    tail.tip(),
                    "horizon",
                    tail.horizon(),
                    "bytesMax",
                    bytesMax);
        }
    }

    /** Appends what was found; true when a slot before the end was free. */
    private boolean take(List<Slot> slots) {
        for (Slot slot : slots) {
            if (slot.number() <= tail.tip()) {
                continue;
            }
            Segment segment = slot.segment();
            if (segment == null || slot.number() != tail.tip() + 1) {
                return segment == null;
            }
            if (!accept(segment, slot.atMillis())) {
                return false;
            }
        }
        return false;
    }

    /** Appends the next segment; false when it was put into a slot that had been trimmed. */
    boolean accept(Segment segment, long atMillis) {
        Tip tip = tail.state().tip();
        if (segment.number() != tip.position() + 1) {
            return true; // appended meanwhile
        }
        if (!tip.isFirst(atMillis, retention) && isTrimmed(segment.number())) {
            return false;
        }
        segment.requireAfter(tip, log.key(segment.number()));
        segment.transactions().forEach(transaction -> clock.observe(transaction.stamp()));
        tail.append(segment, atMillis);
        return true;
    }

    /** Whether a slot was trimmed; then the tail has begun anew after it. */
    boolean isTrimmed(long number) {
        KnownHorizon known = log.horizon();
        if (known.horizon().trimmed() < number) {
            return false;
        }
        beginAt(known);
        return true;
    }

    /** Whether the first free slot was never filled. If it was, the tail has begun anew. */
    private boolean confirmFree(List<Slot> slots) {
        Slot free = slots.stream()
                .filter(slot -> slot.segment() == null)
                .findFirst()
                .orElseThrow();
        Tip tip = tail.state().tip();
        if (free.number() != tip.position() + 1) {
            return true; // filled since, by this client
        }
        if (!tip.isFirst(free.atMillis(), retention)) {
            KnownHorizon known = log.horizon();
            if (known.horizon().position() >= free.number()) {
                beginAt(known);
                return false;
            }
            tail.saw(known.horizon().position());
        }
        tail.free(tip, free.atMillis());
        return true;
    }

    /** Makes sure that the log ends where a slot is free: objects may be lost, the horizon too. */
    private void requireNoGap() {
        long free = tail.tip() + 1;
        if (log.hasAfter(free)) {
            requireThere(free);
        }
    }

    /**
     * Reads a slot before one that was seen filled: reads that overlap may be answered out of order, but one that
     * begins now finds it filled. If it is missing, goes on after it when pages have all of it.
     */
    private void requireThere(long number) {
        if (log.look(number).segment() != null || tail.tip() >= number) {
            return;
        }
        KnownHorizon known = log.horizon();
        if (known.horizon().position() < number) {
            throw log.missing(number);
        }
        beginAt(known);
    }
}
