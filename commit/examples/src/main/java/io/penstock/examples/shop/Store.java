package io.penstock.examples.shop;

import io.penstock.Index;
import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.spring.PenstockTemplate;
import io.penstock.spring.Records;
import java.time.Instant;
import org.springframework.stereotype.Component;

/** The collections of the application. Safe for use by many threads. */
@Component
class Store {
    final Records<String, Todo> todos;
    final Index<Instant, String, Todo> newest;
    final Records<String, User> users;
    final Records<String, Book> books;
    final Records<String, Order> orders;

    Store(PenstockTemplate store) {
        todos = store.records("todos", Keys.string(), Json.of(Todo.class));
        newest = todos.collection().index("newest", Keys.descending(Keys.instants()), Todo::created);
        users = store.records("users", Keys.string(), Json.of(User.class));
        books = store.records("books", Keys.string(), Json.of(Book.class));
        orders = store.records("orders", Keys.string(), Json.of(Order.class));
    }
}
