package io.penstock.bookstore;

import io.penstock.bench.tpcw.bookstore.BestSellers;
import io.penstock.bench.tpcw.bookstore.Home;
import io.penstock.bench.tpcw.bookstore.NewProducts;
import io.penstock.bench.tpcw.bookstore.ProductDetail;
import io.penstock.bench.tpcw.bookstore.SearchRequest;
import io.penstock.bench.tpcw.bookstore.SearchResults;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

/** The pages to look for books: Home, New Products, Best Sellers, Product Detail, Search Request and Search Results. */
@Controller
class CatalogueController {
    private final Shop shop;
    private final Descriptions descriptions;

    CatalogueController(Shop shop, Descriptions descriptions) {
        this.shop = shop;
        this.descriptions = descriptions;
    }

    @GetMapping("/")
    ModelAndView home(@RequestAttribute Visitor visitor) {
        return new ModelAndView("home", "shown", shop.run(new Home(visitor.customerId(), shop.anyItem())));
    }

    @GetMapping("/new")
    ModelAndView newest(@RequestParam String subject) {
        return list("New in", subject, shop.run(new NewProducts(subject)).rows());
    }

    @GetMapping("/best")
    ModelAndView best(@RequestParam String subject) {
        return list(
                "Best sellers in", subject, shop.run(new BestSellers(subject)).rows());
    }

    private static ModelAndView list(String heading, String of, Object rows) {
        return new ModelAndView("list")
                .addObject("heading", heading)
                .addObject("of", of)
                .addObject("rows", rows);
    }

    @GetMapping("/books/{id}")
    ModelAndView book(@PathVariable long id) {
        ProductDetail.Shown shown = shop.run(new ProductDetail(id));
        return new ModelAndView("book", "shown", shown)
                .addObject("description", descriptions.of(id, shown.item().description()));
    }

    @GetMapping("/search")
    ModelAndView search() {
        return new ModelAndView("search", "shown", shop.run(new SearchRequest(shop.anyItem())));
    }

    @GetMapping("/results")
    ModelAndView results(@RequestParam SearchResults.By by, @RequestParam String text) {
        return list(
                "Results for",
                text.strip(),
                shop.run(new SearchResults(by, text.strip())).rows());
    }
}
