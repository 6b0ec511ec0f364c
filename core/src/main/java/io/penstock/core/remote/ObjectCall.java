package io.penstock.core.remote;

import io.penstock.core.ErrorCode;

/** The kind of a request to an object store. */
public enum ObjectCall {
    READ("read"),
    PUT("put"),
    CONDITIONAL_PUT("put"),
    DELETE("delete");

    private final String text;

    ObjectCall(String text) {
        this.text = text;
    }

    /** The word for it in messages. */
    public String text() {
        return text;
    }

    /** The verdict on a request that may have taken effect. A read changes nothing, so it is <i>not done</i>. */
    public Verdict unclear(String why) {
        return switch (this) {
            case READ -> Verdict.notDone(why + "; retry later");
            case PUT -> Verdict.unknown(why + "; the object may have been written: put it again");
            case CONDITIONAL_PUT -> Verdict.unknown(why + "; the object may have been written: read it to find out");
            case DELETE -> Verdict.unknown(why + "; the object may be gone: delete it again");
        };
    }

    /** The verdict on a request of which the server says that a condition does not hold. */
    public Verdict conditionFailed() {
        return this == CONDITIONAL_PUT
                ? Verdict.conflict("the object does not meet the condition; read it again, then retry")
                : Verdict.invalid(
                        ErrorCode.REQUEST_REFUSED,
                        "the server reports a failed condition that was not set; check proxies on the way");
    }
}
