package io.penstock.bookstore;

import io.penstock.Review.Proposal;
import io.penstock.bench.tpcw.bookstore.Item;
import io.penstock.bench.tpcw.bookstore.ProductDetail;
import io.penstock.bench.tpcw.bookstore.ShopException;
import io.penstock.core.ConflictException;
import io.penstock.core.InvalidRequestException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

/** The pages on which readers propose descriptions, and the curator, who is not authorized, approves them. */
@Controller
class ReviewController {
    private static final int TEXT_MAX = 500;
    private static final int SHOWN_MAX = 50;

    private final Shop shop;
    private final Descriptions descriptions;

    ReviewController(Shop shop, Descriptions descriptions) {
        this.shop = shop;
        this.descriptions = descriptions;
    }

    @GetMapping("/books/{id}/describe")
    ModelAndView form(@PathVariable long id) {
        Item item = shop.run(new ProductDetail(id)).item();
        return new ModelAndView("describe")
                .addObject("item", item)
                .addObject("description", descriptions.of(id, item.description()));
    }

    @PostMapping("/books/{id}/describe")
    ModelAndView propose(@PathVariable long id, @RequestParam String text, @RequestAttribute Visitor visitor) {
        Item item = shop.run(new ProductDetail(id)).item();
        Long customer = visitor.customerId();
        String by = customer == null ? "a reader" : "customer " + customer;
        descriptions.review().propose(id, Optional.of(Text.of("description", text, TEXT_MAX)), by);
        return new ModelAndView("described", "item", item);
    }

    /** A proposal beside the item that it is for. */
    record Row(Proposal<Long, String> proposal, Item item, String now) {}

    @GetMapping("/review")
    ModelAndView review() {
        List<Proposal<Long, String>> pending = descriptions.review().pending(SHOWN_MAX);
        Map<Long, Item> items = shop.items(pending.stream().map(Proposal::key).toList());
        List<Row> rows = new ArrayList<>();
        for (Proposal<Long, String> each : pending) {
            Item item = items.get(each.key());
            if (item != null) {
                rows.add(new Row(each, item, descriptions.of(each.key(), item.description())));
            }
        }
        return new ModelAndView("review", "rows", rows);
    }

    @PostMapping("/review")
    String decide(
            @RequestParam String proposal, @RequestParam Decision decision, @RequestParam @Nullable String reason) {
        try {
            switch (decision) {
                case APPROVE -> descriptions.review().approve(proposal);
                case REGARDLESS -> descriptions.review().approveRegardless(proposal);
                case REJECT -> descriptions.review().reject(proposal, Text.of("reason", reason));
            }
        } catch (ConflictException changed) {
            throw new ShopException("The description changed since this was proposed. Compare the two, then approve it"
                    + " regardless, or reject it.");
        } catch (InvalidRequestException gone) {
            throw new ShopException("This proposal does not wait any more: somebody was faster.");
        }
        return "redirect:/review";
    }

    /** The curator's answers. */
    enum Decision {
        APPROVE,
        REGARDLESS,
        REJECT
    }
}
