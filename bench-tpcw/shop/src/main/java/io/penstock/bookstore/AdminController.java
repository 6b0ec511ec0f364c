package io.penstock.bookstore;

import io.penstock.bench.tpcw.bookstore.AdminConfirm;
import io.penstock.bench.tpcw.bookstore.AdminRequest;
import io.penstock.bench.tpcw.bookstore.ShopException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

/** The pages of administrators, who are not authorized: Admin Request and Admin Confirm. */
@Controller
class AdminController {
    /** The bounds of prices. They are compared before anything is done with the digits of a number. */
    private static final BigDecimal LEAST = new BigDecimal("0.01");

    private static final BigDecimal MOST = new BigDecimal("9999.99");

    private final Shop shop;

    AdminController(Shop shop) {
        this.shop = shop;
    }

    @GetMapping("/books/{id}/edit")
    ModelAndView edit(@PathVariable long id) {
        return new ModelAndView("edit", "shown", shop.run(new AdminRequest(id)));
    }

    @PostMapping("/books/{id}/edit")
    String change(
            @PathVariable long id,
            @RequestParam BigDecimal price,
            @RequestParam String image,
            @RequestParam String thumbnail) {
        if (price.compareTo(LEAST) < 0 || price.compareTo(MOST) > 0) {
            throw new ShopException("Give a cost from $0.01 to $9,999.99.");
        }
        long cents = price.movePointRight(2).setScale(0, RoundingMode.HALF_UP).longValueExact();
        shop.run(new AdminConfirm(id, cents, Text.of("image", image), Text.of("thumbnail", thumbnail)));
        return "redirect:/books/" + id;
    }
}
