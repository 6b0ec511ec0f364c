package io.penstock;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The transaction that each thread is in: what it does with the same store takes part. Safe for many threads.
 */
final class Current {
    private final ThreadLocal<@Nullable Place> places = new ThreadLocal<>();

    /** A transaction that a thread is in, and where it was before. */
    private record Place(Transaction transaction, @Nullable Place around) {}

    /** The transaction that this thread is in; null if there is none, or it is over. */
    @Nullable
    Transaction get() {
        return places.get() instanceof Place here && !here.transaction().isOver() ? here.transaction() : null;
    }

    void enter(Transaction transaction) {
        Place here = places.get();
        places.set(new Place(transaction, here == null || here.transaction().isEnded() ? null : here));
    }

    /** Takes this thread back to where it was before it entered a transaction, if it is there. */
    void leave(Transaction transaction) {
        if (places.get() instanceof Place here && here.transaction() == transaction) {
            places.set(here.around());
        }
    }

    /** Runs something in a transaction. */
    <T> T during(Transaction transaction, Supplier<T> body) {
        Place before = places.get();
        enter(transaction);
        try {
            return body.get();
        } finally {
            places.set(before);
        }
    }

    /** @throws InvalidRequestException when this thread is in a transaction, which {@code what} cannot be a part of */
    void requireNone(String what) {
        if (get() != null) {
            throw new InvalidRequestException(
                    ErrorCode.TRANSACTION_MISUSE,
                    "this thread is in a transaction, and the call would not be a part of it; make it before or after",
                    "call",
                    what);
        }
    }
}
