package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.Keys.Pair;
import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.task.Task;
import io.penstock.report.BuildProgress;
import io.penstock.report.IndexReport;
import io.penstock.report.ScrubReport;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Indexes of a collection in use, through the front door. */
class LiveIndexTest {
    record Person(String name, String city, long born) {}

    private static final Duration TTL = Duration.ofSeconds(10);

    /** A program from before the index. */
    private static RecordCollection<String, Person> old(Penstock store) {
        return store.collection("people", Keys.string(), Json.of(Person.class));
    }

    private static Index<String, String, Person> byCity(RecordCollection<String, Person> people) {
        return people.index("by-city", Keys.string(), Person::city);
    }

    private static void run(BiConsumer<SimulatedStore, Penstock> body) {
        new SimulatedStore(3, World.CALM).run(cloud -> {
            try (Penstock store = open(cloud, "old")) {
                body.accept(cloud, store);
            }
        });
    }

    private static Penstock open(SimulatedStore cloud, String machine) {
        return Penstock.open(cloud.settings(machine).ttl(TTL).level(ConsistencyLevel.ATOMIC));
    }

    private static void fill(RecordCollection<String, Person> people, int from, int to) {
        for (int i = from; i < to; i++) {
            people.put(String.format("p%03d", i), new Person("n" + i, "c" + i % 3, 1900 + i % 50));
        }
    }

    private static <T> List<String> names(Scan<Entry<String, Person>> scan) {
        List<String> names = new ArrayList<>();
        try (scan) {
            scan.forEachRemaining(entry -> names.add(entry.value().name()));
        }
        return names;
    }

    private static void settle(SimulatedStore cloud, Penstock... stores) {
        for (int i = 0; i < 20; i++) {
            cloud.sleep(Duration.ofSeconds(5));
            for (Penstock store : stores) {
                store.admin().checkpoint();
            }
        }
        assertThat(stores[0].admin().backlog().total()).isZero();
    }

    private static AbstractThrowableAssert<?, ?> invalid(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        return assertThatThrownBy(call).isInstanceOf(InvalidRequestException.class);
    }

    /** They used to be missing until they were checkpointed and pages had passed their TTL. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC"})
    void aBuildReturnsWhenScansFindWhatTheSessionHadCommitted(ConsistencyLevel level) {
        for (long seed = 1; seed <= 3; seed++) {
            String run = "seed=" + seed;
            new SimulatedStore(seed, World.CALM).run(cloud -> {
                try (Penstock store = Penstock.open(cloud.settings("a").ttl(TTL).level(level))) {
                    fill(old(store), 0, 20);
                    RecordCollection<String, Person> people = old(store);
                    Index<String, String, Person> index = byCity(people);
                    people.build();
                    assertThat(names(index.scan(KeySpan.all()))).as(run).hasSize(20);
                    people.delete("p003");
                    for (int second = 0; second < 60; second++) {
                        assertThat(names(index.scan(KeySpan.all()))).as(run).hasSize(19);
                        cloud.sleep(Duration.ofSeconds(1));
                    }
                }
            });
        }
    }

    /** Pages of the index that a checkpoint had pooled before the build wrote more of them. */
    @Test
    void aBuildReturnsWhenScansFindWhatItHasWrittenPastThePool() {
        run((cloud, store) -> {
            store.transact(tx -> {
                for (int i = 0; i < 5_000; i++) {
                    tx.put(old(store), String.format("p%04d", i), new Person("n" + i, "c" + i % 3, 1900 + i % 50));
                }
                return true;
            });
            settle(cloud, store);
            RecordCollection<String, Person> people = old(store);
            Index<String, String, Person> index = byCity(people);
            List<BuildProgress> progress = new ArrayList<>();
            people.build(now -> {
                if (progress.isEmpty()) {
                    people.put("q", new Person("q", "c1", 1999));
                    store.admin().checkpoint();
                }
                progress.add(now);
            });
            assertThat(progress).hasSizeGreaterThan(2);
            assertThat(names(index.scan(KeySpan.all()))).as("seed=3").hasSize(5_001);
        });
    }

    @Test
    void anIndexIsBuiltFromWhatIsThereAndKeptFromThenOn() {
        run((cloud, store) -> {
            fill(old(store), 0, 60);
            settle(cloud, store);
            RecordCollection<String, Person> people = old(store);
            Index<String, String, Person> byCity = byCity(people);
            invalid(() -> byCity.scan("c1")).is(code(ErrorCode.INDEX_NOT_READY));
            List<BuildProgress> progress = new ArrayList<>();
            people.build(progress::add);
            assertThat(progress.getLast()).isEqualTo(new BuildProgress(60, 60));
            assertThat(progress).allSatisfy(p -> assertThat(p.percent()).isBetween(0, 100));
            assertThat(names(byCity.scan("c1"))).hasSize(20).contains("n1", "n58");
            people.put("p001", new Person("moved", "c2", 1));
            people.delete("p002");
            people.put("p100", new Person("new", "c1", 1));
            assertThat(names(byCity.scan("c1")))
                    .doesNotContain("n1")
                    .contains("new")
                    .hasSize(20);
            settle(cloud, store);
            assertThat(store.admin().check(byCity)).isEqualTo(new IndexReport(60, 60, 0, 0, 0, 3));
            people.build(progress::add);
            assertThat(store.admin().verify().violations()).isEmpty();
        });
    }

