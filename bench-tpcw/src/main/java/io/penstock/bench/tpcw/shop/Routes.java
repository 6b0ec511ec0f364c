package io.penstock.bench.tpcw.shop;

import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.bookstore.Scale;
import io.penstock.bench.tpcw.bookstore.ShopException;
import io.penstock.bench.tpcw.interaction.AdminConfirm;
import io.penstock.bench.tpcw.interaction.AdminRequest;
import io.penstock.bench.tpcw.interaction.BestSellers;
import io.penstock.bench.tpcw.interaction.BuyConfirm;
import io.penstock.bench.tpcw.interaction.BuyRequest;
import io.penstock.bench.tpcw.interaction.CustomerRegistration;
import io.penstock.bench.tpcw.interaction.Home;
import io.penstock.bench.tpcw.interaction.Interaction;
import io.penstock.bench.tpcw.interaction.NewProducts;
import io.penstock.bench.tpcw.interaction.OrderDisplay;
import io.penstock.bench.tpcw.interaction.OrderInquiry;
import io.penstock.bench.tpcw.interaction.ProductDetail;
import io.penstock.bench.tpcw.interaction.SearchRequest;
import io.penstock.bench.tpcw.interaction.SearchResults;
import io.penstock.bench.tpcw.interaction.ShopServer;
import io.penstock.bench.tpcw.interaction.ShoppingCart;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;

/** Which request runs which interaction, and what its page shows. Safe for use by many threads. */
final class Routes {
    private static final LocalDate CARD_EXPIRES = Population.TODAY.plusYears(2);

    private final ShopServer server;
    private final Scale scale;
    private final RandomGenerator random;
    private final LongAdder conflicts = new LongAdder();

    Routes(ShopServer server, Scale scale, RandomGenerator random) {
        this.server = server;
        this.scale = scale;
        this.random = random;
    }

    /** Times that an interaction ran again, because another visitor was first. */
    long conflicts() {
        return conflicts.sum();
    }

    /** A page: its title, and a body of HTML. */
    record Page(String title, String body) {}

    /** The page that a request asks for, or empty when there is none. */
    Optional<Page> answer(String request, Form form, WebSession visitor) {
        Pages pages = new Pages(visitor.formToken());
        return Optional.ofNullable(
                switch (request) {
                    case "GET /" -> home(visitor, pages);
                    case "GET /new" ->
                        new Page(
                                "New: " + subject(form),
                                pages.list(run(visitor, new NewProducts(subject(form)))
                                        .rows()));
                    case "GET /best" ->
                        new Page(
                                "Best: " + subject(form),
                                pages.list(run(visitor, new BestSellers(subject(form)))
                                        .rows()));
                    case "GET /item" -> item(visitor, pages, form.number("id"));
                    case "GET /search" ->
                        new Page(
                                "Search",
                                pages.search()
                                        + pages.promotions(run(visitor, new SearchRequest(anyItem()))
                                                .items()));
                    case "GET /results" -> results(visitor, pages, form);
                    case "GET /cart", "POST /cart" -> cart(visitor, pages, form);
                    case "GET /register" ->
                        new Page(
                                "Who are you?",
                                pages.greeting(run(visitor, new CustomerRegistration(visitor.customerId()))
                                                .customer())
                                        + pages.registration());
                    case "POST /buy" -> buy(visitor, pages, form);
                    case "POST /confirm" -> confirm(visitor, form);
                    case "GET /orders" ->
                        new Page(
                                "Your orders",
                                pages.inquiry(run(visitor, new OrderInquiry(visitor.customerId()))
                                        .customer()));
                    case "POST /order" ->
                        new Page(
                                "Your last order",
                                pages.order(run(visitor, new OrderDisplay(form.text("userName"), form.text("password")))
                                        .last()));
                    case "GET /admin" -> {
                        AdminRequest.Shown shown = run(visitor, new AdminRequest(form.number("id")));
                        yield new Page("Change: " + shown.item().title(), pages.admin(shown.item()));
                    }
                    case "POST /admin" -> admin(visitor, pages, form);
                    default -> null;
                });
    }

