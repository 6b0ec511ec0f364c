package io.penstock.core.remote;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * What a client knows of a request that failed. Holds no text of a server or a library, because such texts quote keys
 * and bodies; only what cannot: a status, a code, a request id, names of exceptions. Immutable.
 *
 * @param status of the answer; 0 without one
 * @param code the server's name for the error; empty without one
 * @param requestId names the request in the server's logs; empty without one
 * @param exceptions the simple names of the exceptions from the outermost to the first cause, for who looks for the
 *     fault in network or set-up; empty when the server answered
 */
public record RequestFailure(Stage stage, int status, String code, String requestId, String exceptions) {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9.:_/+=-]{1,128}");

    /** What a time-out of a connection not yet made says at its end, in the JDK and in Apache's client. */
    private static final String CONNECT_TIMED_OUT = "connect timed out";

    /** Causes deeper than this are not looked at: a chain may be a ring. */
    private static final int CAUSES_MAX = 16;

    /** How far the request came. */
    public enum Stage {
        /** The client could not even make it: there were no credentials to sign it with. */
        NOT_MADE,

        /** No connection came about, so it never left. */
        NOT_SENT,

        /** It, or a part of it, may have reached the server; no whole answer came back. */
        LOST,

        /** The same, because the thread that waited was interrupted. */
        INTERRUPTED,

        /** The server answered: the status and the code say what. */
        ANSWERED
    }

    /** An answer; {@code code} and {@code requestId} count only if they look like what they should be. */
    public static RequestFailure answered(int status, @Nullable String code, @Nullable String requestId) {
        return new RequestFailure(Stage.ANSWERED, status, plain(code), plain(requestId), "");
    }

    /** No answer; {@code stage} as the caller knows it, {@code failure} for the names of its causes. */
    public static RequestFailure unanswered(Stage stage, Throwable failure) {
        return new RequestFailure(stage, 0, "", "", names(failure));
    }

    /**
     * No answer; the causes tell how far the request came. Only what certainly came before the first byte of the
     * request counts as not sent: an address that is not known, a refused or timed-out connection, a failed handshake.
     * Whatever is not recognised counts as lost, which is the safe side.
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
                    || cause instanceof SocketTimeoutException timeout && isConnectTimeout(timeout)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /** A time-out of a read is the same class; only the text tells them apart, and any other text counts as a read. */
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
