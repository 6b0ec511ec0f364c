package io.penstock.bench.tpcw.anomaly;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.penstock.bench.tpcw.bookstore.Purchase;
import io.penstock.bench.tpcw.interaction.InteractionKind;
import io.penstock.core.Stamp;
import java.util.List;

/** An event of a browser's session at {@link #nanos}, by the clock of the process that reports it. */
@JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS, property = "kind")
public sealed interface SessionEvent {
    long nanos();

    /** Returns this event by a clock that is {@code offset} nanoseconds ahead. */
    SessionEvent by(long offset);

    /** An attempt is about to commit: others may see it from now on, acknowledged or not. */
    record Attempted(long nanos, PageFacts page) implements SessionEvent {
        @Override
        public SessionEvent by(long offset) {
            return new Attempted(nanos + offset, page);
        }
    }

    /**
     * A page was answered; what it wrote is acknowledged.
     *
     * @param startNanos when it was asked for
     * @param attempts the number of runs of the interaction, conflicts included
     */
    record Answered(
            long session, InteractionKind interaction, long startNanos, long nanos, int attempts, PageFacts page)
            implements SessionEvent {
        @Override
        public SessionEvent by(long offset) {
            return new Answered(session, interaction, startNanos + offset, nanos + offset, attempts, page);
        }
    }

    /**
     * A page says why not.
     *
     * @param own it would be right if the session saw what it has written
     */
    record Refused(long nanos, boolean own) implements SessionEvent {
        @Override
        public SessionEvent by(long offset) {
            return new Refused(nanos + offset, own);
        }
    }

    /** No page, or no purchase: the store did not answer, or conflicts did not end. */
    record Failed(long nanos) implements SessionEvent {
        @Override
        public SessionEvent by(long offset) {
            return new Failed(nanos + offset);
        }
    }

    /** No page was answered, and it is unknown which of these attempts was committed, if any. */
    record Unknown(long nanos, List<PageFacts> attempts) implements SessionEvent {
        @Override
        public SessionEvent by(long offset) {
            return new Unknown(nanos + offset, attempts);
        }
    }

    /**
     * The paper's transaction, which is no page of a browser, is acknowledged.
     *
     * @param startNanos when its first attempt began
     */
    record Bought(long startNanos, long nanos, Purchase purchase, Stamp stamp) implements SessionEvent {
        @Override
        public SessionEvent by(long offset) {
            return new Bought(startNanos + offset, nanos + offset, purchase, stamp);
        }
    }

    /** It is unknown whether the paper's transaction was committed. */
    record PerhapsBought(long nanos, Purchase purchase) implements SessionEvent {
        @Override
        public SessionEvent by(long offset) {
            return new PerhapsBought(nanos + offset, purchase);
        }
    }

    /** A reader saw an order with {@code lines} lines. */
    record OrderSeen(long nanos, long order, int lines) implements SessionEvent {
        @Override
        public SessionEvent by(long offset) {
            return new OrderSeen(nanos + offset, order, lines);
        }
    }
}
