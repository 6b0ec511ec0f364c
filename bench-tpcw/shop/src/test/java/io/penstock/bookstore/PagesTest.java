package io.penstock.bookstore;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;

/** The 14 pages, and what they do with visitors who mean no good. */
class PagesTest {
    private static final String SCRIPT = "<script>alert(1)</script>";

    private static ConfigurableApplicationContext shop;
    private Browser browser;

    @BeforeAll
    static void open() {
        shop = Shops.open("--penstock.in-memory=true");
    }

    @AfterAll
    static void close() {
        shop.close();
    }

    @BeforeEach
    void visit() {
        browser = new Browser(address());
    }

    @AfterEach
    void leave() {
        browser.close();
    }

    private static URI address() {
        return Shops.address(shop);
    }

    private static String page(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).startsWith("<!DOCTYPE html>").contains("lang=\"en\"", "<h1>", "SERIALIZABLE");
        return answer.body();
    }

    @Test
    void pagesToLookForBooks() {
        assertThat(page(browser.get("/"))).contains("Welcome.", "/best?subject=SELF-HELP", "You may like");
        String book = page(browser.get("/books/9"));
        String title = Browser.found("<h1>(.+?)</h1>", book);
        String subject = Browser.found("/new\\?subject=([A-Z-]+)", book);
        assertThat(page(browser.get("/new?subject=" + subject))).contains("/books/9\"", title, "$");
        assertThat(page(browser.get("/best?subject=" + subject))).contains("Best sellers in");
        assertThat(page(browser.get("/search"))).contains("name=\"by\"", "You may like");
        assertThat(page(browser.get("/results?by=TITLE&text=" + title.replace(" ", "%20"))))
                .contains("/books/9\"");
        String author = Browser.found("by \\w+ (\\w+)<", book);
        assertThat(page(browser.get("/results?by=AUTHOR&text=" + author))).contains("/books/9\"");
        assertThat(page(browser.get("/results?by=TITLE&text=none"))).contains("Nothing was found.");
    }

    @Test
    void theOrderShownIsTheOneBought() {
        assertThat(page(browser.get("/cart"))).contains("nothing in it yet");
        HttpResponse<String> added = browser.submit("/cart", Map.of("add", 9));
        assertThat(added.statusCode()).isBetween(302, 303);
        assertThat(added.headers().firstValue("Location").orElseThrow()).isEqualTo("/cart");
        browser.submit("/cart", Map.of("copies-9", 3, "add", 8));
        browser.submit("/cart", Map.of("copies-9", 3, "copies-8", 1, "remove", 8));
        assertThat(page(browser.get("/cart"))).contains("value=\"3\"").doesNotContain("copies-8");
        assertThat(page(browser.get("/register"))).contains("New here?");
        assertThat(page(browser.submit("/buy", Map.of("userName", "AL", "password", "al"))))
                .contains("id=\"user\">AL<", "Buy now");
        String order = Browser.found("id=\"order\">(\\d+)<", page(browser.submit("/confirm", Shops.PAYMENT)));
        assertThat(page(browser.get("/orders"))).contains("Welcome back");
        assertThat(Shops.lastOrder(browser, "AL")).contains("id=\"order\">" + order, "3 ×", "/books/9", "For Bela");
        assertThat(browser.submit("/confirm", Shops.PAYMENT).statusCode())
                .as("the cart is empty")
                .isEqualTo(400);
    }

    @Test
    void aCartWithoutBooksIsEmpty() {
        browser.submit("/cart", Map.of("add", 9));
        browser.submit("/cart", Map.of("copies-9", 0));
        assertThat(page(browser.get("/cart"))).contains("nothing in it yet");
    }

    @Test
    void aBookAddedInAnotherTabStaysWhenThisOneTakesItsLastOut() {
        browser.submit("/cart", Map.of("add", 5));
        browser.submit("/cart", Map.of("add", 6));
        browser.submit("/cart", Map.of("copies-5", 1, "remove", 5));
        assertThat(page(browser.get("/cart"))).contains("copies-6").doesNotContain("copies-5");
    }

    /** Both requests find a visitor without a cart; then one changes it after the other. */
    @Test
    void twoBooksAddedAtOnceToANewCartAreBothInIt() {
        browser.get("/");
        Visitor visitor = Visitor.unknown(browser.cookie("visitor"));
        CartController carts = shop.getBean(CartController.class);
        for (long book = 7; book <= 8; book++) {
            assertThat(carts.change(visitor, book, null, Map.of())).isEqualTo("redirect:/cart");
        }
        assertThat(page(browser.get("/cart"))).contains("copies-7", "copies-8");
    }

    @Test
    void anAdministratorChangesABook() {
        assertThat(page(browser.get("/books/7/edit"))).contains("name=\"price\"");
        Map<String, String> change = Map.of("price", "12.34", "image", SCRIPT, "thumbnail", "t.gif");
        assertThat(browser.submit("/books/7/edit", change).statusCode()).isBetween(302, 303);
        assertThat(page(browser.get("/books/7"))).contains("$12.34");
        assertThat(page(browser.get("/books/7/edit")))
                .contains("&lt;script&gt;")
                .doesNotContain(SCRIPT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"184467440737095516.17", "1e30000000", "1e-30000000", "-1", "0", "10000", "NaN"})
    void aPriceOutOfRangeIsRefusedAtOnce(String price) {
        String before = Browser.found("(\\$[0-9.,]+)", page(browser.get("/books/11")));
        Map<String, String> change = Map.of("price", price, "image", "i.gif", "thumbnail", "t.gif");
        assertThat(browser.submit("/books/11/edit", change).statusCode()).isEqualTo(400);
        assertThat(page(browser.get("/books/11"))).contains(before);
    }

    @Test
    void aReadersDescriptionWaitsForTheCurator() {
        assertThat(page(browser.get("/books/6/describe"))).contains("<textarea");
        for (String text : new String[] {"Well told. " + SCRIPT, "Dull."}) {
            assertThat(page(browser.submit("/books/6/describe", Map.of("text", text))))
                    .contains("waits for the curator");
        }
        assertThat(page(browser.get("/books/6"))).doesNotContain("Well told.", "Dull.");
        String waiting = page(browser.get("/review"));
        assertThat(waiting)
                .contains("Well told. &lt;script&gt;", "Dull.", "by a reader")
                .doesNotContain(SCRIPT);
        String first = Browser.found("name=\"proposal\" value=\"([0-9a-f-]+)\"", waiting);
        Map<String, String> approval = Map.of("proposal", first, "decision", "APPROVE");
        assertThat(browser.post("/review", approval).statusCode()).isEqualTo(403);
        assertThat(browser.submit("/review", approval).statusCode()).isBetween(302, 303);
        assertThat(page(browser.get("/books/6")))
                .contains("Well told. &lt;script&gt;")
                .doesNotContain(SCRIPT);
        assertThat(browser.submit("/review", approval).body()).contains("somebody was faster");
        String second = Browser.found("name=\"proposal\" value=\"([0-9a-f-]+)\"", page(browser.get("/review")));
        assertThat(browser.submit("/review", Map.of("proposal", second, "decision", "APPROVE"))
                        .body())
                .contains("The description changed since");
        assertThat(browser.submit("/review", Map.of("proposal", second, "decision", "REJECT"))
                        .body())
                .contains("Fill in the reason.");
        browser.submit("/review", Map.of("proposal", second, "decision", "REJECT", "reason", "dull"));
        assertThat(page(browser.get("/review"))).contains("Nothing waits.");
    }

    @Test
    void whatVisitorsTypeIsTextAndNeverMarkup() {
        Map<String, String> person = new LinkedHashMap<>();
        Shops.PERSON.keySet().forEach(field -> person.put(field, SCRIPT));
        browser.submit("/cart", Map.of("add", 5));
        String registered = page(browser.submit("/buy", person));
        assertThat(registered).contains("&lt;script&gt;").doesNotContain(SCRIPT);
        assertThat(page(browser.get("/"))).contains("&lt;script&gt;").doesNotContain(SCRIPT);
        Map<String, String> payment = new LinkedHashMap<>(Shops.PAYMENT);
        payment.put("comment", SCRIPT);
        payment.put("name", SCRIPT);
        page(browser.submit("/confirm", payment));
        String order = Shops.lastOrder(browser, Browser.found("id=\"user\">(\\w+)<", registered));
        assertThat(order).contains("&lt;script&gt;").doesNotContain(SCRIPT);
        assertThat(page(browser.get("/results?by=TITLE&text=%3Cscript%3Ealert(1)%3C/script%3E")))
                .contains("&lt;script&gt;")
                .doesNotContain(SCRIPT);
    }

    @Test
    void formsOfOtherSitesAndOfYesterdayAreRefused() {
        assertThat(browser.post("/cart", Map.of("add", 1)).statusCode()).isEqualTo(403);
        browser.get("/");
        assertThat(browser.post("/cart", Map.of("add", 1)).statusCode()).isEqualTo(403);
        try (Browser other = new Browser(address())) {
            HttpResponse<String> answer = browser.post("/cart", Map.of("add", 1, "token", other.token()));
            assertThat(answer.statusCode()).isEqualTo(403);
            assertThat(answer.body()).contains("role=\"alert\"", "Begin again.");
        }
        assertThat(page(browser.get("/cart"))).contains("nothing in it yet");
    }

    @Test
    void aPlantedCookieIsWorthNothingAfterSigningIn() {
        browser.submit("/cart", Map.of("add", 9));
        String planted = browser.cookie("visitor");
        page(browser.submit("/buy", Map.of("userName", "RI", "password", "ri")));
        assertThat(browser.cookie("visitor")).matches("[0-9a-f]{32}").isNotEqualTo(planted);
        try (Browser thief = new Browser(address())) {
            thief.setCookie("visitor", planted);
            assertThat(page(thief.get("/cart"))).contains("nothing in it yet");
            assertThat(page(thief.get("/orders"))).doesNotContain("Welcome back");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/books/0",
                "/books/999999999999",
                "/books/x",
                "/new",
                "/new?subject=%3Cscript%3E",
                "/results?by=COLOR&text=x",
                "/results?by=TITLE",
                "/results?by=TITLE&text=",
                "/results?by=TITLE&text=%ED%A0%80",
                "/books/-1/edit",
                "/books/0/describe"
            })
    void whatIsWrongGetsAClearPage(String path) {
        HttpResponse<String> answer = browser.get(path);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("role=\"alert\"").doesNotContain("Exception");
    }

    @Test
    void formsAreShownAgainWithWhatWasFilledIn() {
        browser.submit("/cart", Map.of("add", 9));
        HttpResponse<String> wrong = browser.submit("/buy", Map.of("userName", "AL", "password", "secret"));
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(wrong.body())
                .contains("User name or password is wrong.", "value=\"AL\"", "Sign in")
                .doesNotContain("secret");
        Map<String, String> person = new LinkedHashMap<>(Shops.PERSON);
        person.put("city", " ");
        HttpResponse<String> missing = browser.submit("/buy", person);
        assertThat(missing.statusCode()).isEqualTo(400);
        assertThat(missing.body()).contains("Fill in the city.", "value=\"ada@example.org\"");
        person.remove("city");
        assertThat(browser.submit("/buy", person).statusCode()).isEqualTo(400);
        assertThat(browser.submit("/order", Map.of("userName", "AL", "password", "x"))
                        .body())
                .contains("User name or password is wrong.", "Show my last order");
    }

    @Test
    void quantitiesOutOfRangeAndTooMuchTextAreRefused() {
        for (String copies : new String[] {"-1", "1000000000", "99999999999999999999", "many"}) {
            HttpResponse<String> answer = browser.submit("/cart", Map.of("copies-9", copies));
            assertThat(answer.statusCode()).as(copies).isEqualTo(400);
            assertThat(answer.body()).contains("role=\"alert\"");
        }
        assertThat(browser.submit("/cart", Map.of("copies-9", "1".repeat(1 << 20)))
                        .statusCode())
                .isBetween(400, 499);
        assertThat(browser.get("/results?by=TITLE&text=" + "x".repeat(9_000)).statusCode())
                .isBetween(400, 499);
    }

    @Test
    void answersAreGuarded() throws IOException {
        HttpResponse<String> answer = browser.get("/");
        assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'")
                .doesNotContain("script-src");
        assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(answer.headers().allValues("Set-Cookie"))
                .anyMatch(cookie -> cookie.startsWith("visitor=") && cookie.contains("SameSite=Strict"))
                .allMatch(cookie -> cookie.contains("HttpOnly"));
        assertThat(browser.get("/nothing").statusCode()).isEqualTo(404);
        assertThat(answer.body()).doesNotContain("<script");
        try (Socket socket = new Socket("127.0.0.1", address().getPort())) {
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 421");
        }
    }

    @Test
    void styleSheetsAreThere() {
        for (String sheet : page(browser.get("/")).split("rel=\"stylesheet\" href=\"")) {
            if (sheet.startsWith("/")) {
                HttpResponse<String> answer = browser.get(sheet.substring(0, sheet.indexOf('"')));
                assertThat(answer.statusCode()).as(sheet).isEqualTo(200);
                assertThat(answer.headers().firstValue("Content-Type").orElseThrow())
                        .startsWith("text/css");
            }
        }
    }

    @Test
    void thePageThatIsAliveMoves() {
        HttpResponse<String> before = browser.get("/live");
        assertThat(page(before)).contains("Dollars", "Pending messages", "Age of the oldest", "Conflicts");
        assertThat(before.headers().firstValue("Refresh")).isPresent();
        browser.submit("/cart", Map.of("add", 3));
        HttpResponse<String> after = browser.get("/live?still");
        assertThat(after.headers().firstValue("Refresh")).isEmpty();
        String table = "(?s)(<table.*</table>)";
        assertThat(Browser.found(table, after.body())).isNotEqualTo(Browser.found(table, before.body()));
    }
}