    private <S extends Interaction.Shown> S run(WebSession visitor, Interaction<S> interaction) {
        LongAdder attempts = new LongAdder();
        S shown = server.serve(visitor.store(), interaction, attempt -> attempts.increment());
        conflicts.add(attempts.sum() - 1);
        return shown;
    }

    private long anyItem() {
        return random.nextLong(1, scale.items() + 1L);
    }

    private static String subject(Form form) {
        return form.text("subject");
    }

    private Page home(WebSession visitor, Pages pages) {
        Home.Shown shown = run(visitor, new Home(visitor.customerId(), anyItem()));
        return new Page("Books", pages.greeting(shown.customer()) + pages.promotions(shown.items()) + pages.subjects());
    }

    private Page item(WebSession visitor, Pages pages, long id) {
        ProductDetail.Shown shown = run(visitor, new ProductDetail(id));
        String author = shown.author().firstName() + " " + shown.author().lastName();
        return new Page(shown.item().title(), pages.item(shown.item(), author));
    }

    private Page results(WebSession visitor, Pages pages, Form form) {
        SearchResults.By by;
        try {
            by = SearchResults.By.valueOf(form.text("by"));
        } catch (IllegalArgumentException e) {
            throw new ShopException("Search by author, title or subject.");
        }
        SearchResults.Shown shown = run(visitor, new SearchResults(by, form.optional("text")));
        return new Page("Results for " + shown.text(), pages.list(shown.rows()));
    }

    private Page cart(WebSession visitor, Pages pages, Form form) {
        Map<Long, Integer> quantities = new HashMap<>();
        form.fields().forEach((name, value) -> {
            if (name.startsWith("q")) {
                quantities.put(Form.number("item", name.substring(1)), Form.quantity(value));
            }
        });
        Long added = form.has("add") ? form.number("add") : null;
        ShoppingCart.Shown shown = run(visitor, new ShoppingCart(visitor.cartId(), added, quantities, anyItem()));
        visitor.cart(shown.cart().id());
        return new Page("Your cart", pages.cart(shown));
    }

    private Page buy(WebSession visitor, Pages pages, Form form) {
        BuyRequest.Buyer buyer = form.has("userName")
                ? new BuyRequest.Returning(form.text("userName"), form.text("password"))
                : newcomer(form);
        BuyRequest.Shown shown = run(visitor, new BuyRequest(cartOf(visitor), buyer));
        visitor.signedIn(shown.customer().id());
        return new Page("Buy", pages.purchase(shown));
    }

    private static BuyRequest.Newcomer newcomer(Form form) {
        BuyRequest.Home home = new BuyRequest.Home(
                form.text("street"), "", form.text("city"), form.text("state"), form.text("zip"), 1);
        return new BuyRequest.Newcomer(
                form.text("first name"),
                form.text("last name"),
                home,
                form.text("phone"),
                form.text("email"),
                Population.TODAY.minusYears(30),
                "");
    }

    private static long cartOf(WebSession visitor) {
        Long cart = visitor.cartId();
        if (cart == null) {
            throw new ShopException("The cart is empty. Put something into it first.");
        }
        return cart;
    }

    private Page confirm(WebSession visitor, Form form) {
        Long customer = visitor.customerId();
        if (customer == null) {
            throw new ShopException("Sign in first.");
        }
        BuyConfirm.Card card =
                new BuyConfirm.Card(form.text("card"), form.text("number"), form.text("name"), CARD_EXPIRES);
        BuyConfirm.Shown shown =
                run(visitor, new BuyConfirm(cartOf(visitor), customer, card, form.text("ship"), "", null));
        visitor.cart(null);
        return new Page(
                "Thank you",
                "<p>Your order is <strong id=\"order\">"
                        + shown.purchase().order().id() + "</strong>.</p><p><a href=\"/orders\">Your orders</a></p>");
    }

    private Page admin(WebSession visitor, Pages pages, Form form) {
        long id = form.number("id");
        run(visitor, new AdminConfirm(id, form.number("cost"), form.text("image"), form.text("thumbnail")));
        return item(visitor, pages, id);
    }
}
