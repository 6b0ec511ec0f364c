package io.penstock.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.core.Bytes;
import io.penstock.core.Durability;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages of a store with something of each kind, and of stores without. */
class ConsoleTest {
    private static final Pattern HEAD = Pattern.compile("<th scope=\"row\">(.*?)</th>");
    private static final Pattern NEXT = Pattern.compile("href=\"([^\"]+)\"[^>]* rel=\"next\"");

    @TempDir
    private static Path directory;

    private static final SimpleMeterRegistry METERS = new SimpleMeterRegistry();
    private static Penstock store;
    private static Console console;

    @BeforeAll
    static void fill() {
        ThreadTasks tasks = new ThreadTasks();
        try (LocalCloud cloud = LocalCloud.open(directory, tasks, Durability.OS_CACHE)) {
            Demo.fill(cloud.objects(), cloud.queues(), tasks);
        }
        Settings settings = Settings.local(directory).readOnly(true).meters(METERS);
        store = Penstock.open(settings);
        console = new Console(store, settings, "a <b>shop</b>");
    }

    @AfterAll
    static void close() {
        store.close();
    }

    private static Answer answer(String path) {
        List<String> parts = path.isEmpty() ? List.of() : List.of(path.split("/"));
        return console.answer("../".repeat(Math.max(0, parts.size() - 1)), parts);
    }

    private static String page(String path) {
        Answer answer = answer(path);
        assertThat(answer.status()).as(path).isEqualTo(200);
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    private static String record(String collection, Bytes key) {
        return page("collections/" + collection + "/record/"
                + Base64.getUrlEncoder().withoutPadding().encodeToString(key.toArray()));
    }

    /** The heads of the rows of a page, as text. */
    private static List<String> heads(String page) {
        List<String> heads = new ArrayList<>();
        Matcher row = HEAD.matcher(page);
        while (row.find()) {
            heads.add(row.group(1).replaceAll("<[^>]+>", ""));
        }
        return heads;
    }

    private static Map<String, Bytes> files() throws IOException {
        Map<String, Bytes> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(directory.relativize(file).toString(), Bytes.wrap(Files.readAllBytes(file)));
            }
        }
        return files;
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://h/", "http://h/actuator/penstockconsole", "http://h/a/b/"})
    void allPagesAreReachedByLinksAndChangeNothing(String first) throws IOException {
        Map<String, Bytes> before = files();
        Map<String, String> pages = Walk.over(console, first);
        assertThat(files()).isEqualTo(before);
        assertThat(pages.keySet())
                .contains(
                        "",
                        "overview",
                        "style.css",
                        "icon.svg",
                        "clients",
                        "backlog",
                        "quarantine",
                        "cost",
                        "logs",
                        "logs/main",
                        "logs/main/16",
                        "collections/books/index/by-author",
                        "collections/visits")
                .anyMatch(each -> each.startsWith("quarantine/quarantine/penstock-pu-"))
                .anyMatch(each -> each.startsWith("collections/books/index/by-title/after/"))
                .filteredOn(each -> each.startsWith("collections/books/record/"))
                .hasSize(Demo.BOOKS);
        assertThat(pages.values())
                .as("one that the log has, and that was deleted since")
                .filteredOn(each -> each.contains("Not found"))
                .hasSize(1);
    }

    @Test
    void recordsComePageByPage() {
        List<String> keys = new ArrayList<>();
        String path = "collections/books";
        for (int pages = 1; !path.isEmpty(); pages++) {
            String page = page(path);
            keys.addAll(heads(page));
            Matcher next = NEXT.matcher(page);
            path = next.find() ? next.group(1).replace("../", "") : "";
            assertThat(pages).isLessThan(5);
        }
        assertThat(keys)
                .isEqualTo(LongStream.rangeClosed(1, Demo.BOOKS)
                        .mapToObj(Long::toString)
                        .toList());
    }

    @Test
    void entriesOfAnIndexLeadToRecords() {
        assertThat(heads(page("collections/books/index/by-author")).subList(0, 21))
                .startsWith("Bachman")
                .endsWith("Gray");
        assertThat(page("collections/books/index/by-author")).contains("record/gAAAAAAAAAQ");
    }

    @Test
    void valuesAreShownByWhatTheyAre() {
        assertThat(record("books", Keys.longs().encode(4L)))
                .contains("&quot;author&quot; : &quot;Bachman&quot;", "JSON", ">8000000000000004<");
        assertThat(record("files", Bytes.utf8("cover.png"))).contains(">89504e4700010203<", ">bytes<");
        assertThat(record("files", Bytes.utf8(Demo.SCRIPT)))
                .contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot;&gt;&lt;img src=x", ">text<");
        assertThat(record("files", Bytes.utf8("'\"&<>/../?#%2e")))
                .contains("&quot;&lt;/pre&gt;&lt;script&gt;", "1.10", "&#39;&quot;&amp;&lt;&gt;/../?#%2e<");
        assertThat(record("files", Bytes.wrap(new byte[] {0, (byte) 0xff, '<', 10})))
                .contains(">00ff3c0a<", "\\u{202e}txt.exe");
        assertThat(heads(page("collections/orders")))
                .startsWith("ada · 3", "ada · 6")
                .endsWith("grace · 22");
        assertThat(page("")).contains("a &lt;b&gt;shop&lt;/b&gt;", "SERIALIZABLE", "read only");
    }

