package io.penstock.testing;

import io.penstock.core.ErrorCode;
import io.penstock.core.StoreException;
import org.assertj.core.api.Condition;

/** Conditions on the codes of exceptions. */
public final class Codes {
    private Codes() {}

    /** The condition that an exception has {@code wanted}. */
    public static Condition<Throwable> code(ErrorCode wanted) {
        return new Condition<>(
                failure -> failure instanceof StoreException known && known.code() == wanted, "code " + wanted);
    }
}
