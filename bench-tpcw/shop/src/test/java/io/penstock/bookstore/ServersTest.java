package io.penstock.bookstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.ConsistencyLevel;
import io.penstock.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ConfigurableApplicationContext;

/** Several servers of one shop, and one that starts again. */
class ServersTest {
    private static final String KEY = "a key of two servers";

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC"})
    void visitorsGoFromServerToServer(ConsistencyLevel level) {
        Settings settings = Settings.inMemory().level(level);
        try (ConfigurableApplicationContext one = Shops.open(settings, KEY);
                ConfigurableApplicationContext two = Shops.open(settings, KEY);
                Browser browser = new Browser(Shops.address(one))) {
            browser.submit("/cart", Map.of("add", 8));
            browser.at(Shops.address(two)).submit("/cart", Map.of("copies-8", 2));
            browser.at(Shops.address(one));
            assertThat(browser.get("/cart").body()).contains("value=\"2\"");
            browser.submit("/buy", Map.of("userName", "RE", "password", "re"));
            browser.at(Shops.address(two));
            String order = Browser.found(
                    "id=\"order\">(\\d+)<",
                    browser.submit("/confirm", Shops.PAYMENT).body());
            browser.at(Shops.address(one));
            assertThat(Shops.lastOrder(browser, "RE")).contains("id=\"order\">" + order, "2 ×", "/books/8");
            assertThat(browser.cookie("penstock")).as("the session's token").isNotEmpty();
        }
    }

    @Test
    void cookiesOfOtherShopsAreWorthNothing() {
        try (ConfigurableApplicationContext one = Shops.open(Settings.inMemory(), "a key of one server");
                ConfigurableApplicationContext two = Shops.open(Settings.inMemory(), "a key of another one");
                Browser browser = new Browser(Shops.address(one))) {
            browser.submit("/cart", Map.of("add", 8));
            String token = browser.cookie("penstock");
            browser.at(Shops.address(two));
            assertThat(browser.get("/cart").body()).contains("nothing in it yet");
            browser.submit("/cart", Map.of("add", 9));
            assertThat(browser.get("/cart").body()).contains("copies-9").doesNotContain("copies-8");
            assertThat(browser.cookie("penstock")).isNotEqualTo(token);
        }
    }

    /** The stock is what it was, less what was sold; 21 more come whenever it runs low. */
    @Test
    void noCopyIsSoldTwice() throws InterruptedException, ExecutionException {
        int buyers = 8;
        Settings settings = Settings.inMemory();
        try (ConfigurableApplicationContext one = Shops.open(settings, KEY);
                ConfigurableApplicationContext two = Shops.open(settings, KEY);
                Browser owner = new Browser(Shops.address(one));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            int before = stock(owner);
            List<Future<String>> orders = new ArrayList<>();
            for (int i = 0; i < buyers; i++) {
                ConfigurableApplicationContext server = i % 2 == 0 ? one : two;
                orders.add(threads.submit(() -> {
                    try (Browser buyer = new Browser(Shops.address(server))) {
                        buyer.submit("/cart", Map.of("add", 4));
                        return Shops.buy(buyer, "SE");
                    }
                }));
            }
            for (Future<String> order : orders) {
                assertThat(order.get()).isNotEmpty();
            }
            assertThat(Math.floorMod(stock(owner) - before + buyers, 21)).isZero();
            assertThat(stock(owner.at(Shops.address(two)))).isEqualTo(stock(owner.at(Shops.address(one))));
        }
    }

    private static int stock(Browser browser) {
        return Integer.parseInt(
                Browser.found("id=\"stock\">(\\d+)<", browser.get("/books/4").body()));
    }

    @Test
    void anOrderSurvivesARestart(@TempDir Path directory) {
        String place = "--penstock.directory=" + directory;
        String order;
        try (ConfigurableApplicationContext shop = Shops.open(place);
                Browser browser = new Browser(Shops.address(shop))) {
            browser.submit("/cart", Map.of("add", 6));
            order = Shops.buy(browser, "UL");
        }
        try (ConfigurableApplicationContext shop = Shops.open(place);
                Browser browser = new Browser(Shops.address(shop))) {
            assertThat(Shops.lastOrder(browser, "UL")).contains("id=\"order\">" + order, "/books/6");
        }
    }
}
