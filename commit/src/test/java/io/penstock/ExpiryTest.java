package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.task.Task;
import io.penstock.report.IndexReport;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Records that expire, through the front door. */
class ExpiryTest {
    private static final Duration LIFE = Duration.ofMinutes(2);
    private static final Duration GRACE = Duration.ofMinutes(61);

    /** A collection and its indexes, as one client has opened them. */
    private record Words(
            Penstock store,
            RecordCollection<String, String> words,
            Index<String, String, String> byText,
            CoveringIndex<String, String, String, String> covering) {
        static Words of(Penstock store) {
            RecordCollection<String, String> words = SimulatedStore.words(store);
            Index<String, String, String> byText = words.index("by-text", Keys.string(), ExpiryTest::head);
            return new Words(store, words, byText, byText.including("head", Json.of(String.class), ExpiryTest::head));
        }

        /** What all ways to read show, which must be the same. */
        Set<String> keys() {
            Set<String> found = content(words.scan(KeySpan.all())).keySet();
            assertThat(content(words.scan(KeySpan.all().reversed())).keySet()).isEqualTo(found);
            assertThat(content(byText.scan(KeySpan.all())).keySet()).isEqualTo(found);
            assertThat(content(byText.scan(KeySpan.all().reversed())).keySet()).isEqualTo(found);
            assertThat(content(covering.scan(KeySpan.all())).keySet()).isEqualTo(found);
            List<String> asked = List.of("goes", "large", "long", "stays");
            assertThat(words.getAll(asked).keySet()).isEqualTo(found);
            for (String key : asked) {
                assertThat(words.get(key).isPresent()).isEqualTo(found.contains(key));
                assertThat(words.open(key).isPresent()).isEqualTo(found.contains(key));
            }
            return found;
        }

        IndexReport report() {
            return store.admin().check(byText);
        }
    }

    private static String head(String text) {
        return text.substring(0, Math.min(8, text.length()));
    }

    private static <T> Map<String, T> content(Scan<Entry<String, T>> scan) {
        Map<String, T> found = new TreeMap<>();
        try (scan) {
            scan.forEachRemaining(entry -> found.put(entry.key(), entry.value()));
        }
        return found;
    }

    private static Penstock open(SimulatedStore cloud, String machine, ConsistencyLevel level) {
        return Penstock.open(cloud.settings(machine).level(level));
    }

