package io.penstock.core.remote;

import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.RefusedException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * A client's conclusion from a failed request. Immutable.
 *
 * @param code the cause, for a program
 * @param advice why, and what to do
 */
public record Verdict(Kind kind, ErrorCode code, String advice) {
    /** The kinds of verdict, one for each exception that a failed request may become. */
    public enum Kind {
        /** {@link ConflictException}: a condition did not hold. */
        CONFLICT,

        /** {@link UnavailableException}: nothing was done. */
        NOT_DONE,

        /** {@link OutcomeUnknownException}: it may have taken effect. */
        UNKNOWN,

        /** {@link RefusedException}: nothing was done, and a retry fails too until the servers are repaired. */
        REFUSED,

        /** {@link InvalidRequestException}: it will fail again. */
        INVALID
    }

    public static Verdict conflict(String advice) {
        return new Verdict(Kind.CONFLICT, ErrorCode.CONFLICT, advice);
    }

    public static Verdict notDone(String advice) {
        return notDone(ErrorCode.UNAVAILABLE, advice);
    }

    public static Verdict notDone(ErrorCode code, String advice) {
        return new Verdict(Kind.NOT_DONE, code, advice);
    }

    public static Verdict unknown(String advice) {
        return new Verdict(Kind.UNKNOWN, ErrorCode.OUTCOME_UNKNOWN, advice);
    }

    public static Verdict refused(ErrorCode code, String advice) {
        return new Verdict(Kind.REFUSED, code, advice);
    }

    /** Whether a repetition would fail again. */
    public boolean isFinal() {
        return kind == Kind.REFUSED || kind == Kind.INVALID;
    }

    public static Verdict invalid(ErrorCode code, String advice) {
        return new Verdict(Kind.INVALID, code, advice);
    }

    /**
     * The exception to throw. It has no cause, because the texts of the library's exceptions quote what was sent.
     *
     * @param service the service that was called, such as {@code s3}
     * @param call the call, such as {@code put}
     * @param place the place: names and values by turns
     */
    public StoreException exception(String service, String call, RequestFailure failure, Object... place) {
        String message = service + " " + call + " failed: " + advice;
        @Nullable Object[] particulars = particulars(failure, place);
        return switch (kind) {
            case CONFLICT -> new ConflictException(message, particulars);
            case NOT_DONE -> new UnavailableException(code, message, particulars);
            case UNKNOWN -> new OutcomeUnknownException(message, particulars);
            case REFUSED -> new RefusedException(code, message, particulars);
            case INVALID -> new InvalidRequestException(code, message, particulars);
        };
    }

    private static @Nullable Object[] particulars(RequestFailure failure, Object... place) {
        @Nullable
        Object[] own = failure.stage() == RequestFailure.Stage.ANSWERED
                ? new Object[] {
                    "status", failure.status(), "code", failure.code(), "requestId", failure.requestId(),
                }
                : new Object[] {"stage", failure.stage(), "exceptions", failure.exceptions()};
        @Nullable Object[] all = java.util.Arrays.copyOf(place, place.length + own.length, Object[].class);
        System.arraycopy(own, 0, all, place.length, own.length);
        return all;
    }
}
