package io.penstock.commit.domain;

import io.penstock.commit.domain.LogObjects.Slot;
import io.penstock.commit.domain.Segment.Tip;
import io.penstock.commit.domain.Segment.Transaction;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/** Reads the transactions of a log from a place on, beside the tail that transactions use. For one thread. */
public final class LogReader {
    private static final int WIDTH = 4;

    private final String domain;
    private final Tasks tasks;
    private final LogObjects log;
    private final Duration retention;
    private final ArrayDeque<Read> ready = new ArrayDeque<>();
    private Tip tip;
    private int taken;
    private boolean begun;
    private int width = 1;

    /**
     * A place between two transactions of a log.
     *
     * @param segment of which, and of those before it, all were read; 0 before the first
     * @param writeId of this segment
     * @param taken transactions of the next one that were read too
     */
    public record Place(long segment, long writeId, int taken) {}

    /**
     * A transaction of the log.
     *
     * @param after the place after the transaction
     */
    public record Read(Place after, Stamp stamp, List<LogRecord> records) {}

    /** @param retention the least time for which segments stay in the log, whichever client trims it */
    LogReader(String domain, Tasks tasks, LogObjects log, Duration retention, Place from) {
        this.domain = domain;
        this.tasks = tasks;
        this.log = log;
        this.retention = retention;
        this.taken = from.taken();
        this.tip = new Tip(from.segment(), from.writeId(), Stamp.ZERO, Tip.NONE.freeMillis());
    }

    /**
     * The next transaction, the same until {@link #advance}; empty at the end of the log.
     *
     * @throws InvalidRequestException of {@link ErrorCode#POSITION_TOO_OLD} when the log was trimmed beyond the place
     * @throws InvalidRequestException when the place is none of this log
     */
    public Optional<Read> next() {
        if (ready.isEmpty()) {
            readOn();
        }
        return Optional.ofNullable(ready.peek());
    }

    /** Moves past the transaction that {@link #next} has returned. */
    public void advance() {
        ready.remove();
    }

    private void readOn() {
        long first = tip.position() + 1;
        List<Slot> slots = Parallel.map(
                tasks, WIDTH, LongStream.range(first, first + width).boxed().toList(), log::look);
        width = Math.min(WIDTH, width * 2);
        for (Slot slot : slots) {
            Segment segment = slot.segment();
            if (segment == null) {
                width = 1;
                end(slot);
                return;
            }
            take(segment, slot.atMillis());
        }
    }

    /** Judges a segment as {@link Follower} does: what lies in a slot that was trimmed is of no meaning. */
    private void take(Segment segment, long atMillis) {
        if (!tip.isFirst(atMillis, retention)) {
            requireKept(log.horizon().horizon());
        }
        if (!begun && segment.previous() != tip.writeId()) {
            throw foreign();
        }
        segment.requireAfter(tip, log.key(segment.number()));
        List<Read> all = reads(segment);
        if (taken > 0 && taken >= all.size()) {
            throw foreign();
        }
        ready.addAll(all.subList(taken, all.size()));
        begun = true;
        taken = 0;
        tip = tip.after(segment, atMillis);
    }

    /** The transactions of a segment. */
    static List<Read> reads(Segment segment) {
        List<Read> reads = new ArrayList<>();
        for (Transaction one : segment.transactions()) {
            int taken = reads.size() + 1;
            Place after = taken == segment.transactions().size()
                    ? new Place(segment.number(), segment.writeId(), 0)
                    : new Place(segment.number() - 1, segment.previous(), taken);
            reads.add(new Read(after, one.stamp(), one.records()));
        }
        return reads;
    }

    /** Makes sure that a free slot is the end of the log. */
    private void end(Slot free) {
        if (!tip.isFirst(free.atMillis(), retention)) {
            Horizon horizon = log.horizon().horizon();
            requireKept(horizon);
            if (horizon.position() >= free.number()) {
                requireThere(free.number()); // filled meanwhile, so the next call finds it
                return;
            }
        }
        if (!begun) {
            if (log.hasAfter(free.number())) {
                requireThere(free.number());
                return;
            }
            requireOwn();
            begun = true;
        }
        tip = tip.free(free.atMillis());
    }

    private void requireKept(Horizon horizon) {
        if (horizon.trimmed() > tip.position()) {
            throw new InvalidRequestException(
                    ErrorCode.POSITION_TOO_OLD,
                    "the commit log is not kept as far back as this position, so changes after it are missing; begin"
                            + " anew: take a position, scan the collections, then follow from that position",
                    "domain",
                    domain,
                    "position",
                    tip.position(),
                    "keptAfter",
                    horizon.trimmed());
        }
    }

    private void requireThere(long number) {
        if (log.look(number).segment() == null) {
            requireKept(log.horizon().horizon());
            throw log.missing(number);
        }
    }

    /** Fails unless the place is one of this log: where nothing follows it, the segment before it shows that. */
    private void requireOwn() {
        if (taken > 0) {
            throw foreign();
        }
        if (tip.position() == 0) {
            return;
        }
        Segment last = log.look(tip.position()).segment();
        if (last == null || last.writeId() != tip.writeId()) {
            throw foreign();
        }
    }

    private InvalidRequestException foreign() {
        return new InvalidRequestException(
                ErrorCode.INVALID_TOKEN,
                "this is no position of the commit log: it is forged, or the log is another one; begin anew with a"
                        + " scan",
                "domain",
                domain,
                "position",
                tip.position());
    }
}
