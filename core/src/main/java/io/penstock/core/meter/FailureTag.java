package io.penstock.core.meter;

import io.micrometer.core.instrument.Tag;
import io.penstock.core.ErrorCode;
import io.penstock.core.StoreException;

/** The tag {@code code} of the meters of failures. */
public final class FailureTag {
    /** The tag of {@link ErrorCode#UNAVAILABLE}: meters begin with it, so that none is absent at zero. */
    public static final Tag FIRST = of(ErrorCode.UNAVAILABLE);

    private FailureTag() {}

    public static Tag of(ErrorCode code) {
        return Tag.of("code", code.name());
    }

    /** The tag of what was thrown; {@code UNEXPECTED} when it is none of the store's exceptions. */
    public static Tag of(Throwable failure) {
        return failure instanceof StoreException known ? of(known.code()) : Tag.of("code", "UNEXPECTED");
    }
}
