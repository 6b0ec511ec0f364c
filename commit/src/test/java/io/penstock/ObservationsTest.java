package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.penstock.core.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What Micrometer's observations tell of a store. */
class ObservationsTest {
    private final List<Observation.Context> seen = new CopyOnWriteArrayList<>();
    private final ObservationRegistry registry = ObservationRegistry.create();

    ObservationsTest() {
        registry.observationConfig().observationHandler(new ObservationHandler<>() {
            @Override
            public void onStop(Observation.Context context) {
                seen.add(context);
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
    }

    private List<Observation.Context> named(String name) {
        List<Observation.Context> found = new ArrayList<>(seen);
        found.removeIf(context -> !name.equals(context.getName()));
        return found;
    }

    private static String tags(Observation.Context context) {
        return context.getLowCardinalityKeyValues().stream()
                .map(tag -> tag.getKey() + "=" + tag.getValue())
                .sorted()
                .toList()
                .toString();
    }

    @Test
    void commitsCheckpointsAndFetchesAreObserved() {
        Settings place = Settings.inMemory().level(ConsistencyLevel.ATOMIC);
        Observation request = Observation.createNotStarted("request", registry);
        try (Penstock store = Penstock.open(place.observations(registry))) {
            RecordCollection<String, String> books = store.collection("books", Keys.string(), Json.of(String.class));
            request.observe(() -> books.put("a", "Dams"));
            store.admin().checkpoint();
        }
        assertThat(named("penstock.commit")).hasSize(1);
        assertThat(tags(named("penstock.commit").getFirst())).isEqualTo("[level=ATOMIC]");
        assertThat(named("penstock.commit").getFirst().getParentObservation()).isSameAs(request);
        assertThat(named("penstock.checkpoint").stream().map(ObservationsTest::tags))
                .contains("[collection=books, domain=none]");
        assertThat(named("penstock.page.fetch").stream().map(ObservationsTest::tags))
                .contains("[collection=books, part=checkpoint]");
        seen.clear();
        try (Penstock reader = Penstock.open(place.observations(registry))) {
            assertThat(reader.collection("books", Keys.string(), Json.of(String.class))
                            .get("a"))
                    .contains("Dams");
        }
        assertThat(named("penstock.page.fetch").stream().map(ObservationsTest::tags))
                .contains("[collection=books, part=transaction]");
    }

    @Test
    void aDomainsCheckpointIsObservedByItsName() {
        try (Penstock store = Penstock.open(
                Settings.inMemory().level(ConsistencyLevel.SERIALIZABLE).observations(registry))) {
            store.collection("books", Keys.string(), Json.of(String.class)).put("a", "Dams");
            store.admin().checkpoint();
        }
        assertThat(named("penstock.commit").stream().map(ObservationsTest::tags))
                .containsOnly("[level=SERIALIZABLE]");
        assertThat(named("penstock.checkpoint").stream().map(ObservationsTest::tags))
                .anyMatch(tags -> tags.matches("\\[collection=none, domain=(?!none).+]"));
    }

    @Test
    void aFailedCommitIsObservedWithItsError() {
        Settings place = Settings.inMemory().level(ConsistencyLevel.SERIALIZABLE);
        try (Penstock store = Penstock.open(place.observations(registry));
                Penstock other = Penstock.open(place)) {
            RecordCollection<String, String> books = store.collection("books", Keys.string(), Json.of(String.class));
            RecordCollection<String, String> theirs = other.collection("books", Keys.string(), Json.of(String.class));
            books.put("a", "1");
            Transaction late = store.begin();
            var unused = late.get(books, "a");
            theirs.put("a", "2");
            late.put(books, "a", "3");
            assertThatThrownBy(late::commit).is(code(ErrorCode.CONFLICT));
        }
        assertThat(named("penstock.commit").getLast().getError()).isNotNull();
    }

    /** Without a registry nothing is observed, whatever observation the caller is in. */
    @Test
    void nobodyObservesUnlessAsked() {
        try (Penstock store = Penstock.open(Settings.inMemory())) {
            store.collection("books", Keys.string(), Json.of(String.class)).put("a", "Dams");
        }
        assertThat(seen).isEmpty();
    }
}
