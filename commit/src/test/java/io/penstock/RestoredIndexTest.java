package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.DuplicateException;
import io.penstock.core.ErrorCode;
import io.penstock.query.FieldType;
import io.penstock.query.Fields;
import io.penstock.query.Query;
import io.penstock.query.Row;
import io.penstock.query.ValueField;
import io.penstock.testing.MemoryObjectStore;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Indexes of stores that were restored or copied: none is trusted more than that of the store before. */
class RestoredIndexTest {
    private static final Fields FIELDS = Fields.ofClass(Person.class);
    private static final ValueField<Person, String> CITY = FIELDS.get("city", Person.class, FieldType.STRING);
    private static final ValueField<Person, Integer> AGE = FIELDS.get("age", Person.class, FieldType.INT);

    private record Person(String city, int age) {}

    private static Penstock strict(SimulatedStore cloud, String prefix) {
        return Penstock.open(cloud.settings(prefix).prefix(prefix).level(ConsistencyLevel.SERIALIZABLE));
    }

    private static Index<String, String, String> unique(RecordCollection<String, String> words) {
        return words.index("by-word", Keys.string(), word -> word).unique();
    }

    private static void requireProvenByBuild(Penstock restored) {
        RecordCollection<String, String> words = SimulatedStore.words(restored);
        Index<String, String, String> index = unique(words);
        assertThatThrownBy(() -> words.put("b", "same")).is(code(ErrorCode.INDEX_NOT_READY));
        SimulatedStore.words(restored).put("b", "same"); // allowed to who does not know of the index, until it is built
        assertThatThrownBy(words::build).isInstanceOf(DuplicateException.class);
        words.delete("b");
        words.build();
        assertThatThrownBy(() -> words.put("b", "same")).isInstanceOf(DuplicateException.class);
        assertThat(restored.admin().check(index).duplicates()).isZero();
    }

    @Test
    void uniqueIndexThatWasAddedLaterIsProvenAgain() {
        MemoryObjectStore backups = new MemoryObjectStore();
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = strict(cloud, "source");
                    Penstock copy = strict(cloud, "copy");
                    Penstock restored = strict(cloud, "restored")) {
                SimulatedStore.words(store).put("a", "same");
                RecordCollection<String, String> words = SimulatedStore.words(store);
                var unused = unique(words);
                words.build();
                store.admin().copy(copy);
                requireProvenByBuild(copy);
                store.admin().backup(backups, "b", true);
                restored.admin().restore(backups, "b", Optional.empty());
                requireProvenByBuild(restored);
            }
        });
    }

    private static RecordCollection<String, Person> people(Penstock store) {
        RecordCollection<String, Person> people = store.collection("people", Keys.string(), Json.of(Person.class));
        people.declare(FIELDS);
        var unused = byCity(people).including("age", CITY, AGE);
        return people;
    }

    private static Index<String, String, Person> byCity(RecordCollection<String, Person> people) {
        return people.index("city", Keys.string(), CITY);
    }

    private static List<Row> living(Penstock store, String city) {
        List<Row> found = new ArrayList<>();
        try (Rows rows = people(store).query(Query.where(CITY.eq(city)).select(CITY, AGE))) {
            rows.forEachRemaining(found::add);
        }
        return found;
    }

    /** An entry that a race of writers has left, from before the collection came into its domain. */
    @Test
    void leftOverEntriesAreNotBelievedInACopyEither() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock one = cloud.open("one");
                    Penstock other = cloud.open("other");
                    Penstock copy = strict(cloud, "copy")) {
                for (int i = 0; i < 100; i++) {
                    people(one).put("k" + i, new Person("oslo" + i % 10, i));
                }
                people(one).put("k", new Person("rome", 1)); // neither of the two has seen the other
                people(other).put("k", new Person("paris", 2));
                one.flush();
                other.flush();
                SimulatedStore.settle(one, cloud.machine("one"));
                other.close();
                one.admin().moveInto("people", "shop", progress -> {});
                cloud.sleep(Duration.ofMinutes(2));
                one.admin().copy(copy);
                assertThat(living(one, "rome")).isEmpty();
                assertThat(living(copy, "rome")).isEmpty();
                assertThat(living(copy, "paris")).hasSize(1);
            }
        });
    }
}
