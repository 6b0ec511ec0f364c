package io.penstock.testing;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import javax.net.ssl.SSLHandshakeException;

/** The failures that the tables of {@code docs/failures} name, as replies of an HTTP client. */
public final class PlannedFailures {
    /** The name of a server's answer: a status, and a code if there is one. */
    private static final String ANSWER = "[1-5][0-9][0-9]( .+)?";

    private PlannedFailures() {}

    /** The time limit of a call: long, except for the failure that is a call which takes too long. */
    public static Duration callTimeout(String name) {
        return name.equals("ApiCallTimeoutException") ? Duration.ofSeconds(1) : Duration.ofMinutes(2);
    }

    /** An error of a service. */
    @FunctionalInterface
    public interface Error {
        ScriptedHttp.Reply of(int status, String code, String text);
    }

    /** @param text what the server, or the network, says beyond the code: never to be seen again */
    public static ScriptedHttp.Reply reply(String name, Error error, String text) {
        if (name.matches(ANSWER)) {
            return error.of(
                    Integer.parseInt(name.substring(0, 3)), name.substring(3).strip(), text);
        }
        return switch (name) {
            case "AbortedException" -> ScriptedHttp.interrupt();
            case "ApiCallTimeoutException" -> ScriptedHttp.silence();
            default -> ScriptedHttp.failure(exception(name, text));
        };
    }

    private static IOException exception(String name, String text) {
        return switch (name) {
            case "UnknownHostException" -> new UnknownHostException(text);
            case "ConnectException" -> new ConnectException(text);
            case "NoRouteToHostException" -> new NoRouteToHostException(text);
            case "SSLHandshakeException" -> new SSLHandshakeException(text);
            case "SocketTimeoutException: Connect timed out" -> new SocketTimeoutException("Connect timed out");
            case "SocketTimeoutException: Read timed out" -> new SocketTimeoutException("Read timed out");
            case "SocketException" -> new SocketException(text);
            case "EOFException" -> new EOFException(text);
            default -> throw new IllegalArgumentException("docs/failures names a failure that no test knows: " + name);
        };
    }
}