    private static void settle(SimulatedStore cloud, Penstock store) {
        SimulatedStore.settle(store, cloud.machine("main"));
        assertThat(store.admin().backlog().total()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void everyReadHidesWhatHasExpired(ConsistencyLevel level) {
        for (boolean applied : new boolean[] {false, true}) {
            new SimulatedStore(1, World.CALM).run(cloud -> {
                try (Penstock store = open(cloud, "a", level);
                        Penstock other = open(cloud, "b", level)) {
                    Words own = Words.of(store);
                    own.words.put("stays", "s");
                    own.words.put("goes", "g", LIFE);
                    own.words.put("large", "l".repeat(900), LIFE);
                    own.words.put("long", "g2", LIFE.multipliedBy(10));
                    if (applied || level == ConsistencyLevel.BASIC) {
                        settle(cloud, store);
                    }
                    cloud.sleep(Duration.ofSeconds(5));
                    assertThat(own.keys()).containsExactly("goes", "large", "long", "stays");

                    cloud.sleep(LIFE);
                    assertThat(own.keys()).containsExactly("long", "stays");
                    settle(cloud, store);
                    assertThat(Words.of(other).keys()).containsExactly("long", "stays");
                    assertThat(own.words.deleteRange(KeySpan.all())).isEqualTo(2);
                }
            });
        }
    }

    /** Each test body has a client, another one, and their collections; "goes" expires after {@link #LIFE}. */
    @FunctionalInterface
    private interface OfTwo {
        void run(SimulatedStore cloud, Words own, Words other);
    }

    private static void ofTwo(ConsistencyLevel level, OfTwo body) {
        ofTwo(Duration.ZERO, level, body);
    }

    /** @param ahead of the clock of the first client */
    private static void ofTwo(Duration ahead, ConsistencyLevel level, OfTwo body) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            cloud.machine("a").skewClock(ahead);
            try (Penstock store = open(cloud, "a", level);
                    Penstock other = open(cloud, "b", level)) {
                Words own = Words.of(store);
                own.words.put("goes", "g", LIFE);
                own.words.put("long", "s", LIFE.multipliedBy(100));
                own.words.put("stays", "s");
                body.run(cloud, own, Words.of(other));
            }
        });
    }

    /** So that pages are newer than what an open transaction has read, and it must move on. */
    private static void applyAll(SimulatedStore cloud, Words words) {
        settle(cloud, words.store);
        cloud.sleep(Duration.ofMinutes(10));
    }

    @ParameterizedTest
    @EnumSource(names = {"SNAPSHOT", "SERIALIZABLE"})
    void recordPutAnewAfterItsExpiryIsInAnIndexOnce(ConsistencyLevel level) {
        ofTwo(level, (cloud, own, other) -> {
            try (Transaction early = other.store.begin(level)) {
                assertThat(early.get(other.words, "long")).isPresent();
                cloud.sleep(LIFE.multipliedBy(2));
                own.words.put("goes", "z");
                own.words.put("last", "l");
                applyAll(cloud, own);
                assertThat(early.get(other.words, "last")).as("it moves on").isPresent();
                List<String> found = new ArrayList<>();
                try (Scan<Entry<String, String>> rows = early.scan(other.covering, KeySpan.all())) {
                    rows.forEachRemaining(row -> found.add(row.key()));
                }
                assertThat(found).containsExactlyInAnyOrder("goes", "last", "long", "stays");
            }
        });
    }

    /** A commit that was possible only since a record had expired is never seen beside the record. */
    @ParameterizedTest
    @EnumSource(names = {"SNAPSHOT", "SERIALIZABLE"})
    void transactionThatMovesOnLeavesWhatHasExpiredBehind(ConsistencyLevel level) {
        ofTwo(level, (cloud, own, other) -> {
            try (Transaction early = other.store.begin(level)) {
                assertThat(early.get(other.words, "long")).isPresent();
                cloud.sleep(LIFE.multipliedBy(2));
                own.store.transact(body -> {
                    assertThat(body.get(own.words, "goes")).isEmpty();
                    body.put(own.words, "heir", "h");
                    return null;
                });
                applyAll(cloud, own);
                assertThat(early.get(other.words, "heir")).isPresent();
                assertThat(content(early.scan(other.words, KeySpan.all()))).containsOnlyKeys("heir", "long", "stays");
            }
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"SNAPSHOT", "SERIALIZABLE"})
    void transactionThatHasReadWhatExpiredDoesNotMoveOn(ConsistencyLevel level) {
        for (boolean byScan : new boolean[] {false, true}) {
            ofTwo(level, (cloud, own, other) -> {
                try (Transaction early = other.store.begin(level)) {
                    assertThat(
                                    byScan
                                            ? content(early.scan(other.words, KeySpan.all()))
                                                    .containsKey("goes")
                                            : early.get(other.words, "goes").isPresent())
                            .isTrue();
                    cloud.sleep(LIFE.multipliedBy(2));
                    own.words.put("stays", "changed");
                    own.words.put("zz", "h");
                    applyAll(cloud, own);
                    assertThatThrownBy(() -> early.get(other.words, "zz")).isInstanceOf(ConflictException.class);
                }
            });
        }
    }

    /** Each of two transactions sees what the other one must not have seen: the first a record, the second its end. */
    @Test
    void commitAfterTheExpiryOfWhatItHasReadIsRefused() {
        for (boolean rival : new boolean[] {false, true}) {
            ofTwo(ConsistencyLevel.SERIALIZABLE, (cloud, own, other) -> {
                try (Transaction early = other.store.begin()) {
                    assertThat(early.get(other.words, "goes")).isPresent();
                    early.put(other.words, "x", "while it was there");
                    cloud.sleep(LIFE.multipliedBy(2));
                    if (rival) {
                        own.store.transact(body -> {
                            assertThat(body.get(own.words, "goes")).isEmpty();
                            assertThat(body.get(own.words, "x")).isEmpty();
                            body.put(own.words, "y", "since it was gone");
                            return null;
                        });
                    }
                    assertThatThrownBy(early::commit)
                            .isInstanceOf(ConflictException.class)
                            .hasMessageContaining("expired");
                }
            });
        }
    }

    /** A record that is renewed in time is there in every state. */
    @ParameterizedTest
    @EnumSource(names = {"SNAPSHOT", "SERIALIZABLE"})
    void renewedRecordIsInEveryState(ConsistencyLevel level) {
        ofTwo(level, (cloud, own, other) -> {
            try (Transaction early = other.store.begin(level)) {
                assertThat(early.get(other.words, "stays")).isPresent();
                cloud.sleep(LIFE.dividedBy(2));
                own.words.put("goes", "renewed", LIFE.multipliedBy(2));
                cloud.sleep(LIFE);
                assertThat(early.get(other.words, "goes")).contains("g");
            }
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"SNAPSHOT", "SERIALIZABLE"})
    void renewedRecordIsInStaleStatesToo(ConsistencyLevel level) {
        ofTwo(level, (cloud, own, unused) -> {
            try (Penstock stale = Penstock.open(cloud.settings("c").level(level).staleness(LIFE))) {
                Words seen = Words.of(stale);
                assertThat(stale.<Optional<String>>read(body -> body.get(seen.words, "goes")))
                        .contains("g");
                cloud.sleep(LIFE.dividedBy(2));
                own.words.put("goes", "renewed", LIFE.multipliedBy(2));
                cloud.sleep(LIFE.dividedBy(2).minusSeconds(1));
                assertThat(stale.<Optional<String>>read(body -> body.get(seen.words, "goes")))
                        .contains("g");
                cloud.sleep(LIFE.dividedBy(2));
                assertThat(stale.<Optional<String>>read(body -> body.get(seen.words, "goes")))
                        .isPresent();
            }
        });
    }

    /** A client whose clock is behind sees no record beside what another one did since it had expired. */
    @ParameterizedTest
    @EnumSource(names = {"SNAPSHOT", "SERIALIZABLE"})
    void clocksThatDifferAgreeInOneLog(ConsistencyLevel level) {
        ofTwo(Duration.ofSeconds(30), level, (cloud, own, other) -> {
            assertThat(own.words.get("goes")).isPresent();
            other.words.put("goes", "g", LIFE); // by the clock that is right
            cloud.sleep(LIFE.minusSeconds(15));
            assertThat(other.words.get("goes")).isPresent();
            own.store.transact(body -> {
                assertThat(body.get(own.words, "goes")).isEmpty();
                body.put(own.words, "heir", "h");
                return null;
            });
            other.store.transact(body -> {
                assertThat(body.get(other.words, "heir")).isPresent();
                assertThat(body.get(other.words, "goes")).isEmpty();
                return null;
            });
            other.words.put("fresh", "f", Duration.ofSeconds(10));
            assertThat(own.words.get("fresh"))
                    .as("its life is counted by the log")
                    .isPresent();
        });
    }

    @Test
    void aNewPutDecidesAnew() {
        new SimulatedStore(2, World.CALM).run(cloud -> {
            try (Penstock store = open(cloud, "a", ConsistencyLevel.ATOMIC)) {
                Words own = Words.of(store);
                own.words.put("stays", "s", LIFE);
                own.words.put("stays", "s");
                own.words.put("goes", "g");
                own.words.put("goes", "g", LIFE);
                cloud.sleep(LIFE);
                assertThat(own.keys()).containsExactly("stays");
                own.words.put("goes", "again");
                settle(cloud, store);
                assertThat(own.keys()).containsExactly("goes", "stays");
                assertThat(own.report().leftOver()).isZero();
            }
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"SNAPSHOT", "SERIALIZABLE"})
    void whatHasExpiredIsAbsentToConditions(ConsistencyLevel level) {
        new SimulatedStore(3, World.CALM).run(cloud -> {
            try (Penstock store = open(cloud, "a", level)) {
                RecordCollection<String, String> words =
                        SimulatedStore.words(store).expiresAfter(LIFE);
                assertThat(words.putIfAbsent("k", "1")).isTrue();
                assertThat(words.putIfAbsent("k", "2")).isFalse();
                cloud.sleep(LIFE);
                assertThat(words.replace("k", "1", "2")).isFalse();
                assertThat(words.putIfAbsent("k", "2")).isTrue();
                cloud.sleep(LIFE.dividedBy(2));
                assertThat(words.replace("k", "2", "3")).isTrue();
                cloud.sleep(LIFE.dividedBy(2));
                assertThat(words.get("k")).as("its time began anew").contains("3");
                cloud.sleep(LIFE.dividedBy(2));
                assertThat(words.update("k", found -> found.map(text -> text + "!")))
                        .isEmpty();
                RecordCollection<String, Long> counters =
                        store.collection("counters", Keys.string(), Json.of(Long.class));
                counters.put("n", 5L, LIFE);
                assertThat(RecordCollection.increment(counters, "n", 1)).isEqualTo(6);
                cloud.sleep(LIFE);
                assertThat(counters.get("n"))
                        .as("the collection has no time to live")
                        .contains(6L);
                counters.put("n", 5L, LIFE);
                cloud.sleep(LIFE);
                assertThat(RecordCollection.increment(counters, "n", 1)).isEqualTo(1);
            }
        });
    }

    @Test
    void aTransactionSeesOneInstant() {
        for (ConsistencyLevel level : ConsistencyLevel.values()) {
            seeOneInstant(level);
        }
    }

    private static void seeOneInstant(ConsistencyLevel level) {
        new SimulatedStore(4, World.CALM).run(cloud -> {
            try (Penstock store = open(cloud, "a", level)) {
                RecordCollection<String, String> words = SimulatedStore.words(store);
                for (int i = 0; i < 8; i++) {
                    words.put("k" + i, "v", LIFE);
                }
                settle(cloud, store);
                try (Transaction transaction = store.begin()) {
                    assertThat(transaction.get(words, "k0")).isPresent();
                    cloud.sleep(LIFE);
                    assertThat(transaction.get(words, "k1")).isPresent();
                    assertThat(content(transaction.scan(words, KeySpan.all()))).hasSize(8);
                    assertThat(words.get("k1")).isEmpty();
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void compactionPurgesRecordsAndEntries(ConsistencyLevel level) {
        new SimulatedStore(5, World.CALM).run(cloud -> {
            try (Penstock store = open(cloud, "a", level)) {
                Words own = Words.of(store);
                for (int i = 0; i < 40; i++) {
                    own.words.put("k" + i, "v" + i, LIFE);
                }
                own.words.put("large", "l".repeat(900), LIFE);
                own.words.put("stays", "s");
                settle(cloud, store);
                cloud.sleep(LIFE);
                assertThat(store.admin().compact().purged())
                        .as("within the grace")
                        .isZero();
                assertThat(own.report().missing()).isZero();
                cloud.sleep(GRACE);
                assertThat(store.admin().compact().purged()).isEqualTo(2 * 41);
                assertThat(own.keys()).containsExactly("stays");
                assertThat(own.report()).isEqualTo(new IndexReport(1, 1, 0, 0, 0, 0));
                assertThat(store.admin().verify().violations()).isEmpty();
                assertThat(store.admin().compact().purged()).isZero();

                cloud.sleep(Duration.ofDays(33));
                assertThat(store.admin().compact().purged()).as("tombstones").isEqualTo(2 * 41);
                store.admin().removeGarbage(Duration.ZERO);
                assertThat(cloud.keys("overflow/")).isEmpty();
                assertThat(own.keys()).containsExactly("stays");
                assertThat(store.admin().verify().violations()).isEmpty();
            }
        });
    }

    /** Entries that a build or a scrub writes expire with their records. */
    @Test
    void anIndexThatIsBuiltLaterExpiresToo() {
        new SimulatedStore(6, World.CALM).run(cloud -> {
            try (Penstock store = open(cloud, "a", ConsistencyLevel.ATOMIC);
                    Penstock late = open(cloud, "b", ConsistencyLevel.ATOMIC)) {
                RecordCollection<String, String> unaware = SimulatedStore.words(store);
                unaware.put("goes", "g", LIFE);
                unaware.put("stays", "s");
                settle(cloud, store);
                Words aware = Words.of(late);
                aware.words.build();
                unaware.put("large", "l".repeat(900), LIFE);
                settle(cloud, store);
                cloud.sleep(Duration.ofSeconds(30));
                assertThat(aware.keys()).containsExactly("goes", "large", "stays");
                // It waits for the pools of all readers, for longer than the records live.
                Task<Boolean> scrub =
                        cloud.machine("b").start("scrub", () -> late.admin().scrub(aware.byText));
                cloud.sleep(Duration.ofSeconds(30));
                assertThat(aware.keys()).containsExactly("goes", "large", "stays");
                cloud.sleep(LIFE);
                assertThat(aware.keys()).containsExactly("stays");
                scrub.join();
                cloud.sleep(GRACE);
                late.admin().compact();
                assertThat(aware.report()).isEqualTo(new IndexReport(1, 1, 0, 0, 0, 0));
            }
        });
    }

    @Test
    void aLoadExpiresAsPutsDo() {
        new SimulatedStore(7, World.CALM).run(cloud -> {
            try (Penstock store = open(cloud, "a", ConsistencyLevel.ATOMIC)) {
                Words own = Words.of(store);
                Iterator<Entry<String, String>> records = List.of(
                                new Entry<>("goes", "g"), new Entry<>("large", "l".repeat(900)))
                        .iterator();
                own.words.expiresAfter(LIFE).load(records, read -> {});
                own.words.put("long", "g2", LIFE.multipliedBy(2));
                assertThat(own.keys()).containsExactly("goes", "large", "long");
                cloud.sleep(LIFE);
                assertThat(own.keys()).containsExactly("long");
                cloud.sleep(LIFE);
                assertThat(own.keys()).isEmpty();
            }
        });
    }

    @Test
    void aUniqueSearchKeyIsFreeAgain() {
        new SimulatedStore(8, World.CALM).run(cloud -> {
            try (Penstock store = open(cloud, "a", ConsistencyLevel.SERIALIZABLE)) {
                RecordCollection<String, String> words = SimulatedStore.words(store);
                Index<String, String, String> byText =
                        words.index("by-text", Keys.string(), text -> text).unique();
                words.put("a", "taken", LIFE);
                assertThatThrownBy(() -> words.put("b", "taken")).is(code(ErrorCode.DUPLICATE_KEY));
                cloud.sleep(LIFE);
                words.put("b", "taken");
                assertThat(content(byText.scan(KeySpan.all()))).containsOnlyKeys("b");
                settle(cloud, store);
                assertThat(store.admin().check(byText).duplicates()).isZero();
            }
        });
    }

    @Test
    void timesToLiveHaveBounds() {
        new SimulatedStore(9, World.CALM).run(cloud -> {
            try (Penstock store = open(cloud, "a", ConsistencyLevel.ATOMIC)) {
                RecordCollection<String, String> words = SimulatedStore.words(store);
                for (Duration wrong : List.of(Duration.ZERO, Duration.ofSeconds(-1), Duration.ofDays(40_000))) {
                    assertThatThrownBy(() -> words.put("k", "v", wrong))
                            .isInstanceOf(InvalidRequestException.class)
                            .hasMessageContaining("timeToLive");
                    assertThatThrownBy(() -> words.expiresAfter(wrong)).isInstanceOf(InvalidRequestException.class);
                }
                assertThat(words.get("k")).isEmpty();
            }
        });
    }
}
