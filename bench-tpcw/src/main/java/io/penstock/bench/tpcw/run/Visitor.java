package io.penstock.bench.tpcw.run;

import io.penstock.bench.tpcw.bookstore.AdminConfirm;
import io.penstock.bench.tpcw.bookstore.AdminRequest;
import io.penstock.bench.tpcw.bookstore.BestSellers;
import io.penstock.bench.tpcw.bookstore.BuyConfirm;
import io.penstock.bench.tpcw.bookstore.BuyRequest;
import io.penstock.bench.tpcw.bookstore.Cart;
import io.penstock.bench.tpcw.bookstore.CustomerRegistration;
import io.penstock.bench.tpcw.bookstore.Draws;
import io.penstock.bench.tpcw.bookstore.Home;
import io.penstock.bench.tpcw.bookstore.Interaction;
import io.penstock.bench.tpcw.bookstore.InteractionKind;
import io.penstock.bench.tpcw.bookstore.Item;
import io.penstock.bench.tpcw.bookstore.NewProducts;
import io.penstock.bench.tpcw.bookstore.OrderDisplay;
import io.penstock.bench.tpcw.bookstore.OrderInquiry;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.bookstore.ProductDetail;
import io.penstock.bench.tpcw.bookstore.Scale;
import io.penstock.bench.tpcw.bookstore.SearchRequest;
import io.penstock.bench.tpcw.bookstore.SearchResults;
import io.penstock.bench.tpcw.bookstore.ShoppingCart;
import io.penstock.bench.tpcw.bookstore.Visit;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The person before an emulated browser, for one session: who it is, what it sees, what it sends. For one thread. */
final class Visitor {
    private static final int RETURNING_PERCENT = 80;
    private static final int OTHER_ADDRESS_PERCENT = 5;
    private static final int ADD_TO_CART_PERCENT = 50;

    /** The least validity of a card, in days. */
    private static final int CARD_DAYS_MIN = 10;

    private static final int CARD_DAYS_MAX = 730;
    private static final LocalDate BIRTHS_FROM = LocalDate.of(1880, 1, 1);

    private final Scale scale;
    private final ItemChoice items;
    private final ItemChoice customers;
    private final Draws draws;
    private @Nullable Long customerId;
    private String userName = "";
    private @Nullable Cart cart;
    private List<Long> shown = List.of();

    Visitor(Scale scale, ItemChoice items, Draws draws) {
        this.scale = scale;
        this.items = items;
        this.customers = ItemChoice.nonUniform(scale.customers());
        this.draws = draws;
    }

    /** Returns the interaction of a kind that this visitor sends. */
    Interaction<?> wish(InteractionKind kind) {
        return switch (kind) {
            case HOME -> new Home(customerId, items.draw(draws));
            case NEW_PRODUCTS -> new NewProducts(draws.pick(Population.SUBJECTS));
            case BEST_SELLERS -> new BestSellers(draws.pick(Population.SUBJECTS));
            case PRODUCT_DETAIL -> new ProductDetail(oneShown());
            case SEARCH_REQUEST -> new SearchRequest(items.draw(draws));
            case SEARCH_RESULTS -> search();
            case SHOPPING_CART -> changeOfCart();
            case CUSTOMER_REGISTRATION -> new CustomerRegistration(customerId);
            case BUY_REQUEST -> new BuyRequest(cartId(), buyer());
            case BUY_CONFIRM -> new BuyConfirm(cartId(), knownCustomer(), card(), shipType(), comments(), otherHome());
            case ORDER_INQUIRY -> new OrderInquiry(customerId);
            case ORDER_DISPLAY -> orderDisplay();
            case ADMIN_REQUEST -> new AdminRequest(oneShown());
            case ADMIN_CONFIRM -> adminConfirm();
        };
    }

