package io.penstock.testing;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.WriteCondition;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** A server on the loopback interface that answers each connection's request by given bytes, and closes it. */
public final class RawFace implements AutoCloseable {
    private final ServerSocket server;
    private volatile String reply;

    public RawFace(String first) {
        reply = first;
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::serve);
    }

    /** An answer of status 200 that is whole. */
    public static String ok(String type, String body) {
        return "HTTP/1.1 200 OK\r\nx-ms-request-id: 1\r\nContent-Type: " + type + "\r\nContent-Length: " + body.length()
                + "\r\nConnection: close\r\n\r\n" + body;
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    /**
     * Checks that an answer which is cut in its head is no empty object, and one of no failure is no refusal: the JDK's
     * connections take the end of a head for the end of the body.
     *
     * @param store that reads from this server
     */
    public void checkCutAnswers(ObjectStore store) {
        reply = "HTTP/1.1 200 OK\r\nx-goog-generation: 7\r\nETag: \"0x1\"\r\n"
                + "Date: Sat, 21 Nov 2026 07:00:00 GMT\r\nLast-Modified: Sat, 21 Nov 2026 07:00:00 GMT\r\n";
        assertThatThrownBy(() -> store.get("k")).isInstanceOf(UnavailableException.class);
        assertThatThrownBy(() -> store.getTimed("k")).isInstanceOf(UnavailableException.class);
        assertThatThrownBy(() -> store.getRange("k", 10, 10)).isInstanceOf(UnavailableException.class);
        assertThatThrownBy(() -> store.getIfChanged("k", new ObjectVersion("6")))
                .isInstanceOf(UnavailableException.class);
        for (String answer : List.of("garbled\r\n\r\n", "HTTP/1.1 204 No Content\r\n\r\n")) {
            reply = answer;
            assertThatThrownBy(() -> store.put("k", Bytes.EMPTY, WriteCondition.IF_ABSENT))
                    .isInstanceOf(OutcomeUnknownException.class);
        }
    }

    private void serve() {
        while (!server.isClosed()) {
            try (Socket connection = server.accept()) {
                var in = new BufferedReader(
                        new InputStreamReader(connection.getInputStream(), StandardCharsets.ISO_8859_1));
                int length = 0;
                for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
                    if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                        length = Integer.parseInt(line.substring(15).strip());
                    }
                }
                for (int i = 0; i < length; i++) {
                    var unused = in.read();
                }
                connection.getOutputStream().write(reply.getBytes(StandardCharsets.ISO_8859_1));
            } catch (IOException closed) {
                // The next connection is another one.
            }
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
