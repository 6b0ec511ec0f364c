package io.penstock.commit.domain;

import io.penstock.commit.domain.LogObjects.KnownHorizon;
import io.penstock.commit.domain.LogObjects.Slot;
import io.penstock.commit.domain.Segment.Tip;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts segments into free slots of a log, and finds out what became of a put. */
final class Placing {
    /** Puts of one segment whose outcome is not known, or that others kept from being decided. */
    private static final int PUTS_MAX = 10;

    private final Parts parts;
    private final LogObjects log;
    private final Tail tail;
    private final Follower follower;

    Placing(Parts parts, LogObjects log, Tail tail, Follower follower) {
        this.parts = parts;
        this.log = log;
        this.tail = tail;
        this.follower = follower;
    }

    /**
     * Puts a segment into the slot after {@code tip}.
     *
     * @return false when it is certainly not in the log
     * @throws UnavailableException when it is certainly not in the log
     * @throws OutcomeUnknownException when it may be there
     */
    boolean place(Segment segment, Tip tip) {
        boolean doubt = false;
        for (int puts = 0; puts < PUTS_MAX; puts++) {
            try {
                Long filledMillis = put(segment);
                doubt |= filledMillis == null;
                Slot slot = filledMillis == null
                        ? log.look(segment.number())
                        : new Slot(segment.number(), segment, filledMillis);
                Segment there = slot.segment();
                if (there != null && there.writeId() == segment.writeId()) {
                    return confirm(segment, tip, slot.atMillis(), doubt);
                }
                if (doubt && !tip.isFirst(slot.atMillis(), parts.limits().retention())) {
                    requireNotTrimmed(segment); // else this segment may have been there, and be gone
                }
                if (there != null) {
                    var unused = follower.accept(there, slot.atMillis());
                    return false;
                }
            } catch (UnavailableException | CorruptDataException untold) {
                throw doubt ? unknown(segment, untold) : untold;
            }
        }
        throw unknown(segment, null);
    }

    /** When the slot was filled with the segment, by the store's clock; null when that is not known. */
    private @Nullable Long put(Segment segment) {
        try {
            parts.putting().run();
            long millis = log.put(segment).serverMillis();
            parts.serverClock().observe(millis);
            return millis;
        } catch (ConflictException | OutcomeUnknownException toBeFoundOut) {
            return null;
        }
    }

    /** Whether a segment that fills its slot is the first that ever did. */
    private boolean confirm(Segment segment, Tip tip, long filledMillis, boolean doubt) {
        if (!tip.isFirst(filledMillis, parts.limits().retention())) {
            KnownHorizon known = horizon(segment);
            if (known.horizon().trimmed() >= segment.number()) {
                boolean perhapsOurs = known.putMillis() - filledMillis
                        >= parts.limits().retention().toMillis();
                if (doubt || perhapsOurs) {
                    throw unknown(segment, null);
                }
                log.delete(List.of(segment.number()));
                var unused = follower.isTrimmed(segment.number());
                return false;
            }
        }
        tail.append(segment, filledMillis);
        return true;
    }

    private KnownHorizon horizon(Segment segment) {
        try {
            return log.horizon();
        } catch (UnavailableException | CorruptDataException untold) {
            throw unknown(segment, untold);
        }
    }

    /** A free slot that was trimmed may have had this segment. */
    private void requireNotTrimmed(Segment segment) {
        if (horizon(segment).horizon().trimmed() >= segment.number()) {
            throw unknown(segment, null);
        }
    }

    private OutcomeUnknownException unknown(Segment segment, @Nullable StoreException cause) {
        String message = "a commit may have taken effect; read what it has written to find out";
        return new OutcomeUnknownException(message, cause, "object", log.key(segment.number()));
    }
}
