package io.penstock.bench.tpcw.run;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.penstock.bench.tpcw.bookstore.InteractionKind;
import io.penstock.bench.tpcw.bookstore.Purchase;
import io.penstock.core.Stamp;
import java.util.List;

/** An event of a client's session at {@code nanos}, by the clock of the process that reports it. */
public record SessionEvent(long nanos, Fact fact) {
    /** Returns this event by a clock that is {@code offset} nanoseconds ahead. */
    SessionEvent by(long offset) {
        return new SessionEvent(nanos + offset, fact);
    }

    /** The content of an event. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS, property = "kind")
    public sealed interface Fact {}

    /** An attempt is about to commit: others may see it from now on, acknowledged or not. */
    record Attempted(PageFacts page) implements Fact {}

    /**
     * A page was answered; what it wrote is acknowledged.
     *
     * @param tookNanos the time since it was asked for
     * @param attempts the number of runs of the interaction, conflicts included
     */
    record Answered(long session, InteractionKind interaction, long tookNanos, int attempts, PageFacts page)
            implements Fact {}

    /**
     * A page says why not.
     *
     * @param own it would be right if the session saw what it has written
     */
    record Refused(boolean own) implements Fact {}

    /** No page, or no purchase: the store did not answer, or conflicts did not end. */
    record Failed() implements Fact {}

    /** No page was answered, and it is unknown which of these attempts was committed, if any. */
    record Unknown(List<PageFacts> attempts) implements Fact {}

    /**
     * The paper's transaction, which is no page of a browser, is acknowledged.
     *
     * @param tookNanos the time since its first attempt began
     */
    record Bought(long tookNanos, Purchase purchase, Stamp stamp) implements Fact {}

    /** It is unknown whether the paper's transaction was committed. */
    record PerhapsBought(Purchase purchase) implements Fact {}

    /** A reader saw an order with {@code lines} lines. */
    record OrderSeen(long order, int lines) implements Fact {}
}
