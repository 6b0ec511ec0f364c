package io.penstock.bookstore;

import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.spring.PenstockTemplate;
import io.penstock.spring.Records;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import org.springframework.stereotype.Repository;

/**
 * The visitors who have a cart or have signed in. They are records of the store, so that any server of the shop knows
 * them; they expire. Safe for use by many threads.
 */
@Repository
class Visitors {
    private static final Duration LIFE = Duration.ofHours(2);
    private static final int ID_BYTES = 16;

    private final Records<String, Visitor> visitors;
    private final SecureRandom random = new SecureRandom();

    Visitors(PenstockTemplate template, Penstock store) {
        visitors = template.records(store.collection("visitors", Keys.string(), Json.of(Visitor.class))
                .expiresAfter(LIFE));
    }

    Visitor find(String id) {
        return visitors.get(id).orElseGet(() -> Visitor.unknown(id));
    }

    void put(Visitor visitor) {
        visitors.put(visitor.id(), visitor);
    }

    /** Replaces a visitor by one with another id: an id that an attacker has planted is worth nothing then. */
    void replace(Visitor before, Visitor after) {
        visitors.delete(before.id());
        visitors.put(after.id(), after);
    }

    /** Returns an id that cannot be guessed. */
    String newId() {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
