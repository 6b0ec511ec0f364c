package io.penstock.bench.tpcw.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.ConsistencyLevel;
import io.penstock.Settings;
import io.penstock.bench.tpcw.bookstore.Item;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.bookstore.Scale;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testkit.Profile;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShopWebServerTest {
    private static final Population POPULATION = new Population(1, new Scale(1, 100));
    private static final String SCRIPT = "<script>alert(1)</script>";

    private static LocalCloud cloud;
    private static ShopProgram shop;

    @BeforeAll
    static void open(@TempDir Path directory) {
        Tasks tasks = new ThreadTasks();
        cloud = LocalCloud.open(directory, tasks);
        Settings settings = Settings.on(cloud.objects(), cloud.queues(), tasks)
                .prefix("shop")
                .level(ConsistencyLevel.ATOMIC);
        shop = new ShopProgram(settings, tasks, POPULATION, 0, Profile.AWS_2026.prices(), Optional.empty(), rows -> {});
    }

    @AfterAll
    static void close() {
        shop.close();
        cloud.close();
    }

    /** A browser of one person. */
    private static final class Browser {
        private final HttpClient http =
                HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
        private int port = shop.port();

        HttpResponse<String> get(String path) throws IOException, InterruptedException {
            return send(request(path).build());
        }

        HttpResponse<String> post(String path, Map<String, String> fields) throws IOException, InterruptedException {
            String body = fields.entrySet().stream()
                    .map(field -> encode(field.getKey()) + "=" + encode(field.getValue()))
                    .collect(Collectors.joining("&"));
            return send(request(path)
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build());
        }

        /** Sends a form of the page at {@code from}, with its token. */
        HttpResponse<String> submit(String from, String path, Map<String, String> fields)
                throws IOException, InterruptedException {
            Map<String, String> all = new HashMap<>(fields);
            all.put(
                    "token",
                    find("name=\"token\" value=\"([0-9a-f]+)\"", get(from).body()));
            return post(path, all);
        }

        private static String encode(String text) {
            return URLEncoder.encode(text, StandardCharsets.UTF_8);
        }

        private HttpRequest.Builder request(String path) {
            return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        }

        private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        }
    }

    private static String find(String pattern, String text) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        assertThat(found.find()).as("%s in %s", pattern, text).isTrue();
        return found.group(1);
    }

    @Test
    void theOrderShownIsTheOneBought() throws IOException, InterruptedException {
        Browser browser = new Browser();
        assertThat(browser.get("/").body()).contains("Welcome.", "ATOMIC");
        Item item = POPULATION.item(9);
        assertThat(browser.get("/results?by=TITLE&text=" + item.title().substring(0, 14))
                        .body())
                .contains("/item?id=9\"");
        browser.submit("/item?id=9", "/cart", Map.of("add", "9"));
        assertThat(browser.submit("/cart", "/cart", Map.of("q9", "3")).body()).contains("value=\"3\"");
        HttpResponse<String> signedIn = browser.submit("/register", "/buy", Map.of("userName", "AL", "password", "al"));
        assertThat(signedIn.statusCode()).isEqualTo(200);
        String token = find("name=\"token\" value=\"([0-9a-f]+)\"", signedIn.body());
        Map<String, String> payment = Map.of("token", token, "card", "VISA", "number", "4", "name", "A", "ship", "AIR");
        String order =
                find("id=\"order\">(\\d+)<", browser.post("/confirm", payment).body());
        HttpResponse<String> shown = browser.submit("/orders", "/order", Map.of("userName", "AL", "password", "al"));
        assertThat(find("id=\"order\">(\\d+)<", shown.body())).isEqualTo(order);
        assertThat(shown.body()).contains("<td>3</td>", "item 9");
        assertThat(browser.post("/confirm", payment).statusCode())
                .as("the cart is empty")
                .isEqualTo(400);
    }

    private static ShopProgram another(ConsistencyLevel level, byte[] key) {
        Tasks tasks = new ThreadTasks();
        Settings settings = Settings.on(cloud.objects(), cloud.queues(), tasks)
                .prefix(level.isolates() ? "strict-shop" : "shop")
                .level(level);
        return new ShopProgram(settings, tasks, POPULATION, 0, Profile.AWS_2026.prices(), Optional.of(key), rows -> {});
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC"})
    void visitorsGoFromServerToServer(ConsistencyLevel level) throws IOException, InterruptedException {
        byte[] key = "a key of two servers".getBytes(StandardCharsets.UTF_8);
        try (ShopProgram one = another(level, key);
                ShopProgram two = another(level, key)) {
            Browser browser = new Browser();
            browser.port = one.port();
            browser.submit("/item?id=8", "/cart", Map.of("add", "8"));
            browser.port = two.port();
            assertThat(browser.submit("/cart", "/cart", Map.of("q8", "2")).body())
                    .contains("value=\"2\"");
            browser.port = one.port();
            HttpResponse<String> signedIn =
                    browser.submit("/register", "/buy", Map.of("userName", "RE", "password", "re"));
            String token = find("name=\"token\" value=\"([0-9a-f]+)\"", signedIn.body());
            browser.port = two.port();
            Map<String, String> payment =
                    Map.of("token", token, "card", "VISA", "number", "4", "name", "A", "ship", "AIR");
            String order = find(
                    "id=\"order\">(\\d+)<", browser.post("/confirm", payment).body());
            browser.port = one.port();
            HttpResponse<String> shown =
                    browser.submit("/orders", "/order", Map.of("userName", "RE", "password", "re"));
            assertThat(find("id=\"order\">(\\d+)<", shown.body())).isEqualTo(order);
            assertThat(shown.body()).contains("<td>2</td>", "item 8");
        }
    }

    @Test
    void passportsOfOtherShopsAreWorthNothing() throws IOException, InterruptedException {
        try (ShopProgram one =
                        another(ConsistencyLevel.ATOMIC, "a key of one server".getBytes(StandardCharsets.UTF_8));
                ShopProgram two =
                        another(ConsistencyLevel.ATOMIC, "a key of another one".getBytes(StandardCharsets.UTF_8))) {
            Browser browser = new Browser();
            browser.port = one.port();
            browser.submit("/item?id=8", "/cart", Map.of("add", "8"));
            String token = find(
                    "name=\"token\" value=\"([0-9a-f]+)\"", browser.get("/cart").body());
            browser.port = two.port();
            assertThat(browser.post("/cart", Map.of("token", token, "q8", "2")).statusCode())
                    .isEqualTo(403);
        }
    }

    @Test
    void formsOfOtherSitesAndOfYesterdayAreRefused() throws IOException, InterruptedException {
        Browser browser = new Browser();
        assertThat(browser.post("/cart", Map.of("add", "1")).statusCode()).isEqualTo(403);
        browser.get("/");
        assertThat(browser.post("/cart", Map.of("add", "1")).statusCode()).isEqualTo(403);
        assertThat(browser.post("/cart", Map.of("add", "1", "token", "0".repeat(32)))
                        .statusCode())
                .isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/item?id=0",
                "/item?id=999999999999",
                "/item?id=x",
                "/item",
                "/new?subject=%3Cscript%3E",
                "/results?by=COLOR&text=x",
                "/results?by=TITLE",
                "/admin?id=-1"
            })
    void whatIsWrongGetsAClearPage(String path) throws IOException, InterruptedException {
        HttpResponse<String> answer = new Browser().get(path);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("role=\"alert\"").doesNotContain("Exception");
    }

    @Test
    void quantitiesOutOfRangeAndTooMuchTextAreRefused() throws IOException, InterruptedException {
        Browser browser = new Browser();
        for (String quantity : new String[] {"-1", "1000000000", "99999999999999999999", "many"}) {
            assertThat(browser.submit("/register", "/cart", Map.of("q9", quantity))
                            .statusCode())
                    .as(quantity)
                    .isEqualTo(400);
        }
        assertThat(browser.submit("/register", "/cart", Map.of("add", "x".repeat(1 << 20)))
                        .statusCode())
                .isEqualTo(400);
        assertThat(browser.get("/results?by=TITLE&text=" + "x".repeat(9_000)).statusCode())
                .isEqualTo(400);
    }

    @Test
    void whatVisitorsTypeIsTextAndNeverMarkup() throws IOException, InterruptedException {
        Browser browser = new Browser();
        String fields = "first name,last name,street,city,state,zip,phone,email";
        Map<String, String> person =
                Arrays.stream(fields.split(",")).collect(Collectors.toMap(name -> name, name -> SCRIPT));
        browser.submit("/item?id=5", "/cart", Map.of("add", "5"));
        HttpResponse<String> registered = browser.submit("/register", "/buy", person);
        assertThat(registered.statusCode()).isEqualTo(200);
        assertThat(registered.body()).contains("&lt;script&gt;").doesNotContain(SCRIPT);
        assertThat(browser.get("/").body()).contains("&lt;script&gt;").doesNotContain(SCRIPT);
    }

    @Test
    void answersAreGuarded() throws IOException, InterruptedException {
        HttpResponse<String> answer = new Browser().get("/");
        assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'");
        assertThat(answer.headers().firstValue("Set-Cookie").orElseThrow()).contains("HttpOnly", "SameSite=Strict");
        assertThat(new Browser().get("/nothing").statusCode()).isEqualTo(404);
    }

    @Test
    void thePageThatIsAliveMoves() throws IOException, InterruptedException {
        Browser browser = new Browser();
        assertThat(browser.get("/live").body()).contains("/live.js");
        String before = browser.get("/live.json").body();
        assertThat(before).contains("dollars", "pendingMessages", "conflicts");
        assertThat(browser.get("/live.json").body()).isNotEqualTo(before);
    }
}
