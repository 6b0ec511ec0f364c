package io.penstock.commit.domain;

import io.penstock.commit.domain.LogObjects.KnownHorizon;
import io.penstock.commit.domain.LogObjects.Listed;
import io.penstock.commit.domain.Segment.Tip;
import io.penstock.commit.domain.Tail.Kept;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.RefusedException;
import io.penstock.core.StoreException;
import io.penstock.core.TreeId;
import io.penstock.core.task.Permits;
import io.penstock.report.CheckpointReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The checkpoints of a domain: they apply the segments of its log to pages, move the horizon past them, and trim the
 * log. Safe for many threads.
 */
final class Checkpoints {
    /** The duration of a turn, by the store's clock. */
    private static final Duration TURN = Duration.ofMinutes(1);

    /** The bytes of segments that are applied before the horizon moves. */
    private static final long PART_BYTES = 32 << 20;

    /** The number of looks at the oldest segments in the time that they stay. */
    private static final int TRIMS = 16;

    private static final CheckpointReport NOT_MINE = CheckpointReport.NONE.ofBusy();

    private final Parts parts;
    private final LogObjects log;
    private final Tail tail;
    private final Follower follower;
    private final Permits one;
    private volatile long trimmedNanos;

    /** The last horizon that this client has put. */
    private volatile long appliedTo = -1;

    Checkpoints(Parts parts, LogObjects log, Tail tail, Follower follower) {
        this.parts = parts;
        this.log = log;
        this.tail = tail;
        this.follower = follower;
        this.one = new Permits(parts.tasks(), 1);
        this.trimmedNanos = parts.tasks().nanoTime();
    }

    /** Runs a checkpoint, unless another client runs one. */
    CheckpointReport run() {
        if (!one.tryAcquire()) {
            return NOT_MINE;
        }
        try {
            if (!tail.state().begun()) {
                follower.refresh();
            }
            CheckpointReport report = tail.tip() > tail.horizon() ? take() : CheckpointReport.NONE;
            if (report.busy() == 0 && isTrimDue()) {
                trim();
            }
            return report;
        } finally {
            one.release();
        }
    }

    /** Takes the turn, if it is free, and moves the horizon to the tip. */
    private CheckpointReport take() {
        KnownHorizon known = log.horizon();
        Horizon horizon = known.horizon();
        requireWithinLog(horizon);
        tail.saw(horizon.position());
        Horizon.Claim claim = horizon.claim();
        boolean others = !claim.client().equals(parts.client().get()) && known.serverMillis() < claim.untilMillis();
        if (others) {
            return NOT_MINE;
        }
        long target = target(known);
        if (target <= horizon.position()) {
            return CheckpointReport.NONE;
        }
        return log.replace(known, horizon.claimed(nonce(), turn(known)))
                .map(mine -> move(mine, target))
                .orElse(NOT_MINE);
    }

    private void requireWithinLog(Horizon horizon) {
        if (horizon.position() > tail.tip()) {
            follower.refresh();
        }
        long position = horizon.position();
        if (position > tail.tip() || position < tail.state().base().position()) {
            throw new CorruptDataException(
                    ErrorCode.LOG_DAMAGED,
                    "the horizon of a commit log is beyond the log, or before one that was seen: one of them was"
                            + " replaced; restore both, and open all clients again",
                    "object",
                    log.horizonKey(),
                    "horizon",
                    position,
                    "tip",
                    tail.tip());
        }
    }

    /**
     * Returns the position to apply up to: the tip, or an earlier one held by a reader, as long as commits do not wait
     * for room because of that.
     */
    private long target(KnownHorizon known) {
        Horizon.Hold hold = known.horizon().hold();
        boolean held = known.serverMillis() < hold.untilMillis()
                && tail.bytes() <= parts.limits().tailBytes() / 2;
        return held ? Math.min(tail.tip(), hold.position()) : tail.tip();
    }

    private Horizon.Claim turn(KnownHorizon known) {
        return new Horizon.Claim(parts.client().get(), known.serverMillis() + TURN.toMillis());
    }

    private long nonce() {
        return parts.tasks().random().nextLong();
    }