    @Test
    void anIndexOnSeveralFields() {
        run((cloud, store) -> {
            fill(old(store), 0, 60);
            settle(cloud, store);
            RecordCollection<String, Person> people = old(store);
            Index<Pair<String, Long>, String, Person> byCityAndAge = people.index(
                    "by-city-and-age",
                    Keys.pair(Keys.string(), Keys.descending(Keys.longs())),
                    person -> new Pair<>(person.city(), person.born()));
            people.build();
            assertThat(names(byCityAndAge.scan(KeySpan.between(new Pair<>("c1", 1910L), new Pair<>("c1", 1904L)))))
                    .as("the youngest first; the last one is not taken along")
                    .containsExactly("n10", "n58", "n7", "n55");
            assertThat(store.admin().check(byCityAndAge).missing()).isZero();
        });
    }

    /** The record of a program that does not know the index is found at once, and a scrub writes its entry. */
    @Test
    void aProgramOfBeforeGoesOn() {
        run((cloud, store) -> {
            RecordCollection<String, Person> before = old(store);
            fill(before, 0, 10);
            settle(cloud, store);
            try (Penstock newer = open(cloud, "new")) {
                RecordCollection<String, Person> people = old(newer);
                Index<String, String, Person> byCity = byCity(people);
                people.build();
                before.put("p001", new Person("moved", "c2", 1));
                fill(before, 20, 23);
                old(store).delete("p002");
                store.rawCollection("people").put(Bytes.utf8("p030"), Bytes.utf8("""
                    {"name":"raw","city":"c1","born":7}\
                    """));
                settle(cloud, store);
                IndexReport report = store.admin().check(byCity);
                assertThat(report.missing()).isZero();
                assertThat(report.pending()).isEqualTo(6); // a delete is one
                assertThat(report.leftOver()).isEqualTo(2);
                assertThat(names(byCity.scan("c1"))).containsExactly("n4", "n7", "n22", "raw");
                assertThat(names(byCity.scan(KeySpan.all().reversed())).reversed())
                        .isEqualTo(names(byCity.scan(KeySpan.all())))
                        .hasSize(13);
                assertThat(names(byCity.scan(KeySpan.all().limit(2)))).hasSize(2);
                assertThat(store.admin().scrub(byCity)).isEqualTo(new ScrubReport(6, 2, 0));
                assertThat(store.admin().check(byCity)).isEqualTo(new IndexReport(13, 13, 0, 0, 0, 3));
                assertThat(names(byCity.scan("c1"))).containsExactly("n4", "n7", "n22", "raw");
                assertThat(store.admin().scrub(byCity)).isEqualTo(new ScrubReport(0, 0, 0));
            }
        });
    }

    /** Also when the client that applies the records had its definition from before. */
    @Test
    void aScrubbedRecordThatIsPutAgainIsPendingAgain() {
        run((cloud, store) -> {
            RecordCollection<String, Person> before = old(store);
            fill(before, 0, 3);
            try (Penstock newer = open(cloud, "new")) {
                RecordCollection<String, Person> people = old(newer);
                Index<String, String, Person> byCity = byCity(people);
                people.build();
                for (String city : List.of("x", "y", "x")) {
                    before.put("p001", new Person("m", city, 1));
                    settle(cloud, store);
                    assertThat(store.admin().check(byCity).pending()).as(city).isPositive();
                    assertThat(store.admin().scrub(byCity).indexed()).isPositive();
                    assertThat(names(byCity.scan(city))).containsExactly("m");
                }
                assertThat(store.admin().check(byCity)).isEqualTo(new IndexReport(3, 3, 0, 0, 0, 0));
            }
        });
    }

    @Test
    void anIndexOfACollectionWithoutRecords() {
        run((cloud, store) -> {
            RecordCollection<String, Person> before = old(store);
            assertThat(before.get("p000")).isEmpty();
            RecordCollection<String, Person> people = old(store);
            Index<String, String, Person> byCity = byCity(people);
            people.build();
            assertThat(names(byCity.scan(KeySpan.all()))).isEmpty();
            try (Penstock other = open(cloud, "other")) {
                fill(old(other), 0, 5);
                settle(cloud, other);
            }
            cloud.sleep(TTL);
            assertThat(names(byCity.scan(KeySpan.all()))).hasSize(5);
        });
    }

