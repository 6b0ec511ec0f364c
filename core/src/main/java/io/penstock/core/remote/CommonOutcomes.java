package io.penstock.core.remote;

import io.penstock.core.ErrorCode;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** The rows that the tables of outcomes of all services share. Does no I/O. */
public final class CommonOutcomes {
    /** The codes for expired credentials. */
    public static final Set<String> EXPIRED =
            Set.of("ExpiredToken", "ExpiredTokenException", "RequestExpired", "TokenRefreshRequired");

    public static final Verdict THROTTLING =
            Verdict.notDone(ErrorCode.THROTTLED, "the server is throttling; retry later");
    public static final Verdict INCOMPLETE = Verdict.notDone("the request did not arrive completely; retry");
    public static final Verdict CREDENTIALS_EXPIRED =
            Verdict.notDone(ErrorCode.NO_CREDENTIALS, "the credentials have expired; renew them, then retry");
    public static final Verdict REFUSED =
            Verdict.invalid(ErrorCode.REQUEST_REFUSED, "the server refuses the request; look up the code");

    private CommonOutcomes() {}

    /**
     * The verdict on a request by the stage it reached.
     *
     * @param unclear the verdict on a request that may have taken effect, from the reason why that is unknown
     * @param answered the verdict on the server's answer
     */
    public static Verdict of(RequestFailure failure, Function<String, Verdict> unclear, Supplier<Verdict> answered) {
        return switch (failure.stage()) {
            case NOT_MADE ->
                Verdict.invalid(
                        ErrorCode.NO_CREDENTIALS,
                        "no credentials were found; give them by environment, profile, role or settings");
            case NOT_SENT ->
                Verdict.notDone(
                        ErrorCode.UNREACHABLE,
                        "the server cannot be reached; check endpoint and network, or retry later");
            case LOST -> unclear.apply("the answer was lost");
            case INTERRUPTED -> interrupted(unclear.apply("the thread was interrupted while it waited"));
            case ANSWERED -> answered.get();
        };
    }

    private static Verdict interrupted(Verdict verdict) {
        return verdict.kind() == Verdict.Kind.NOT_DONE
                ? Verdict.notDone(ErrorCode.INTERRUPTED, verdict.advice())
                : verdict;
    }
}
