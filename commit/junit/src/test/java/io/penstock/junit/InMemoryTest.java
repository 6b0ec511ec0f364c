package io.penstock.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.core.ClosedException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** Stores of tests. The tests that take them are run by JUnit within the tests here, which look at what is left. */
class InMemoryTest {
    private static final List<Penstock> USED = new ArrayList<>();

    private static RecordCollection<String, String> words(Penstock store) {
        return store.collection("words", Keys.string(), Json.of(String.class));
    }

    private static Events run(Class<?> type) {
        USED.clear();
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(type))
                .execute()
                .testEvents();
    }

    /** Writes in each phase of each test; a store that another test has used would have more. */
    static class Fields {
        @InMemory
        private Penstock store;

        @BeforeEach
        void fill(@InMemory Penstock same) {
            assertThat(same).isSameAs(store);
            assertThat(words(store).putIfAbsent("1", "fresh")).isTrue();
            USED.add(store);
        }

        @RepeatedTest(2)
        void reads() {
            assertThat(words(store).get("1")).contains("fresh");
        }

        @AfterEach
        void look(@InMemory Penstock same) {
            assertThat(words(same).get("1")).contains("fresh");
        }

        @Nested
        class Inner {
            @InMemory
            private Penstock inner;

            @Test
            void isTheSame() {
                assertThat(inner).isSameAs(store);
            }
        }
    }

    @Test
    void eachTestHasAFreshStoreThatIsClosedAfterIt() {
        run(Fields.class).assertStatistics(events -> events.succeeded(3).failed(0));
        assertThat(USED).hasSize(3).doesNotHaveDuplicates();
        for (Penstock store : USED) {
            assertThatThrownBy(store::collections).isInstanceOf(ClosedException.class);
        }
    }

    static class Parameters {
        @Test
        void clientsShareTheStore(@InMemory Penstock store, @InMemory Settings settings) {
            words(store).put("1", "shared");
            try (Penstock other = Penstock.open(settings)) {
                assertThat(words(other).get("1")).contains("shared");
            }
            USED.add(store);
        }
    }

    @Test
    void furtherClientsAreOpenedBySettings() {
        run(Parameters.class).assertStatistics(events -> events.succeeded(1).failed(0));
        assertThat(USED).hasSize(1);
    }

    static class OfNoKind {
        @Test
        void takesText(@InMemory String text) {}
    }

    static class Shared {
        @InMemory
        private static Penstock store;

        @Test
        void takesAShared() {}
    }

    static class Constructed {
        Constructed(@InMemory Penstock store) {}

        @Test
        void takesIt() {}
    }

    @Test
    void whatIsNoStoreOfATestIsRefused() {
        for (Class<?> type : List.of(OfNoKind.class, Shared.class, Constructed.class)) {
            Events events = run(type);
            events.assertStatistics(counts -> counts.succeeded(0).failed(1));
            events.failed().stream()
                    .forEach(event -> assertThat(event.getPayload().orElseThrow())
                            .asString()
                            .contains("@InMemory is for a Penstock or Settings"));
        }
    }
}
