package io.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Json;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.task.ThreadTasks;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Buyers by 32 threads at two processes of an application, at its defaults: each gets a ticket, or a reason. */
@Tag("slow")
class TwoProcessesTest {
    private static final int THREADS = 32;
    private static final int TICKETS = 64;
    private static final int BUYERS = 128;

    private final HttpClient client = HttpClient.newHttpClient();

    /** The ticket of each buyer that got one, as the answers say. */
    private final Map<Integer, String> bought = new TreeMap<>();

    /** The answers of each kind; those without status are of a process that was killed. */
    private final Map<Integer, Integer> answers = new TreeMap<>();

    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();

    @TempDir
    private Path directory;

    /** A server in a process of its own. */
    private record Server(Process process, BufferedReader said, int port) implements AutoCloseable {
        static Server start(Path directory) throws IOException {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            TicketServer.class.getName(),
                            directory.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            BufferedReader said = process.inputReader();
            String port = said.lines()
                    .filter(line -> line.startsWith("port "))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("the server has not started"));
            return new Server(process, said, Integer.parseInt(port.substring("port ".length())));
        }

        void kill() {
            boolean unused = process.toHandle().destroyForcibly();
            process.onExit().join();
        }

        @Override
        public void close() {
            kill();
        }
    }

    private synchronized void note(int status, String buyer, String said) {
        answers.merge(status, 1, Integer::sum);
        if (status == 200) {
            assertThat(bought.put(Integer.parseInt(said), buyer)).as(said).isNull();
        } else if (status == 500) {
            failures.add(said);
        }
    }

    private void buy(String buyer, Server server) {
        try {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port + "/" + buyer))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            note(answer.statusCode(), "/" + buyer, answer.body());
        } catch (IOException gone) {
            note(0, buyer, "");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @param killedAt the number of buyers after which the second server is killed */
    private void sell(Server first, Server second, int killedAt) {
        AtomicInteger come = new AtomicInteger();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            for (int i = 0; i < BUYERS; i++) {
                threads.execute(() -> {
                    int number = come.incrementAndGet();
                    if (number == killedAt) {
                        second.kill();
                    }
                    boolean one = number % 2 == 0 || !second.process.isAlive();
                    buy("buyer" + number, one ? first : second);
                });
            }
        }
    }

    /** Runs a sale, and returns what the store says was sold. */
    private Map<Integer, String> sale(int killedAt) throws IOException {
        ThreadTasks tasks = new ThreadTasks();
        try (LocalCloud cloud = LocalCloud.open(directory, tasks);
                Penstock store = Penstock.open(Settings.on(cloud.objects(), tasks))) {
            RecordCollection<String, Integer> left = store.collection("left", Keys.string(), Json.of(Integer.class));
            left.put("tickets", TICKETS);
            try (Server first = Server.start(directory);
                    Server second = Server.start(directory)) {
                sell(first, second, killedAt);
            }
            var sold = store.collection("sold", Keys.longs(), Json.of(String.class));
            Map<Integer, String> found;
            try (var scan = sold.scan(KeySpan.all())) {
                found = scan.stream()
                        .collect(Collectors.toMap(each -> each.key().intValue(), each -> each.value()));
            }
            assertThat(left.get("tickets")).contains(TICKETS - found.size());
            return found;
        }
    }

    @Test
    void eachBuyerGetsATicketOrAReason() throws IOException {
        assertThat(sale(-1)).isEqualTo(bought);
        assertThat(failures).isEmpty();
        assertThat(answers).isEqualTo(Map.of(200, TICKETS, 409, BUYERS - TICKETS));
    }

    @Test
    void noTicketIsLostOrSoldTwiceWhenOneIsKilled() throws IOException {
        Map<Integer, String> sold = sale(BUYERS / 4);
        assertThat(failures).isEmpty();
        assertThat(answers.keySet()).isSubsetOf(0, 200, 409);
        assertThat(answers.get(0)).as("the load was there").isPositive();
        assertThat(sold).containsAllEntriesOf(bought);
        assertThat(sold).as("all are sold, for want of no buyers").hasSize(TICKETS);
    }
}
