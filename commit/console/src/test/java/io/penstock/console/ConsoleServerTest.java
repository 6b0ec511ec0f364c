package io.penstock.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.core.ErrorCode;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Task;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The console's server, as browsers and others on this machine meet it. */
class ConsoleServerTest {
    private static Penstock store;
    private static Console console;
    private static ConsoleServer server;

    @BeforeAll
    static void start() {
        Settings settings = Settings.inMemory();
        store = Penstock.open(settings);
        store.collection("words", Keys.string(), Json.of(String.class)).put("a b/c", "1");
        console = new Console(store, settings, "words");
        server = ConsoleServer.start(console, store.tasks(), 0);
    }

    @AfterAll
    static void stop() {
        server.close();
        store.close();
    }

    /** The whole answer to a request. */
    private static String ask(String request) {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
            String whole = request + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(whole.getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /, localhost, 200",
        "GET, /overview, 127.0.0.1:81, 200",
        "GET, /collections/words/record/YSBiL2M, [::1]:81, 200",
        "GET, /collections/w%6Frds, LOCALHOST:81, 403",
        "GET, /collections/w%6Frds, localhost:81, 200",
        "GET, /style.css, localhost, 200",
        "HEAD, /style.css, localhost, 200",
        "HEAD, /nowhere, localhost, 404",
        "GET, /collections/, localhost, 404",
        "GET, /%zz, localhost, 400",
        "GET, /, evil.example, 403",
        "GET, /, localhost.evil.example, 403",
        "GET, /, 127.0.0.1.evil.example:80, 403",
        "GET, /, '', 403",
        "POST, /, localhost, 405",
        "DELETE, /collections/words, localhost, 405",
        "OPTIONS, /, localhost, 405",
        "POST, /, evil.example, 403",
    })
    void onlyReadersOfThisMachineAreServed(String method, String path, String host, int status) {
        String answer = ask(method + " " + path + " HTTP/1.1\r\nHost: " + host);
        assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
        assertThat(answer.endsWith("\r\n\r\n")).as("no body: %s", answer).isEqualTo(method.equals("HEAD"));
    }

    @Test
    void answersAreNeitherKeptNorFramedNorGuessed() {
        assertThat(ask("GET / HTTP/1.1\r\nHost: localhost"))
                .containsIgnoringCase("Content-Security-Policy: default-src 'none';")
                .containsIgnoringCase("frame-ancestors 'none'")
                .containsIgnoringCase("X-Content-Type-Options: nosniff")
                .containsIgnoringCase("Cache-Control: no-store")
                .containsIgnoringCase("Content-Type: text/html;charset=utf-8")
                .doesNotContainIgnoringCase("Access-Control");
    }

    @Test
    void manyAreAnsweredAtOnce() {
        List<Task<String>> asked = IntStream.range(0, 20)
                .mapToObj(i -> store.tasks().fork("ask", () -> ask("GET /collections HTTP/1.1\r\nHost: localhost")))
                .toList();
        assertThat(asked).allSatisfy(each -> assertThat(each.join()).contains(">words</a>"));
    }

    @Test
    void aPortInUseIsTold() {
        int taken = server.address().getPort();
        assertThatThrownBy(() -> ConsoleServer.start(console, store.tasks(), taken))
                .isInstanceOfSatisfying(
                        UnavailableException.class,
                        failure -> assertThat(failure.code()).isEqualTo(ErrorCode.UNAVAILABLE))
                .hasMessageContaining("give another port")
                .hasMessageContaining("port=" + taken);
    }
}
