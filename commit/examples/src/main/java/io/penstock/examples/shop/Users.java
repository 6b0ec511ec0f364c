package io.penstock.examples.shop;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Users, of whom no two have the same address. */
@RestController
@RequestMapping("/users")
class Users {
    private final Store store;

    Users(Store store) {
        this.store = store;
    }

    @PostMapping
    @Transactional
    User join(@RequestBody User user) {
        if (store.users.get(user.email()).isPresent()) {
            throw new DuplicateKeyException("somebody has this address");
        }
        store.users.put(user.email(), user);
        return user;
    }
}
