package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.core.ConflictException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A program learns which record it has lost, by what, and no message tells it. */
class ConflictPlaceTest {
    private record User(String name) {}

    private final Penstock store = Penstock.open(Settings.inMemory().level(ConsistencyLevel.SERIALIZABLE));
    private final RecordCollection<String, User> users = store.collection("users", Keys.string(), Json.of(User.class));
    private final Index<String, String, User> names = users.index("name", Keys.string(), User::name);

    private ConflictException conflict(Consumer<Transaction> read) {
        users.put("secret-key", new User("before"));
        try (Transaction transaction = store.begin()) {
            read.accept(transaction);
            users.put("secret-key", new User("secret-name"));
            transaction.put(users, "another", new User("b"));
            ConflictException conflict = catchThrowableOfType(ConflictException.class, transaction::commit);
            assertThat(conflict.toString()).doesNotContain("secret");
            assertThat(conflict.collection()).contains("users");
            assertThat(conflict.key().map(users.keys()::decode)).contains("secret-key");
            return conflict;
        }
    }

    @Test
    void aKeyIsTold() {
        ConflictException conflict = conflict(transaction -> transaction.get(users, "secret-key"));
        assertThat(conflict.index()).isEmpty();
        assertThat(conflict).hasMessageContaining("conflict=KEY");
    }

    @Test
    void theRecordInARangeIsTold() {
        ConflictException conflict = conflict(transaction -> {
            try (Scan<Entry<String, User>> scan = transaction.scan(users, KeySpan.all())) {
                scan.forEachRemaining(entry -> {});
            }
        });
        assertThat(conflict.index()).isEmpty();
        assertThat(conflict).hasMessageContaining("conflict=RANGE");
    }

    @Test
    void theIndexAndItsRecordAreTold() {
        ConflictException conflict = conflict(transaction -> {
            try (Scan<Entry<String, User>> scan = transaction.scan(names, "secret-name")) {
                assertThat(scan.hasNext()).isFalse();
            }
        });
        assertThat(conflict.index()).contains("name");
    }
}
