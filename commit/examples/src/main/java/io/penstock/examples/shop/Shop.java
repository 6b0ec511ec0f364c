package io.penstock.examples.shop;

import java.util.UUID;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.http.HttpStatus;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Books and orders: a sale takes a copy and writes the order, both or neither. */
@RestController
@RequestMapping("/books")
class Shop {
    private final Store store;

    Shop(Store store) {
        this.store = store;
    }

    @PutMapping("/{isbn}")
    void put(@PathVariable String isbn, @RequestBody Book book) {
        store.books.put(isbn, book);
    }

    @GetMapping("/{isbn}")
    Book one(@PathVariable String isbn) {
        return store.books
                .get(isbn)
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "there is no such book"));
    }

    /** A conflict is tried again a few times, with pauses; who loses all of them gets 409. */
    @PostMapping("/{isbn}/orders")
    @Retryable(includes = ConcurrencyFailureException.class, maxRetries = 8, delay = 20, jitter = 20, multiplier = 1.5)
    @Transactional(isolation = Isolation.SERIALIZABLE)
    Order buy(@PathVariable String isbn, @RequestParam String buyer) {
        Book book = one(isbn);
        if (book.stock() == 0) {
            throw new ResponseStatusException(HttpStatus.GONE, "sold out");
        }
        Order order = new Order(UUID.randomUUID().toString(), isbn, buyer);
        store.books.put(isbn, book.sold());
        store.orders.put(order.id(), order);
        return order;
    }

    @GetMapping("/{isbn}/orders")
    @Transactional(readOnly = true)
    long orders(@PathVariable String isbn) {
        return store.orders.list(io.penstock.KeySpan.all()).stream()
                .filter(order -> order.isbn().equals(isbn))
                .count();
    }
}