    private CheckpointReport move(KnownHorizon claimed, long target) {
        KnownHorizon known = claimed;
        CheckpointReport report = CheckpointReport.NONE;
        while (known.horizon().position() < target) {
            List<Kept> part = part(known.horizon().position(), target);
            List<LogRecord> records = newest(part);
            // Pages first: segments before the horizon are nowhere else once they are trimmed.
            CheckpointReport applied = apply(records, known);
            Tip last = part.getLast().tip();
            Horizon.Claim claim = last.position() < target ? turn(known) : Horizon.Claim.NONE;
            Optional<KnownHorizon> moved = log.replace(known, known.horizon().movedTo(nonce(), last, claim));
            if (moved.isEmpty()) {
                return report; // others took the turn: this client was too slow
            }
            known = moved.get();
            appliedTo = last.position();
            tail.saw(last.position());
            report = report.plus(CheckpointReport.ofRecords(records.size(), applied.pages(), applied.parked(), 0)
                    .ofMessages(part.size()));
        }
        return report;
    }

    /** Applies records, and gives back the turn where this client lacks the right or the room for it. */
    private CheckpointReport apply(List<LogRecord> records, KnownHorizon known) {
        Horizon horizon = known.horizon();
        try {
            return parts.pages()
                    .apply(
                            horizon.domain(),
                            records,
                            horizon.position() == appliedTo,
                            () -> log.horizon().horizon().claim().equals(horizon.claim()));
        } catch (RefusedException refusal) {
            try {
                var unused = log.replace(known, horizon.claimed(nonce(), Horizon.Claim.NONE));
            } catch (StoreException lost) {
                refusal.addSuppressed(lost); // the turn ends by itself
            }
            throw refusal;
        }
    }

    private List<Kept> part(long after, long target) {
        List<Kept> part = new ArrayList<>();
        long bytes = 0;
        for (Kept kept : tail.kept(after, target)) {
            bytes += kept.bytes();
            if (!part.isEmpty() && bytes > PART_BYTES) {
                break;
            }
            part.add(kept);
        }
        return part;
    }

    /**
     * Returns the newest record of each key, and older ones with references, whose payloads are not needed any more.
     */
    private static List<LogRecord> newest(List<Kept> part) {
        record Place(TreeId tree, Bytes key) {}
        Map<Place, LogRecord> newest = new LinkedHashMap<>();
        List<LogRecord> chosen = new ArrayList<>();
        for (Kept kept : part) {
            for (LogRecord record : kept.segment().records()) {
                if (Intent.isFence(record)) {
                    continue;
                }
                Place place = new Place(record.tree(), record.change().key());
                LogRecord earlier = newest.remove(place);
                newest.put(place, earlier == null ? record : record.inPlaceOf(earlier));
                if (earlier != null && earlier.change().isReference()) {
                    chosen.add(earlier);
                }
            }
        }
        chosen.addAll(newest.values());
        return chosen;
    }

    private boolean isTrimDue() {
        long sinceNanos = parts.tasks().nanoTime() - trimmedNanos;
        return sinceNanos > parts.limits().trimAge().toNanos() / TRIMS;
    }

    /**
     * Removes segments that are on pages, except the last of them, and older than the retention by the store's clock.
     *
     * @return their number
     */
    long trim() {
        trimmedNanos = parts.tasks().nanoTime();
        KnownHorizon known = log.horizon();
        Horizon horizon = known.horizon();
        long through = horizon.trimmed();
        List<Listed> oldest = log.oldest();
        for (Listed next : oldest) {
            through = known.trimmable(next, through, parts.limits().trimAge());
            if (next.number() > through) {
                break;
            }
        }
        if (through > horizon.trimmed()
                && log.replace(known, horizon.trimmedThrough(nonce(), through)).isEmpty()) {
            return 0;
        }
        long last = through;
        List<Long> doomed = oldest.stream()
                .map(Listed::number)
                .filter(number -> number <= last)
                .toList();
        if (!doomed.isEmpty()) {
            log.delete(doomed);
        }
        log.deleteHandedInBefore(
                known.serverMillis() - parts.limits().retention().toMillis());
        return doomed.size();
    }

    /** Asks checkpointers not to go beyond a position for a while; they are not asked twice in a row. */
    boolean hold(long position, Duration length) {
        KnownHorizon known = log.horizon();
        Horizon.Hold hold = known.horizon().hold();
        long now = known.serverMillis();
        if (known.horizon().position() > position) {
            return false;
        }
        if (now < hold.untilMillis()) {
            return hold.position() <= position;
        }
        long rest = hold.untilMillis() - hold.fromMillis();
        if (now < hold.untilMillis() + rest) {
            return false;
        }
        long millis = Math.min(length.toMillis(), parts.limits().hold().toMillis());
        return log.replace(known, known.horizon().held(nonce(), new Horizon.Hold(position, now, now + millis)))
                .isPresent();
    }
}
