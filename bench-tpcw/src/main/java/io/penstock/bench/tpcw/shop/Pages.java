package io.penstock.bench.tpcw.shop;

import io.penstock.bench.tpcw.bookstore.Customer;
import io.penstock.bench.tpcw.bookstore.Item;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.interaction.BuyRequest;
import io.penstock.bench.tpcw.interaction.OrderDisplay;
import io.penstock.bench.tpcw.interaction.SearchResults;
import io.penstock.bench.tpcw.interaction.ShoppingCart;
import io.penstock.bench.tpcw.interaction.Visit;
import io.penstock.bench.tpcw.report.Html;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The bodies of the pages. All text from records and requests goes through {@link Html#escape}. */
final class Pages {
    private final String formToken;

    Pages(String formToken) {
        this.formToken = formToken;
    }

    String greeting(@Nullable Customer customer) {
        return customer == null
                ? "<p>Welcome.</p>"
                : "<p>Welcome back, " + text(customer.firstName() + " " + customer.lastName()) + ".</p>";
    }

    String promotions(List<Item> items) {
        return "<h2>You may like</h2><ul>"
                + items.stream()
                        .map(Pages::link)
                        .map(link -> "<li>" + link + "</li>")
                        .collect(Collectors.joining())
                + "</ul>";
    }

    String subjects() {
        return "<h2>Subjects</h2><ul class=\"subjects\">"
                + Population.SUBJECTS.stream()
                        .map(subject -> "<li>" + text(subject) + ": <a href=\"/new?subject=" + subject
                                + "\">new</a>, <a href=\"/best?subject=" + subject + "\">best sellers</a></li>")
                        .collect(Collectors.joining())
                + "</ul>";
    }

    String list(List<Visit.Row> rows) {
        String body = rows.stream()
                .map(row -> "<tr><td><a href=\"/item?id=" + row.itemId() + "\">"
                        + text(row.listing().title()) + "</a></td><td>" + text(row.author()) + "</td><td>"
                        + money(row.listing().costCents()) + "</td></tr>")
                .collect(Collectors.joining());
        return rows.isEmpty()
                ? "<p>Nothing was found.</p>"
                : "<table><thead><tr><th>Title</th><th>Author</th><th>Price</th></tr></thead><tbody>" + body
                        + "</tbody></table>";
    }

    String item(Item item, String author) {
        return "<dl><dt>Author</dt><dd>" + text(author) + "</dd><dt>Subject</dt><dd>" + text(item.subject())
                + "</dd><dt>Published</dt><dd>" + item.published() + ", " + text(item.publisher())
                + "</dd><dt>Price</dt><dd>" + money(item.costCents()) + "</dd><dt>In stock</dt><dd id=\"stock\">"
                + item.stock() + "</dd></dl><p>" + text(item.description()) + "</p>"
                + form("/cart", "Put into cart", hidden("add", item.id()))
                + "<p><a href=\"/admin?id=" + item.id() + "\">Change this item</a></p>";
    }

    String search() {
        String choices = List.of(SearchResults.By.values()).stream()
                .map(by -> "<option value=\"" + by + "\">" + by.name().toLowerCase(Locale.ROOT) + "</option>")
                .collect(Collectors.joining());
        return "<form method=\"get\" action=\"/results\"><label>Search by <select name=\"by\">" + choices
                + "</select></label> <label>for <input name=\"text\" required maxlength=\"60\"></label>"
                + " <button>Search</button></form>";
    }

    String cart(ShoppingCart.Shown shown) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < shown.inCart().size(); i++) {
            Item item = shown.inCart().get(i);
            lines.append("<p><label><input type=\"number\" name=\"q")
                    .append(item.id())
                    .append("\" min=\"0\" max=\"20\" value=\"")
                    .append(shown.cart().lines().get(i).quantity())
                    .append("\"> ")
                    .append(text(item.title()))
                    .append("</label> ")
                    .append(money(item.costCents()))
                    .append("</p>");
        }
        return form("/cart", "Change quantities", lines.toString()) + "<p>Sum: <strong>" + money(shown.totalCents())
                + "</strong></p><p><a href=\"/register\">Buy</a></p>" + promotions(shown.promotions());
    }

    String registration() {
        String known = "<h2>Sign in</h2>" + field("user name", "userName") + secret();
        String fresh = List.of("first name", "last name", "street", "city", "state", "zip", "phone", "email").stream()
                .map(label -> field(label, label))
                .collect(Collectors.joining());
        return form("/buy", "Sign in", known) + form("/buy", "Register", "<h2>New here?</h2>" + fresh);
    }

    String purchase(BuyRequest.Shown shown) {
        String cards = options(Population.CARDS);
        String ways = options(Population.SHIP_TYPES);
        return "<p>"
                + text(shown.customer().firstName() + " " + shown.customer().lastName())
                + ", user name <code id=\"user\">" + text(shown.customer().userName()) + "</code>, "
                + text(shown.address().street1() + ", " + shown.address().city() + ", "
                        + shown.country().name())
                + "</p>"
                + form(
                        "/confirm",
                        "Buy now",
                        "<p><label>Card <select name=\"card\">" + cards + "</select></label></p>"
                                + field("number", "number") + field("name on it", "name")
                                + "<p><label>Ship by <select name=\"ship\">" + ways + "</select></label></p>");
    }

    private static String options(List<String> values) {
        return values.stream()
                .map(value -> "<option>" + text(value) + "</option>")
                .collect(Collectors.joining());
    }

    String inquiry(@Nullable Customer customer) {
        return greeting(customer) + form("/order", "Show my last order", field("user name", "userName") + secret());
    }

    String order(OrderDisplay.@Nullable Last last) {
        if (last == null) {
            return "<p>There is no order yet.</p>";
        }
        String lines = last.lines().stream()
                .map(line -> "<tr><td>" + line.quantity() + "</td><td><a href=\"/item?id=" + line.itemId() + "\">item "
                        + line.itemId() + "</a></td></tr>")
                .collect(Collectors.joining());
        return "<p>Order <strong id=\"order\">" + last.order().id() + "</strong> of "
                + last.order().date() + ", " + text(last.order().status()) + ", "
                + money(last.order().totalCents()) + "</p><table><tbody>" + lines + "</tbody></table>";
    }

    String admin(Item item) {
        return form(
                "/admin",
                "Change",
                hidden("id", item.id()) + "<p><label>Price in cents <input name=\"cost\" value=\""
                        + item.costCents() + "\"></label></p>" + field("image", "image")
                        + field("thumbnail", "thumbnail"));
    }

    /** A form that carries the visitor's token. */
    private String form(String action, String button, String fields) {
        return "<form method=\"post\" action=\"" + action + "\"><input type=\"hidden\" name=\"token\" value=\""
                + text(formToken) + "\">" + fields + "<button>" + text(button) + "</button></form>";
    }

    private static String hidden(String name, long value) {
        return "<input type=\"hidden\" name=\"" + name + "\" value=\"" + value + "\">";
    }

    private static String field(String label, String name) {
        return "<p><label>" + text(label) + " <input name=\"" + text(name)
                + "\" required maxlength=\"100\"></label></p>";
    }

    private static String secret() {
        return "<p><label>password <input name=\"password\" type=\"password\" required></label></p>";
    }

    private static String link(Item item) {
        return "<a href=\"/item?id=" + item.id() + "\">" + text(item.title()) + "</a>";
    }

    static String text(String text) {
        return Html.escape(text);
    }

    private static String money(long cents) {
        return String.format(Locale.ROOT, "$%,.2f", cents / 100.0);
    }
}
