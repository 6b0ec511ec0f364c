package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.DuplicateException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import org.junit.jupiter.api.Test;

/** The limits of strict transactions, told when they are passed. */
class StrictLimitsTest {
    private static final String PAYLOAD = "x".repeat(3_000);
    private static final int FITS = 1_300;

    private record User(String name) {}

    private static Penstock open() {
        return Penstock.open(Settings.inMemory().level(ConsistencyLevel.SERIALIZABLE));
    }

    @Test
    void thePutThatPassesTheLimitIsRefusedAndTheRestCommits() {
        try (Penstock store = open();
                Transaction transaction = store.begin()) {
            RecordCollection<String, String> words = store.collection("words", Keys.string(), Json.of(String.class));
            for (int round = 0; round < 3; round++) {
                for (int i = 0; i < FITS; i++) {
                    transaction.put(words, "k" + i, PAYLOAD);
                }
            }
            assertThatThrownBy(() -> {
                        for (int i = FITS; i < 2 * FITS; i++) {
                            transaction.put(words, "k" + i, PAYLOAD);
                        }
                    })
                    .isInstanceOf(InvalidRequestException.class)
                    .is(code(ErrorCode.TOO_LARGE))
                    .hasMessageContaining("bytesMax=41");
            var unused = transaction.commit();
            assertThat(words.get("k" + (FITS - 1))).isPresent();
            assertThat(words.get("k" + (2 * FITS - 1))).isEmpty();
        }
    }

    @Test
    void whoExchangesSearchKeysIsToldHow() {
        try (Penstock store = open()) {
            RecordCollection<String, User> users = store.collection("users", Keys.string(), Json.of(User.class));
            var names = users.index("name", Keys.string(), User::name).unique();
            users.put("1", new User("a"));
            users.put("2", new User("b"));
            assertThatThrownBy(() -> users.put("1", new User("b")))
                    .isInstanceOf(DuplicateException.class)
                    .is(code(ErrorCode.DUPLICATE_KEY));
            var unused = store.transact(transaction -> {
                transaction.delete(users, "1");
                transaction.delete(users, "2");
                transaction.put(users, "1", new User("b"));
                transaction.put(users, "2", new User("a"));
                return true;
            });
            assertThat(users.get("1")).contains(new User("b"));
        }
    }
}
