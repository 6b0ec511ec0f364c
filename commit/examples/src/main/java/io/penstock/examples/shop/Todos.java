package io.penstock.examples.shop;

import io.penstock.KeySpan;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Things to do. Who writes one is sent to it, at whichever server the next request comes to. */
@RestController
@RequestMapping("/todos")
class Todos {
    private final Store store;
    private final Clock clock = Clock.systemUTC();

    Todos(Store store) {
        this.store = store;
    }

    @PostMapping
    ResponseEntity<Void> add(@RequestBody String title) {
        String id = UUID.randomUUID().toString();
        store.todos.put(id, new Todo(id, title, false, clock.instant()));
        return ResponseEntity.status(HttpStatus.SEE_OTHER)
                .location(URI.create("/todos/" + id))
                .build();
    }

    @GetMapping("/{id}")
    Todo one(@PathVariable String id) {
        return store.todos.get(id).orElseThrow();
    }

    @PostMapping("/{id}/done")
    @Transactional
    Todo done(@PathVariable String id) {
        Todo open = one(id);
        Todo done = new Todo(id, open.title(), true, open.created());
        store.todos.put(id, done);
        return done;
    }

    @DeleteMapping("/{id}")
    void delete(@PathVariable String id) {
        store.todos.delete(id);
    }

    @GetMapping
    List<Todo> newest(@RequestParam(defaultValue = "20") int limit) {
        return store.todos.list(store.newest, KeySpan.<java.time.Instant>all().limit(limit));
    }

    @ExceptionHandler
    @ResponseStatus(HttpStatus.NOT_FOUND)
    void missing(NoSuchElementException none) {}
}