    /** Notes the content of a page that this visitor sees. */
    void see(Interaction.Shown page) {
        switch (page) {
            case ShoppingCart.Shown changed -> cart = changed.cart();
            case BuyRequest.Shown signedIn -> {
                customerId = signedIn.customer().id();
                userName = signedIn.customer().userName();
            }
            case BuyConfirm.Shown bought -> cart = null;
            case Visit.Listed list ->
                shown = list.rows().stream().map(Visit.Row::itemId).toList();
            case ProductDetail.Shown detail -> shown = detail.item().related();
            case Interaction.Shown other -> {
                if (!other.items().isEmpty()) {
                    shown = other.items().stream().map(Item::id).toList();
                }
            }
        }
    }

    private long oneShown() {
        return shown.isEmpty() ? items.draw(draws) : draws.pick(shown);
    }

    private SearchResults search() {
        SearchResults.By by = draws.pick(List.of(SearchResults.By.values()));
        return switch (by) {
            case SUBJECT -> new SearchResults(by, draws.pick(Population.SUBJECTS));
            case TITLE -> new SearchResults(by, Draws.digSyl(draws.between(1L, Math.max(1, scale.items() / 5)), 7));
            case AUTHOR -> new SearchResults(by, Draws.digSyl(draws.between(1L, Math.max(1, scale.items() / 10)), 7));
        };
    }

    /** Returns a change of the cart: half put in an item just seen, the others change quantities if there is a cart. */
    private ShoppingCart changeOfCart() {
        long promoted = items.draw(draws);
        Cart present = cart;
        if (present == null) {
            return new ShoppingCart(null, items.draw(draws), Map.of(), promoted);
        }
        if (draws.between(1, 100) <= ADD_TO_CART_PERCENT) {
            return new ShoppingCart(present.id(), items.draw(draws), Map.of(), promoted);
        }
        Map<Long, Integer> quantities = new HashMap<>();
        present.lines().forEach(line -> quantities.put(line.itemId(), draws.between(0, 5)));
        return new ShoppingCart(present.id(), null, quantities, promoted);
    }

    private long cartId() {
        Cart present = cart;
        return present == null ? 0 : present.id();
    }

    private long knownCustomer() {
        Long known = customerId;
        return known == null ? 0 : known;
    }

    private BuyRequest.Buyer buyer() {
        if (customerId != null) {
            return new BuyRequest.Returning(userName, userName.toLowerCase(Locale.ROOT));
        }
        if (draws.between(1, 100) <= RETURNING_PERCENT) {
            String name = Draws.digSyl(customers.draw(draws), 0);
            return new BuyRequest.Returning(name, name.toLowerCase(Locale.ROOT));
        }
        return new BuyRequest.Newcomer(
                draws.aString(8, 15),
                draws.aString(8, 15),
                home(),
                draws.nString(9, 16),
                draws.aString(9, 20) + "@" + draws.aString(2, 9) + ".com",
                draws.date(BIRTHS_FROM, Population.TODAY),
                draws.aString(100, 500));
    }

    private BuyRequest.Home home() {
        return new BuyRequest.Home(
                draws.aString(15, 40),
                draws.aString(15, 40),
                draws.aString(4, 30),
                draws.aString(2, 20),
                draws.aString(5, 10),
                draws.between(1, Scale.COUNTRIES));
    }

    private BuyRequest.@Nullable Home otherHome() {
        return draws.between(1, 100) <= OTHER_ADDRESS_PERCENT ? home() : null;
    }

    private BuyConfirm.Card card() {
        return new BuyConfirm.Card(
                draws.pick(Population.CARDS),
                draws.nString(16, 16),
                draws.aString(14, 30),
                Population.TODAY.plusDays(draws.between(CARD_DAYS_MIN, CARD_DAYS_MAX)));
    }

    private String shipType() {
        return draws.pick(Population.SHIP_TYPES);
    }

    private String comments() {
        return draws.aString(20, 100);
    }

    private OrderDisplay orderDisplay() {
        String name = customerId == null ? Draws.digSyl(customers.draw(draws), 0) : userName;
        return new OrderDisplay(name, name.toLowerCase(Locale.ROOT));
    }

    private AdminConfirm adminConfirm() {
        int picture = draws.between(0, 99);
        return new AdminConfirm(
                oneShown(),
                draws.between(100L, 999_999L),
                "img" + picture + "/image.gif",
                "img" + picture + "/thumb.gif");
    }
}
