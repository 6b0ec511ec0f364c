package io.penstock.bookstore;

import io.penstock.bench.tpcw.bookstore.ShopException;
import io.penstock.bench.tpcw.bookstore.ShoppingCart;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

/** The page of the cart: Shopping Cart. A cart without books is none. */
@Controller
class CartController {
    /** The prefix of a form's fields with numbers of copies; the id of the item follows. */
    private static final String QUANTITY = "copies-";

    private final Shop shop;
    private final Visitors visitors;

    CartController(Shop shop, Visitors visitors) {
        this.shop = shop;
        this.visitors = visitors;
    }

    @GetMapping("/cart")
    ModelAndView cart(@RequestAttribute Visitor visitor) {
        ModelAndView page = new ModelAndView("cart");
        if (visitor.cartId() != null) {
            page.addObject("shown", shop.run(new ShoppingCart(visitor.cartId(), null, Map.of(), shop.anyItem())));
        }
        return page;
    }

    @PostMapping("/cart")
    String change(
            @RequestAttribute Visitor visitor,
            @RequestParam(required = false) @Nullable Long add,
            @RequestParam(required = false) @Nullable Long remove,
            @RequestParam Map<String, String> fields) {
        Map<Long, Integer> quantities = quantities(fields);
        if (remove != null) {
            quantities.put(remove, 0);
        }
        return shop.together(() -> {
            Visitor now = visitors.find(visitor.id());
            Long cart = now.cartId();
            if (add == null && shop.cart(cart).with(quantities).lines().isEmpty()) {
                visitors.put(now.withCart(null));
            } else {
                ShoppingCart change = new ShoppingCart(cart, add, quantities, shop.anyItem());
                visitors.put(now.withCart(shop.run(change).cart().id()));
            }
            return "redirect:/cart";
        });
    }

    private static Map<Long, Integer> quantities(Map<String, String> fields) {
        Map<Long, Integer> quantities = new HashMap<>();
        fields.forEach((name, value) -> {
            if (name.startsWith(QUANTITY)) {
                try {
                    quantities.put(Long.valueOf(name.substring(QUANTITY.length())), Integer.valueOf(value.strip()));
                } catch (NumberFormatException e) {
                    throw new ShopException("Give a number of copies.");
                }
            }
        });
        return quantities;
    }
}