    @Test
    void anIndexIsDroppedAndBuiltAnew() {
        run((cloud, store) -> {
            fill(old(store), 0, 10);
            RecordCollection<String, Person> people = old(store);
            Index<String, String, Person> byCity = byCity(people);
            people.build();
            invalid(() -> store.admin().dropIndex(people.name(), "by-town")).is(code(ErrorCode.NOT_FOUND));
            try (Penstock other = open(cloud, "other")) {
                RecordCollection<String, Person> others = old(other);
                Index<String, String, Person> othersByCity = byCity(others);
                fill(others, 10, 12);
                store.admin().dropIndex(people.name(), "by-city");
                invalid(() -> byCity.scan("c1")).is(code(ErrorCode.INDEX_NOT_READY));
                fill(others, 12, 14);
                settle(cloud, store, other);
                invalid(() -> othersByCity.scan("c1")).is(code(ErrorCode.INDEX_NOT_READY));
                fill(people, 14, 16);
                people.build();
                settle(cloud, store, other);
                assertThat(names(byCity.scan(KeySpan.all()))).hasSize(16);
                assertThat(store.admin().scrub(byCity).left()).isZero();
                assertThat(store.admin().check(byCity)).isEqualTo(new IndexReport(16, 16, 0, 0, 0, 3));
            }
            assertThat(cloud.keys("quarantine/")).isEmpty();
            assertThat(store.admin().verify().violations()).isEmpty();
        });
    }

    /** An index that the collection was made with can be dropped too, and need not be declared any more. */
    @Test
    void anIndexOfTheBeginningIsDropped() {
        run((cloud, store) -> {
            RecordCollection<String, Person> people = old(store);
            Index<String, String, Person> byCity = byCity(people);
            fill(people, 0, 5);
            invalid(() -> old(store).get("p000")).is(code(ErrorCode.DEFINITION_MISMATCH));
            store.admin().dropIndex(people.name(), "by-city");
            try (Penstock other = open(cloud, "other")) {
                fill(old(other), 5, 7);
                settle(cloud, store, other);
            }
            fill(people, 7, 9);
            invalid(() -> byCity.scan("c1")).is(code(ErrorCode.INDEX_NOT_READY));
            settle(cloud, store);
            assertThat(cloud.keys("quarantine/")).isEmpty();
        });
    }

    @Test
    void whatABuildRefuses() {
        run((cloud, store) -> {
            fill(old(store), 0, 3);
            RecordCollection<String, Person> people = old(store);
            byCity(people);
            people.build();
            settle(cloud, store);
            RecordCollection<String, Person> wrong = old(store);
            wrong.index("by-city", Keys.longs(), Person::born);
            invalid(() -> wrong.get("p000")).is(code(ErrorCode.DEFINITION_MISMATCH));
            try (Penstock reader = Penstock.open(cloud.settings("reader").readOnly(true))) {
                RecordCollection<String, Person> read = old(reader);
                assertThat(names(byCity(read).scan("c1"))).containsExactly("n1");
                invalid(read::build).is(code(ErrorCode.READ_ONLY));
                invalid(() -> reader.admin().dropIndex(read.name(), "by-city")).is(code(ErrorCode.READ_ONLY));
            }
            try (Penstock bound = Penstock.open(cloud.settings("bound").provisioning(Provisioning.EXISTING))) {
                RecordCollection<String, Person> known = old(bound);
                known.index("by-age", Keys.longs(), Person::born);
                invalid(known::build).is(code(ErrorCode.NOT_PROVISIONED));
                known.put("p009", new Person("n9", "c1", 1));
            }
        });
    }

    /** Its record is found nevertheless, and stays pending. */
    @Test
    void anEntryThatIsTooLongForTheIndex() {
        run((cloud, store) -> {
            RecordCollection<String, Person> before = old(store);
            String city = "x".repeat(130);
            before.put("p1", new Person("long", city, 1));
            before.put("p2", new Person("short", "y", 1));
            settle(cloud, store);
            RecordCollection<String, Person> people = old(store);
            Index<String, String, Person> byCity = byCity(people);
            people.build();
            before.put("p3", new Person("later", city, 1));
            settle(cloud, store);
            assertThat(names(byCity.scan(city))).containsExactly("long", "later");
            assertThat(store.admin().scrub(byCity)).isEqualTo(new ScrubReport(0, 0, 2));
            assertThat(store.admin().check(byCity)).isEqualTo(new IndexReport(3, 1, 0, 0, 2, 0));
            people.put("p1", new Person("long", "z", 1));
            people.delete("p3");
            settle(cloud, store);
            assertThat(store.admin().scrub(byCity)).isEqualTo(new ScrubReport(2, 0, 0));
            assertThat(names(byCity.scan(KeySpan.all()))).containsExactly("short", "long");
        });
    }

