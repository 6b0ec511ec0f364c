package io.penstock.bookstore;

import io.penstock.bench.tpcw.bookstore.BuyConfirm;
import io.penstock.bench.tpcw.bookstore.BuyRequest;
import io.penstock.bench.tpcw.bookstore.CustomerRegistration;
import io.penstock.bench.tpcw.bookstore.OrderDisplay;
import io.penstock.bench.tpcw.bookstore.OrderInquiry;
import io.penstock.bench.tpcw.bookstore.OrderLine;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.bookstore.ShopException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

/**
 * The pages to buy, and to see what was bought: Customer Registration, Buy Request, Buy Confirm, Order Inquiry and
 * Order Display.
 */
@Controller
class OrderController {
    private static final LocalDate CARD_EXPIRES = Population.TODAY.plusYears(2);
    private static final LocalDate BORN = Population.TODAY.minusYears(30);
    private static final long COUNTRY = 1;

    private final Shop shop;
    private final Visitors visitors;

    OrderController(Shop shop, Visitors visitors) {
        this.shop = shop;
        this.visitors = visitors;
    }

    @GetMapping("/register")
    ModelAndView register(@RequestAttribute Visitor visitor) {
        return new ModelAndView("register", "shown", shop.run(new CustomerRegistration(visitor.customerId())));
    }

    /** A new customer, as the form has her; fields that are not sent are null. */
    record Newcomer(
            @Nullable String firstName,
            @Nullable String lastName,
            @Nullable String street,
            @Nullable String city,
            @Nullable String state,
            @Nullable String zip,
            @Nullable String phone,
            @Nullable String email) {
        BuyRequest.Newcomer checked() {
            BuyRequest.Home home = new BuyRequest.Home(
                    Text.of("street", street),
                    "",
                    Text.of("city", city),
                    Text.of("state", state),
                    Text.of("zip code", zip),
                    COUNTRY);
            return new BuyRequest.Newcomer(
                    Text.of("first name", firstName),
                    Text.of("last name", lastName),
                    home,
                    Text.of("phone", phone),
                    Text.of("email", email),
                    BORN,
                    "");
        }
    }

    @PostMapping("/buy")
    ModelAndView buy(
            @RequestAttribute Visitor visitor,
            Newcomer newcomer,
            HttpServletRequest request,
            HttpServletResponse response) {
        return buy(visitor, newcomer.checked(), request, response);
    }

    @PostMapping(path = "/buy", params = "userName")
    ModelAndView buy(
            @RequestAttribute Visitor visitor,
            @RequestParam String userName,
            @RequestParam String password,
            HttpServletRequest request,
            HttpServletResponse response) {
        return buy(visitor, new BuyRequest.Returning(userName.strip(), password), request, response);
    }

    private ModelAndView buy(
            Visitor visitor, BuyRequest.Buyer buyer, HttpServletRequest request, HttpServletResponse response) {
        String newId = visitors.newId();
        BuyRequest.Shown shown = shop.together(() -> {
            BuyRequest.Shown known = shop.run(new BuyRequest(cartOf(visitor), buyer));
            visitors.replace(visitor, visitor.signedIn(known.customer().id(), newId));
            return known;
        });
        Guard.give(newId, request, response);
        request.setAttribute(Guard.VISITOR, visitor.signedIn(shown.customer().id(), newId));
        return new ModelAndView("buy", "shown", shown)
                .addObject("cards", Population.CARDS)
                .addObject("ways", Population.SHIP_TYPES);
    }

    private static long cartOf(Visitor visitor) {
        Long cart = visitor.cartId();
        if (cart == null) {
            throw new ShopException("The cart is empty. Put something into it first.");
        }
        return cart;
    }

    @PostMapping("/confirm")
    ModelAndView confirm(
            @RequestAttribute Visitor visitor,
            @RequestParam String card,
            @RequestParam String number,
            @RequestParam String name,
            @RequestParam String ship,
            @RequestParam(defaultValue = "") String comment) {
        BuyConfirm.Card paidBy = new BuyConfirm.Card(
                card, Text.of("card number", number), Text.of("name on the card", name), CARD_EXPIRES);
        String told = Text.optional("comment", comment);
        return shop.together(() -> {
            Visitor now = visitors.find(visitor.id());
            Long customer = now.customerId();
            if (customer == null) {
                throw new ShopException("Sign in first.");
            }
            BuyConfirm.Shown shown = shop.run(new BuyConfirm(cartOf(now), customer, paidBy, ship, told, null));
            visitors.put(now.withCart(null));
            return new ModelAndView("thanks", "order", shown.purchase().order());
        });
    }

    @GetMapping("/orders")
    ModelAndView orders(@RequestAttribute Visitor visitor) {
        return new ModelAndView("orders", "shown", shop.run(new OrderInquiry(visitor.customerId())));
    }

    @PostMapping("/order")
    ModelAndView order(@RequestParam String userName, @RequestParam String password) {
        OrderDisplay.Shown shown = shop.run(new OrderDisplay(userName.strip(), password));
        List<OrderLine> lines = shown.last() == null ? List.of() : shown.last().lines();
        return new ModelAndView("order", "shown", shown)
                .addObject(
                        "items",
                        shop.items(lines.stream().map(OrderLine::itemId).toList()));
    }
}
