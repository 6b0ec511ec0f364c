package io.penstock.commit.domain;

import io.penstock.commit.domain.LogObjects.KnownHorizon;
import io.penstock.commit.domain.LogObjects.Slot;
import io.penstock.commit.domain.Segment.Tip;
import io.penstock.core.ConflictException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The put of a segment into a free slot of a log. The answers of the servers decide its outcome:
 *
 * <table>
 * <caption>Outcomes</caption>
 * <tr><th>the slot holds</th><th>its number was trimmed</th><th>any answer was lost</th><th>outcome</th></tr>
 * <tr><td>this segment</td><td>no</td><td>either</td><td>ours</td></tr>
 * <tr><td>this segment</td><td>before</td><td>no</td><td>stale</td></tr>
 * <tr><td>this segment</td><td>before</td><td>yes</td><td>unknown</td></tr>
 * <tr><td>this segment</td><td>perhaps after the put</td><td>either</td><td>unknown</td></tr>
 * <tr><td>another segment</td><td>no</td><td>yes</td><td>theirs</td></tr>
 * <tr><td>nothing</td><td>no</td><td>yes</td><td>put it again</td></tr>
 * <tr><td>another segment, or nothing</td><td>yes</td><td>yes</td><td>unknown</td></tr>
 * </table>
 *
 * <p>A put that was certainly refused ends with the refusal if no answer was lost before it, and is unknown otherwise.
 */
final class SegmentPut {
    /** The most puts of one segment: each had an unknown outcome, or met another put on its way. */
    private static final int PUTS_MAX = 10;

    private final Parts parts;
    private final LogObjects log;
    private final Tail tail;
    private final Follower follower;

    /** The content of the slot after a put. */
    enum Found {
        OURS,
        THEIRS,
        NOTHING
    }

    /** The answer to whether a slot's number was trimmed, so that the slot was filled before. */
    enum Trimmed {
        NO,
        BEFORE,
        /** The slot was trimmed so long after it was filled that the segment itself may have been trimmed. */
        PERHAPS_AFTER
    }

    enum Outcome {
        /** The segment is in the log. */
        OURS,
        /** Another segment is in the log at its place. */
        THEIRS,
        /** The segment is in a slot that readers have passed, so it is not in the log. */
        STALE,
        /** The segment is nowhere, and may be put again. */
        AGAIN,
        UNKNOWN
    }

    SegmentPut(Parts parts, LogObjects log, Tail tail, Follower follower) {
        this.parts = parts;
        this.log = log;
        this.tail = tail;
        this.follower = follower;
    }

    /** @param doubt whether the answer of a put of this segment was lost */
    static Outcome outcome(Found found, Trimmed trimmed, boolean doubt) {
        if (found == Found.OURS) {
            return switch (trimmed) {
                case NO -> Outcome.OURS;
                case BEFORE -> doubt ? Outcome.UNKNOWN : Outcome.STALE;
                case PERHAPS_AFTER -> Outcome.UNKNOWN;
            };
        }
        if (trimmed != Trimmed.NO) {
            return Outcome.UNKNOWN; // a slot that was trimmed may have had this segment
        }
        return found == Found.THEIRS ? Outcome.THEIRS : Outcome.AGAIN;
    }

    /**
     * Puts a segment into the slot after {@code tip}.
     *
     * @return false when it is certainly not in the log
     * @throws OutcomeUnknownException when it may be there
     * @throws StoreException any other, when it is certainly not in the log
     */
    boolean put(Segment segment, Tip tip) {
        boolean doubt = false;
        for (int puts = 0; puts < PUTS_MAX; puts++) {
            try {
                Long filledMillis = tryPut(segment);
                doubt |= filledMillis == null;
                Slot slot = filledMillis == null
                        ? log.look(segment.number())
                        : new Slot(segment.number(), segment, filledMillis);
                Outcome outcome = outcome(found(slot, segment), trimmed(segment, tip, slot.atMillis()), doubt);
                if (outcome == Outcome.UNKNOWN) {
                    throw unknown(segment, null);
                }
                if (outcome != Outcome.AGAIN) {
                    note(outcome, segment, slot);
                    return outcome == Outcome.OURS;
                }
            } catch (OutcomeUnknownException told) {
                throw told;
            } catch (StoreException untold) {
                throw doubt ? unknown(segment, untold) : untold;
            }
        }
        throw unknown(segment, null);
    }

    private static Found found(Slot slot, Segment segment) {
        Segment there = slot.segment();
        if (there == null) {
            return Found.NOTHING;
        }
        return there.writeId() == segment.writeId() ? Found.OURS : Found.THEIRS;
    }

    private void note(Outcome outcome, Segment segment, Slot slot) {
        switch (outcome) {
            case OURS -> tail.append(segment, slot.atMillis());
            case THEIRS -> {
                var unused = follower.accept(Objects.requireNonNull(slot.segment()), slot.atMillis());
            }
            case STALE -> {
                log.delete(List.of(segment.number()));
                var unused = follower.isTrimmed(segment.number());
            }
            case AGAIN, UNKNOWN -> throw new IllegalStateException("not decided: " + outcome);
        }
    }

    /** The time when the slot was filled with the segment, by the store's clock; null when the answer was lost. */
    private @Nullable Long tryPut(Segment segment) {
        try {
            parts.putting().run();
            long millis = log.put(segment).serverMillis();
            parts.serverClock().observe(millis);
            return millis;
        } catch (ConflictException | OutcomeUnknownException toBeFoundOut) {
            return null;
        }
    }

    /** @param atMillis when the slot was filled, or seen to be free */
    private Trimmed trimmed(Segment segment, Tip tip, long atMillis) {
        long retention = parts.limits().retention().toMillis();
        if (tip.isFirst(atMillis, parts.limits().retention())) {
            return Trimmed.NO;
        }
        KnownHorizon known = horizon(segment);
        if (known.horizon().trimmed() < segment.number()) {
            return Trimmed.NO;
        }
        return known.putMillis() - atMillis >= retention ? Trimmed.PERHAPS_AFTER : Trimmed.BEFORE;
    }

    private KnownHorizon horizon(Segment segment) {
        try {
            return log.horizon();
        } catch (StoreException untold) {
            throw unknown(segment, untold);
        }
    }

    private OutcomeUnknownException unknown(Segment segment, @Nullable StoreException cause) {
        String message = "a commit may have taken effect; read what it has written to find out";
        return new OutcomeUnknownException(message, cause, "object", log.key(segment.number()));
    }
}
