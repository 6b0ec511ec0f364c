package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.report.GcReport;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.CrashedException;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Collections that are dropped or emptied beside clients that have them open. */
class DropTest {
    private static final Duration NOTICED = Duration.ofSeconds(61);

    private static RecordCollection<String, String> words(Penstock store) {
        return SimulatedStore.words(store);
    }

    private static RecordCollection<String, String> others(Penstock store) {
        return store.collection("others", Keys.string(), Json.of(String.class));
    }

    private static Map<String, String> content(RecordCollection<String, String> collection) {
        Map<String, String> found = new TreeMap<>();
        try (Scan<Entry<String, String>> scan = collection.scan(KeySpan.all())) {
            scan.forEachRemaining(entry -> found.put(entry.key(), entry.value()));
        }
        return found;
    }

    private static AbstractThrowableAssert<?, ?> refused(ThrowingCallable call) {
        return assertThatThrownBy(call).isInstanceOf(InvalidRequestException.class);
    }

    private static Penstock open(SimulatedStore cloud, String machine, ConsistencyLevel level) {
        return Penstock.open(cloud.settings(machine).level(level));
    }

    private static void settle(SimulatedStore cloud, Penstock store) {
        SimulatedStore.settle(store, cloud.machine("main"));
        assertThat(store.admin().backlog().total()).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"SNAPSHOT", "SERIALIZABLE"})
    void aDroppedCollectionIsGoneForAll(ConsistencyLevel level) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = open(cloud, "a", level);
                    Penstock other = open(cloud, "b", level)) {
                RecordCollection<String, String> words = words(store);
                RecordCollection<String, String> known = words(other);
                for (int i = 0; i < 50; i++) {
                    words.put("k" + i, "old");
                }
                store.admin().checkpoint();
                known.put("pending", "old");
                others(other).put("k", "kept");

                assertThat(store.admin().drop("words")).isTrue();
                assertThat(store.admin().drop("words")).isFalse();
                refused(() -> words.put("k", "late")).is(code(ErrorCode.NOT_FOUND));
                refused(() -> words.get("k1")).is(code(ErrorCode.NOT_FOUND));
                refused(() -> store.rawCollection("words")).is(code(ErrorCode.NOT_FOUND));
                cloud.sleep(NOTICED);
                refused(() -> known.put("k", "late")).is(code(ErrorCode.NOT_FOUND));
                refused(() -> known.scan(KeySpan.all())).is(code(ErrorCode.NOT_FOUND));
                assertThat(store.collections()).containsExactly("others");

                RecordCollection<String, String> fresh = words(store);
                assertThat(content(fresh)).isEmpty();
                fresh.put("new", "new");
                settle(cloud, store);
                assertThat(content(words(other))).containsExactly(Map.entry("new", "new"));
                assertThat(content(others(store))).containsExactly(Map.entry("k", "kept"));
                assertThat(known.get("new")).as("the handle follows its name").contains("new");
                assertThat(store.admin().verify().violations()).isEmpty();
                assertThat(cloud.keys("quarantine/")).isEmpty();
            }
        });
    }

    @Test
    void whatIsLeftIsCollectedAnHourLater() {
        new SimulatedStore(2, World.CALM).run(cloud -> {
            try (Penstock store = open(cloud, "a", ConsistencyLevel.ATOMIC)) {
                others(store).put("k", "kept");
                for (int i = 0; i < 200; i++) {
                    words(store).put("k" + i, "old " + i);
                }
                store.admin().checkpoint();
                int queues = cloud.queues("pu-").size();
                int pages = cloud.keys("pages/").size();
                words(store).put("pending", "old");
                store.admin().drop("words");

                assertThat(store.admin().removeGarbage(Duration.ZERO).queues()).isZero();
                assertThat(cloud.keys("pages/")).hasSize(pages);
                cloud.sleep(Duration.ofHours(2));
                assertThat(store.admin().findGarbage(Duration.ZERO).queues()).isOne();
                assertThat(cloud.queues("pu-")).hasSize(queues);
                GcReport report = store.admin().removeGarbage(Duration.ZERO);
                assertThat(report.queues()).isOne();
                assertThat(report.kept()).isEmpty();
                assertThat(cloud.queues("pu-")).hasSize(queues - 1);
                assertThat(cloud.queues("lk-")).hasSize(queues - 1);
                assertThat(cloud.keys("pages/").size()).isLessThan(pages / 2);
                others(store).put("l", "kept");
                settle(cloud, store);
                assertThat(content(others(store))).hasSize(2);
                assertThat(store.admin().verify().violations()).isEmpty();
                assertThat(store.admin().removeGarbage(Duration.ZERO))
                        .isEqualTo(store.admin().removeGarbage(Duration.ZERO));
            }
        });
    }

    @Test
    void theQueuesOfDroppedIndexesAreCollectedToo() {
        new SimulatedStore(3, World.CALM).run(cloud -> {
            try (Penstock store = open(cloud, "a", ConsistencyLevel.ATOMIC)) {
                RecordCollection<String, String> words = words(store);
                words.index("by-length", Keys.longs(), word -> (long) word.length());
                words.put("k", "word");
                settle(cloud, store);
                store.admin().dropIndex("words", "by-length");
                assertThat(cloud.queues("pu-")).hasSize(2);
                cloud.sleep(Duration.ofHours(2));
                assertThat(store.admin().removeGarbage(Duration.ZERO).queues()).isOne();
                assertThat(cloud.queues("pu-")).hasSize(1);
                assertThat(words.get("k")).contains("word");
            }
        });
    }

    /** One that pends over two collections: the part of the dropped one is discarded and counted. */
    @Test
    void theRestOfATransactionIsApplied() {
        new SimulatedStore(4, World.CALM).run(cloud -> {
            try (Penstock store = Penstock.open(cloud.settings("a")
                    .level(ConsistencyLevel.ATOMIC)
                    .checkpointing(false)
                    .advanced(advanced -> advanced.forwardInterval(Duration.ofMillis(10))))) {
                store.transact(tx -> {
                    tx.put(words(store), "k", "old");
                    tx.put(others(store), "k", "kept");
                    return true;
                });
                store.flush();
                store.admin().drop("words");
                try (Penstock other = open(cloud, "b", ConsistencyLevel.ATOMIC)) {
                    var report = other.admin().checkpoint();
                    assertThat(report.discarded()).isOne();
                    assertThat(report.records()).isOne();
                    assertThat(others(other).get("k")).contains("kept");
                    assertThat(words(other).get("k")).isEmpty();
                }
            }
        });
    }

    /** It has committed before, forwards long after the queues are gone, and must not wait for those for ever. */
    @Test
    void aClientThatSleptIsRefusedAndHurtsNobody() {
        new SimulatedStore(5, World.CALM).run(cloud -> {
            Penstock sleeper = Penstock.open(cloud.settings("s")
                    .level(ConsistencyLevel.ATOMIC)
                    .advanced(advanced -> advanced.forwardInterval(Duration.ofSeconds(10)))
                    .provisioning(Provisioning.CREATE));
            RecordCollection<String, String> known = words(sleeper);
            sleeper.transact(tx -> {
                tx.put(known, "k", "old");
                tx.put(others(sleeper), "k", "kept");
                return true;
            });
            sleeper.admin().checkpoint();
            sleeper.transact(tx -> {
                tx.put(known, "l", "old");
                tx.put(others(sleeper), "l", "kept");
                return true;
            });
            cloud.machine("s").freeze(Duration.ofHours(3));
            try (Penstock store = open(cloud, "a", ConsistencyLevel.ATOMIC)) {
                store.admin().drop("words");
                words(store).put("new", "new");
                cloud.sleep(Duration.ofHours(2));
                settle(cloud, store);
                store.admin().removeGarbage(Duration.ZERO);
                int queues = cloud.queues("pu-").size();
                cloud.sleep(Duration.ofHours(2));
                refused(() -> {
                            try (Transaction late = sleeper.begin()) {
                                late.put(known, "late", "old");
                                cloud.sleep(NOTICED);
                                store.admin().truncate("words");
                                cloud.sleep(NOTICED);
                                late.commit();
                            }
                        })
                        .is(code(ErrorCode.NOT_FOUND));
                sleeper.admin().checkpoint();
                settle(cloud, store);
                assertThat(content(words(store))).isEmpty();
                assertThat(content(others(store))).hasSize(2);
                assertThat(cloud.queues("pu-")).hasSizeGreaterThanOrEqualTo(queues);
                assertThat(store.admin().verify().violations()).isEmpty();
                assertThat(cloud.keys("parked/")).isEmpty();
            }
            sleeper.close();
        });
    }

    @Test
    void anEmptiedCollectionGoesOn() {
        new SimulatedStore(6, World.CALM).run(cloud -> {
            try (Penstock store = open(cloud, "a", ConsistencyLevel.ATOMIC);
                    Penstock other = open(cloud, "b", ConsistencyLevel.ATOMIC)) {
                RecordCollection<String, String> words = words(store);
                Index<Long, String, String> byLength =
                        words.index("by-length", Keys.longs(), word -> (long) word.length());
                RecordCollection<String, String> known = words(other);
                Index<Long, String, String> knownByLength =
                        known.index("by-length", Keys.longs(), word -> (long) word.length());
                words.put("k", "old");
                known.put("l", "older");
                try (Transaction late = store.begin()) {
                    late.put(words, "late", "old");
                    store.admin().truncate("words");
                    refused(late::commit).is(code(ErrorCode.NOT_FOUND));
                }
                assertThat(content(words)).isEmpty();
                words.put("n", "new");
                cloud.sleep(NOTICED);
                known.put("m", "newer");
                settle(cloud, store);
                settle(cloud, other);
                for (Index<Long, String, String> index : List.of(byLength, knownByLength)) {
                    List<String> found = new ArrayList<>();
                    try (Scan<Entry<String, String>> scan = index.scan(KeySpan.all())) {
                        scan.forEachRemaining(entry -> found.add(entry.value()));
                    }
                    assertThat(found).containsExactly("new", "newer");
                }
                assertThat(store.admin().verify().violations()).isEmpty();
            }
        });
    }

    @Test
    void anEmptiedCollectionIsLoadedAgain() {
        new SimulatedStore(12, World.CALM).run(cloud -> {
            try (Penstock store = open(cloud, "a", ConsistencyLevel.MONOTONIC);
                    Penstock other = open(cloud, "b", ConsistencyLevel.MONOTONIC)) {
                RecordCollection<String, String> words = words(store);
                words.put("k", "old");
                store.admin().checkpoint();
                store.admin().truncate("words");
                assertThat(words.isLoadable()).isTrue();
                words.load(List.of(new Entry<>("n", "new")).iterator(), read -> {});
                assertThat(content(words)).containsExactly(Map.entry("n", "new"));
                store.admin().truncate("words");
                Iterator<Entry<String, String>> slow = List.of(new Entry<>("n", "lost")).stream()
                        .peek(entry -> {
                            other.admin().drop("words");
                            cloud.sleep(NOTICED);
                        })
                        .iterator();
                refused(() -> words.load(slow, read -> {})).is(code(ErrorCode.NOT_FOUND));
                assertThat(content(words(other))).isEmpty();
            }
        });
    }

    /** Its leaves know of no index that was added later. */
    @Test
    void anIndexThatWasBuiltLaterIsBuiltAgain() {
        new SimulatedStore(7, World.CALM).run(cloud -> {
            try (Penstock store = open(cloud, "a", ConsistencyLevel.ATOMIC);
                    Penstock older = open(cloud, "b", ConsistencyLevel.ATOMIC)) {
                words(older).put("k", "old");
                RecordCollection<String, String> words = words(store);
                Index<Long, String, String> byLength =
                        words.index("by-length", Keys.longs(), word -> (long) word.length());
                words.build();
                store.admin().truncate("words");
                refused(() -> byLength.scan(3L)).is(code(ErrorCode.INDEX_NOT_READY));
                cloud.sleep(NOTICED);
                words(older).put("l", "new");
                words.build();
                words(older).put("m", "too");
                settle(cloud, older);
                settle(cloud, store);
                store.admin().scrub(byLength);
                settle(cloud, store);
                try (Scan<Entry<String, String>> scan = byLength.scan(3L)) {
                    assertThat(scan.stream()).hasSize(2);
                }
            }
        });
    }

    @Test
    void whatIsRefused() {
        new SimulatedStore(8, World.CALM).run(cloud -> {
            try (Penstock store = open(cloud, "a", ConsistencyLevel.SERIALIZABLE)) {
                RecordCollection<String, String> words = words(store);
                words.put("k", "kept");
                refused(() -> store.admin().drop("words")).is(code(ErrorCode.DOMAIN_MISMATCH));
                refused(() -> store.admin().truncate("words")).is(code(ErrorCode.DOMAIN_MISMATCH));
                assertThat(words.get("k")).contains("kept");
                assertThat(store.admin().drop("others")).isFalse();
                refused(() -> store.admin().truncate("others")).is(code(ErrorCode.NOT_FOUND));
            }
            try (Penstock store = Penstock.open(cloud.settings("b").readOnly(true))) {
                refused(() -> store.admin().drop("words")).is(code(ErrorCode.READ_ONLY));
            }
        });
    }

    /** A definition that was dropped and made anew may be another one. */
    @Test
    void aHandleDoesNotFollowWhatItDoesNotAgreeWith() {
        new SimulatedStore(9, World.CALM).run(cloud -> {
            try (Penstock store = open(cloud, "a", ConsistencyLevel.ATOMIC)) {
                RecordCollection<String, String> words = words(store);
                words.put("k", "old");
                store.admin().drop("words");
                store.collection("words", Keys.longs(), Json.of(String.class)).put(1L, "new");
                refused(() -> words.get("k")).is(code(ErrorCode.DEFINITION_MISMATCH));
            }
        });
    }

    /** Whatever was done by then, the collection is whole or gone, and the next try ends it. */
    @Test
    void aCrashAtAnyCallLeavesAllOrNothing() {
        int ended = 0;
        for (int crashAt = 1; crashAt <= 12; crashAt++) {
            int at = crashAt;
            boolean[] gone = {false};
            new SimulatedStore(10 + crashAt, World.CALM).run(cloud -> {
                try (Penstock store = open(cloud, "a", ConsistencyLevel.ATOMIC)) {
                    words(store).put("k", "old");
                    others(store).put("k", "kept");
                    Penstock doomed = open(cloud, "doomed", ConsistencyLevel.ATOMIC);
                    AtomicInteger calls = new AtomicInteger();
                    cloud.cloud.watch((step, client, call, on, outcome) -> {
                        if (client.name().equals("doomed")
                                && step == (at % 2 == 0 ? CallWatcher.Step.DONE : CallWatcher.Step.BEGINS)
                                && calls.incrementAndGet() == (at + 1) / 2) {
                            client.crash();
                        }
                    });
                    try {
                        cloud.machine("doomed")
                                .fork("drop", () -> doomed.admin().drop("words"))
                                .join();
                    } catch (RuntimeException crashed) {
                        assertThat(crashed).isInstanceOf(CrashedException.class);
                    }
                    cloud.sleep(NOTICED);
                    gone[0] = !store.collections().contains("words");
                    assertThat(gone[0] || words(store).get("k").isPresent()).isTrue();
                    assertThat(store.admin().drop("words")).isEqualTo(!gone[0]);
                    words(store).put("n", "new");
                    settle(cloud, store);
                    assertThat(content(words(store))).containsExactly(Map.entry("n", "new"));
                    assertThat(content(others(store))).containsExactly(Map.entry("k", "kept"));
                }
            });
            ended += gone[0] ? 1 : 0;
        }
        assertThat(ended).isBetween(1, 11);
    }

    /** A scan that has begun knows that there was more. */
    @Test
    void aScanOfWhatIsGoneDoesNotEndWell() {
        for (String how : List.of("drop", "empty", "drop the index")) {
            new SimulatedStore(1, World.CALM).run(cloud -> {
                try (Penstock store = cloud.open("a");
                        Penstock other = cloud.open("b")) {
                    RecordCollection<String, String> words = words(store);
                    Index<String, String, String> index = words.index("by", Keys.string(), value -> value);
                    for (int i = 0; i < 300; i++) {
                        words.put("k" + i, "v".repeat(100) + i);
                    }
                    store.admin().checkpoint();
                    boolean ofIndex = how.equals("drop the index");
                    try (Scan<Entry<String, String>> scan =
                            ofIndex ? index.scan(KeySpan.all()) : words.scan(KeySpan.all())) {
                        assertThat(scan.next()).isNotNull();
                        switch (how) {
                            case "drop" ->
                                assertThat(other.admin().drop("words")).isTrue();
                            case "empty" -> other.admin().truncate("words");
                            default -> other.admin().dropIndex("words", "by");
                        }
                        cloud.sleep(Duration.ofHours(3));
                        assertThat(other.admin()
                                        .removeGarbage(Duration.ofHours(1))
                                        .deleted())
                                .isPositive();
                        assertThatThrownBy(() -> scan.forEachRemaining(entry -> {}))
                                .as(how)
                                .isInstanceOf(ConflictException.class);
                    }
                }
            });
        }
    }
}