    @Test
    void ofALargeValueOnlyTheFrontIsRead() {
        double before = received();
        assertThat(record("files", Bytes.utf8("film.mp4")))
                .contains("<span title=\"3,145,728 bytes\">3.0 MiB</span>", "the first KiB");
        assertThat(page("collections/files")).contains("3.0 MiB");
        assertThat(page("logs/uploads")).contains("(large)");
        assertThat(received() - before).isLessThan(100_000);
    }

    private static double received() {
        return METERS.find("penstock.bytes").tag("direction", "out").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    @Test
    void aLogShowsItsChangesNewestFirst() {
        String newest = page("logs/main");
        assertThat(newest.indexOf("ada · 0")).isPositive().isLessThan(newest.indexOf("barbara · 23"));
        assertThat(newest).contains(">deleted<", ">Older<").doesNotContain(">Newer<");
        assertThat(page("logs/main/10")).contains(">Newer<", "volume 120").doesNotContain(">Older<");
        assertThat(page("logs")).contains(">main<", ">uploads<", "25 segments");
    }

    @Test
    void whatWaitsAndWhatWasKeptIsShown() {
        assertThat(page("quarantine")).contains("it is no message of this kind", ">visits<");
        assertThat(page("backlog")).contains("collection=visits");
        assertThat(page("cost")).contains("s3.list", "list prices");
        assertThat(page("clients")).contains("No client is registered");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nowhere",
                "overview/more",
                "collections/none",
                "collections/none/record/AA",
                "collections/books/record/AA",
                "collections/books/record/!",
                "collections/books/more",
                "collections/books/after/none",
                "collections/books/index/none",
                "collections/books/index/by-author/after/none",
                "logs/none",
                "logs/main/none",
                "logs/main/0",
                "logs/main/99",
                "logs/main/-1",
                "logs/main/1/2",
                "quarantine/none",
                "quarantine/quarantine/none/none"
            })
    void whatIsNotThereIsNotFound(String path) {
        Answer answer = answer(path);
        assertThat(answer.status()).as(path).isEqualTo(404);
        assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("<h1>Not found</h1>", "<code>");
    }

    @Test
    void anEmptyStoreHasPagesToo() {
        Settings settings = Settings.inMemory();
        try (Penstock empty = Penstock.open(settings)) {
            assertThat(Walk.over(new Console(empty, settings, "new"), "http://h/"))
                    .hasSize(10)
                    .hasEntrySatisfying("", page -> assertThat(page).contains("The store has no collections yet."));
        }
    }

    @Test
    void aStoreThatFailsSaysWhy() {
        Settings settings = Settings.inMemory();
        Console gone;
        try (Penstock closed = Penstock.open(settings)) {
            gone = new Console(closed, settings, "gone");
        }
        Answer answer = gone.answer("", List.of("collections"));
        assertThat(answer.status()).isEqualTo(503);
        assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("<code>CLOSED</code>");
        assertThat(new String(gone.answer("", List.of()).body(), StandardCharsets.UTF_8))
                .contains("cannot be read: CLOSED");
    }

    @Test
    void aStoreInABucketAloneIsShownAndStaysAsItIs() {
        inSimulation(cloud -> {
            Settings settings = Settings.on(cloud.objects(), cloud.client)
                    .pageBytes(1024)
                    .checkpointing(false)
                    .advanced(advanced -> advanced.sweeping(false));
            try (Penstock writer = Penstock.open(settings)) {
                writer.collection("words", Keys.string(), Json.of(String.class)).put("a", "1");
                writer.admin().checkpoint();
                writer.collection("words", Keys.string(), Json.of(String.class)).put("b", "2");
                Map<String, Bytes> before = content(cloud.objects());
                assertThat(Walk.over(new Console(writer, settings, "writer"), "http://h/"))
                        .isNotEmpty();
                assertThat(content(cloud.objects()))
                        .as("a handle that may write shows, too")
                        .isEqualTo(before);
            }
            ObjectStore objects = cloud.objects();
            Map<String, Bytes> before = content(objects);
            try (Penstock look = Penstock.open(settings.readOnly(true))) {
                Map<String, String> pages = Walk.over(new Console(look, settings, "bucket"), "http://h/");
                assertThat(heads(pages.get("collections/words"))).containsExactly("a", "b");
                assertThat(pages.get("backlog")).contains("The store has no PU queues");
            }
            assertThat(content(objects)).isEqualTo(before).isNotEmpty();
        });
    }

    private static Map<String, Bytes> content(ObjectStore objects) {
        Map<String, Bytes> content = new TreeMap<>();
        objects.list("", "", 1000)
                .entries()
                .forEach(each -> content.put(
                        each.key(), objects.get(each.key()).orElseThrow().body()));
        return content;
    }

    private record Place(SimulatedCloud cloud, SimulatedClient client) {
        ObjectStore objects() {
            return cloud.objects(client);
        }
    }

    private static void inSimulation(Consumer<Place> body) {
        Simulation simulation = new Simulation(7);
        SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
        simulation.run(() -> {
            body.accept(new Place(cloud, simulation.client("main")));
            return true;
        });
    }
}