    /** Two clients add an index of the same name: the second is refused. */
    @Test
    void anIndexThatAnotherClientDefinesDifferently() {
        run((cloud, store) -> {
            fill(old(store), 0, 3);
            RecordCollection<String, Person> people = old(store);
            byCity(people);
            try (Penstock other = open(cloud, "other")) {
                RecordCollection<String, Person> others = old(other);
                Index<Long, String, Person> wrong = others.index("by-city", Keys.longs(), Person::born);
                assertThat(others.get("p999")).isEmpty();
                people.build();
                invalid(others::build).hasMessageContaining("stored=string wanted=long");
                invalid(() -> wrong.scan(1L)).is(code(ErrorCode.DEFINITION_MISMATCH));
                invalid(() -> others.put("p000", new Person("n", "c", 1))).is(code(ErrorCode.DEFINITION_MISMATCH));
            }
        });
    }

    /** A client may only continue another's build if it knows the index. */
    @Test
    void aBuildThatWasLeft() {
        run((cloud, store) -> {
            fill(old(store), 0, 60);
            settle(cloud, store);
            RecordCollection<String, Person> people = old(store);
            Index<String, String, Person> byCity = byCity(people);
            assertThatThrownBy(() -> people.build(progress -> {
                        throw new IllegalStateException("stop");
                    }))
                    .hasMessage("stop");
            invalid(() -> byCity.scan("c1")).is(code(ErrorCode.INDEX_NOT_READY));
            try (Penstock other = open(cloud, "other")) {
                RecordCollection<String, Person> others = old(other);
                others.index("by-age", Keys.longs(), Person::born);
                invalid(others::build).is(code(ErrorCode.UNDECLARED_INDEX));
                RecordCollection<String, Person> same = old(other);
                same.index("by-age", Keys.longs(), Person::born);
                Index<String, String, Person> known = byCity(same);
                same.build();
                assertThat(names(known.scan("c1"))).hasSize(20);
            }
            assertThat(names(byCity.scan("c1"))).hasSize(20);
            assertThat(store.admin().check(byCity).missing()).isZero();
        });
    }

    /** A scrub waited for its own pool alone: a reader with a longer ttl lost sight of a record. */
    @Test
    void aScrubWaitsForThePoolsOfAllReaders() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Settings brief = cloud.settings("old").ttl(Duration.ofSeconds(1)).checkpointing(false);
            Settings scrubs =
                    cloud.settings("scrubber").ttl(Duration.ofSeconds(1)).pageBytes(512);
            Settings reads =
                    cloud.settings("reader").ttl(Duration.ofSeconds(60)).pageBytes(512);
            try (Penstock old = Penstock.open(brief.pageBytes(512));
                    Penstock scrubber = Penstock.open(scrubs.checkpointing(false));
                    Penstock reader = Penstock.open(reads.checkpointing(false))) {
                RecordCollection<String, String> words = SimulatedStore.words(old);
                for (int i = 0; i < 150; i++) {
                    words.put("r" + i, i < 50 ? "adams" : "knuth");
                }
                old.flush();
                old.admin().checkpoint();
                cloud.sleep(Duration.ofSeconds(2));
                RecordCollection<String, String> scrubbed = SimulatedStore.words(scrubber);
                Index<String, String, String> late = scrubbed.index("late", Keys.string(), value -> value);
                scrubbed.build();
                Index<String, String, String> read =
                        SimulatedStore.words(reader).index("late", Keys.string(), value -> value);
                words.put("r3a", "adams");
                old.flush();
                old.admin().checkpoint();
                Session session = reader.newSession();
                assertThat(count(session, read, "knuth")).isEqualTo(100); // its pool has the pending page now
                cloud.sleep(Duration.ofSeconds(30));
                assertThat(count(session, read, "adams")).isEqualTo(51);
                Task<Boolean> scrub = cloud.machine("scrubber")
                        .start("scrub", () -> scrubber.admin().scrub(late));
                for (int i = 0; i < 240; i++) {
                    assertThat(count(session, read, "adams"))
                            .as("after %d half seconds", i)
                            .isEqualTo(51);
                    cloud.sleep(Duration.ofMillis(500));
                }
                scrub.join();
                assertThat(count(session, read, "adams")).isEqualTo(51);
            }
        });
    }

    private static long count(Session session, Index<String, String, String> index, String key) {
        return session.read(tx -> {
            long count = 0;
            try (Scan<Entry<String, String>> scan = tx.scan(index, key)) {
                for (; scan.hasNext(); scan.next()) {
                    count++;
                }
            }
            return count;
        });
    }
}
