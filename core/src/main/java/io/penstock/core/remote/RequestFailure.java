package io.penstock.core.remote;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * The known facts of a failed request. It holds no text of a server or a library, because such texts quote keys and
 * bodies; a status, a code, a request id and names of exceptions cannot. Immutable.
 *
 * @param status of the answer; 0 without one
 * @param code the server's name for the error; empty without one
 * @param requestId names the request in the server's logs; empty without one
 * @param exceptions the simple names of the exceptions from the outermost to the first cause, for tracing faults of
 *     network or set-up; empty when the server answered
 */
public record RequestFailure(Stage stage, int status, String code, String requestId, String exceptions) {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9.:_/+=-]{1,128}");

    /** The end of the message of a connection's time-out, in the JDK and in Apache's client. */
    private static final String CONNECT_TIMED_OUT = "connect timed out";

    /** The JDK's message for a server that answers a handshake in plain text. */
    private static final String NO_TLS = "Unsupported or unrecognized SSL message";

    /** The most causes examined: a chain may be a ring. */
    private static final int CAUSES_MAX = 16;

    /** The first status that may be a failure's, and the first one beyond all. */
    private static final int FAILURES = 300;

    private static final int FAILURES_END = 600;

    /** The stage that the request reached. */
    public enum Stage {
        /** The request could not be made: there were no credentials to sign it with. */
        NOT_MADE,

        /** The request was never sent: no connection was made. */
        NOT_SENT,

        /** The request, or a part of it, may have reached the server; no complete answer arrived. */
        LOST,

        /**
         * No complete answer arrived because the thread that waited was interrupted; the request may have reached the
         * server.
         */
        INTERRUPTED,

        /** The server answered; status and code have the details. */
        ANSWERED
    }

    /**
     * An answer; {@code code} and {@code requestId} are dropped unless they have the expected form. A status that is no
     * failure's, without a code, is no answer of the server.
     */
    public static RequestFailure answered(int status, @Nullable String code, @Nullable String requestId) {
        String known = plain(code);
        boolean failed = !known.isEmpty() || status >= FAILURES && status < FAILURES_END;
        return new RequestFailure(failed ? Stage.ANSWERED : Stage.LOST, status, known, plain(requestId), "");
    }

    /** No answer; {@code stage} as the caller knows it, {@code failure} for the names of its causes. */
    public static RequestFailure unanswered(Stage stage, Throwable failure) {
        return new RequestFailure(stage, 0, "", "", names(failure));
    }

    /**
     * No answer; the causes give the stage. A request counts as not sent only if the failure certainly came before its
     * first byte: an unknown address, a refused or timed-out connection, a failed handshake. Everything else counts as
     * lost, which is the safe side.
     */
    public static RequestFailure unanswered(Throwable failure) {
        return unanswered(isBeforeTheRequest(failure) ? Stage.NOT_SENT : Stage.LOST, failure);
    }

    private static boolean isBeforeTheRequest(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
            if (cause instanceof ConnectException
                    || cause instanceof UnknownHostException
                    || cause instanceof NoRouteToHostException
                    || cause instanceof SSLHandshakeException
                    || cause instanceof SSLPeerUnverifiedException
                    || cause instanceof SSLException && NO_TLS.equals(cause.getMessage())
                    || cause instanceof SocketTimeoutException timeout && isConnectTimeout(timeout)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /**
     * A read's time-out has the same class; only the text distinguishes them, and any other text counts as a read's.
     */
    private static boolean isConnectTimeout(SocketTimeoutException timeout) {
        String message = timeout.getMessage();
        return message != null && message.toLowerCase(Locale.ROOT).endsWith(CONNECT_TIMED_OUT);
    }

    private static String plain(@Nullable String text) {
        return text != null && PLAIN.matcher(text).matches() ? text : "";
    }

    private static String names(Throwable failure) {
        StringBuilder names = new StringBuilder();
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
            names.append(depth == 0 ? "" : "/").append(cause.getClass().getSimpleName());
            cause = cause.getCause();
        }
        return names.toString();
    }
}
