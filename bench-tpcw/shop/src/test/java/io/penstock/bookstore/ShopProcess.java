package io.penstock.bookstore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The shop in a process of its own. For one thread. */
final class ShopProcess implements AutoCloseable {
    private static final Duration START_WITHIN = Duration.ofMinutes(5);

    private final Process process;
    private final URI address;

    private ShopProcess(Process process, URI address) {
        this.process = process;
        this.address = address;
    }

    /** Begins to start the application with these properties, each as {@code name=value}. */
    static ShopProcess start(List<String> properties) {
        int port = freePort();
        List<String> command = java(List.of("-Xmx512m"), Bookstore.class);
        command.addAll(List.of("--server.port=" + port, "--shop.items=100", "--logging.level.root=error"));
        properties.forEach(property -> command.add("--" + property));
        try {
            ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
            builder.environment().put("AWS_ACCESS_KEY_ID", "test");
            builder.environment().put("AWS_SECRET_ACCESS_KEY", "test");
            return new ShopProcess(builder.start(), URI.create("http://127.0.0.1:" + port));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The command that runs a program of this class path on this Java. */
    static List<String> java(List<String> flags, Class<?> program) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(
                List.of("-Djava.util.logging.config.file=none", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error"));
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        return command;
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the application answers. */
    ShopProcess awaitStart() throws InterruptedException {
        long begun = System.nanoTime();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest look =
                    HttpRequest.newBuilder(address.resolve("/books/1")).build();
            while (true) {
                try {
                    if (client.send(look, HttpResponse.BodyHandlers.discarding())
                                    .statusCode()
                            == 200) {
                        return this;
                    }
                } catch (IOException notYet) {
                    // It is asked again.
                }
                if (!process.isAlive() || System.nanoTime() - begun > START_WITHIN.toNanos()) {
                    close();
                    throw new IllegalStateException("the application does not start; its output says why");
                }
                Thread.sleep(100);
            }
        }
    }

    URI address() {
        return address;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(40, java.util.concurrent.TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
