package io.penstock;

import static io.penstock.SimulatedStore.words;
import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.object.WriteCondition;
import io.penstock.report.GcReport;
import io.penstock.report.LogStats;
import io.penstock.report.VerifyReport;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A commit log that somebody has damaged stops its own domain and nothing else, and is named. */
class LogDamageTest {
    private static final String HORIZON = "penstock/domains/shop";

    private static String segment(int number) {
        return "penstock/log/shop/" + String.format("%016x", number);
    }

    private static RecordCollection<String, String> stock(Penstock store) {
        return store.collection("stock", Keys.string(), Json.of(String.class)).inDomain("shop");
    }

    private static void sell(Penstock store, String key) {
        store.transact(ConsistencyLevel.SERIALIZABLE, tx -> {
            tx.put(stock(store), key, "1");
            return true;
        });
    }

    private static Settings still(SimulatedStore cloud, String machine) {
        return cloud.settings(machine).checkpointing(false);
    }

    /** A log of six segments, of which pages have two; and a collection without a domain. */
    private static void withLog(Consumer<SimulatedStore> body) {
        new SimulatedStore(3, World.CALM).run(cloud -> {
            try (Penstock store = Penstock.open(still(cloud, "first"))) {
                sell(store, "a");
                sell(store, "b");
                store.admin().checkpoint();
                words(store).put("before", "1");
                for (String key : List.of("c", "d", "e", "f")) {
                    sell(store, key);
                }
            }
            body.accept(cloud);
        });
    }

    private static void put(SimulatedStore cloud, String key, Bytes body) {
        cloud.objects().put(key, body, WriteCondition.ALWAYS);
    }

    /** The domain answers with an error that names an object; all else works, verify names it too; nothing is lost. */
    private static void requireContained(SimulatedStore cloud, String object, Runnable restore) {
        try (Penstock store = Penstock.open(still(cloud, "other"))) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> sell(store, "g"))
                        .isInstanceOf(CorruptDataException.class)
                        .hasMessageContaining(object)
                        .is(code(ErrorCode.LOG_DAMAGED));
            }
            words(store).put("after", "1");
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(store.admin()::checkpoint)
                        .isInstanceOf(CorruptDataException.class)
                        .hasMessageContaining(object);
                cloud.sleep(Duration.ofMinutes(3)); // a queue at rest for a month has lost its token
            }
            assertThat(store.admin().backlog().pendingMessages()).isZero();
            VerifyReport report = store.admin().verify();
            assertThat(report.violations()).anyMatch(line -> line.contains(object) && line.contains("restore"));
            assertThat(report.violations()).allMatch(line -> line.startsWith("domain=shop"));
            store.admin().removeGarbage(Duration.ZERO);
        }
        try (Penstock reader = cloud.open("reader")) {
            assertThat(SimulatedStore.content(reader)).containsOnlyKeys("before", "after");
        }
        restore.run();
        try (Penstock store = Penstock.open(still(cloud, "last"))) {
            sell(store, "h");
            store.admin().checkpoint();
            assertThat(stock(store).scan(KeySpan.all()).stream().map(Entry::key))
                    .containsExactly("a", "b", "c", "d", "e", "f", "h");
            assertThat(store.admin().verify().violations()).isEmpty();
        }
    }

    private static void requireContained(String key, Consumer<SimulatedStore> damage, String named) {
        withLog(cloud -> {
            Bytes whole = cloud.object(key);
            damage.accept(cloud);
            requireContained(cloud, named, () -> put(cloud, key, whole));
        });
    }

    @Test
    void aDamagedSegment() {
        requireContained(segment(4), cloud -> put(cloud, segment(4), Bytes.utf8("damaged")), segment(4));
    }

    @Test
    void aSegmentThatIsMissingInTheMiddle() {
        requireContained(segment(4), cloud -> cloud.objects().delete(segment(4)), segment(4));
    }

    @Test
    void aSegmentWhereAnotherBelongs() {
        requireContained(segment(4), cloud -> put(cloud, segment(4), cloud.object(segment(5))), segment(4));
    }

    @Test
    void aSegmentOfAnotherStore() {
        requireContained(
                segment(4),
                cloud -> {
                    try (Penstock other =
                            Penstock.open(still(cloud, "elsewhere").prefix("other"))) {
                        for (int i = 0; i < 4; i++) {
                            sell(other, "z" + i);
                        }
                    }
                    put(cloud, segment(4), cloud.object(segment(4).replace("penstock/", "other/")));
                },
                segment(4));
    }

    @Test
    void theSegmentAtTheHorizonIsMissing() {
        requireContained(segment(2), cloud -> cloud.objects().delete(segment(2)), segment(2));
    }

    /** A lost answer, and the segment was damaged before it was asked for: nothing says that it was not committed. */
    @Test
    void aCommitWhoseSegmentIsDamagedBeforeItsFateIsKnown() {
        withLog(cloud -> {
            try (Penstock store = Penstock.open(still(cloud, "unlucky"))) {
                sell(store, "g");
                List<Bytes> whole = new ArrayList<>();
                cloud.cloud.watch((step, client, call, on, outcome) -> {
                    boolean isPut = step == CallWatcher.Step.DONE && call.equals("put") && on.equals(segment(8));
                    if (isPut && whole.isEmpty()) {
                        whole.add(cloud.cloud.newest(on).orElseThrow().body());
                        cloud.cloud.replace(on, Bytes.utf8("damaged"));
                        client.cutOff(Duration.ofSeconds(1));
                    }
                });
                assertThatThrownBy(() -> sell(store, "h"))
                        .isInstanceOf(OutcomeUnknownException.class)
                        .hasMessageContaining(segment(8));
                put(cloud, segment(8), whole.getFirst());
                sell(store, "i");
                store.admin().checkpoint();
                assertThat(stock(store).scan(KeySpan.all()).stream().map(Entry::key))
                        .containsExactly("a", "b", "c", "d", "e", "f", "g", "h", "i");
            }
        });
    }

    /** To a client that had read all before it, the hole looks like the end of the log. */
    @Test
    void aClientThatWasIdleTellsAHoleFromTheEnd() {
        withLog(cloud -> {
            try (Penstock idle = Penstock.open(still(cloud, "idle"));
                    Penstock busy = Penstock.open(still(cloud, "busy"))) {
                sell(idle, "g");
                for (String key : List.of("h", "i", "j")) {
                    sell(busy, key);
                }
                cloud.sleep(Duration.ofMinutes(2));
                Bytes whole = cloud.object(segment(8));
                cloud.objects().delete(segment(8));
                assertThatThrownBy(() -> idle.transact(ConsistencyLevel.SNAPSHOT, tx -> tx.get(stock(idle), "h")))
                        .isInstanceOf(CorruptDataException.class)
                        .hasMessageContaining(segment(8));
                assertThatThrownBy(() -> sell(idle, "k")).hasMessageContaining(segment(8));
                assertThat(cloud.keys("log/shop/")).doesNotContain(segment(8));
                sell(busy, "l"); // it has read it
                put(cloud, segment(8), whole);
                sell(idle, "k");
                idle.admin().checkpoint();
                assertThat(stock(idle).scan(KeySpan.all()).stream().map(Entry::key))
                        .containsExactly("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l");
            }
        });
    }

    /** Behind the hole there are acknowledged commits, which a put into the hole would lose. */
    @Test
    void aHoleBehindTheHorizonIsNotFilled() {
        withLog(cloud -> {
            List<Bytes> whole = List.of(cloud.object(segment(3)), cloud.object(segment(4)), cloud.object(segment(5)));
            for (int i = 3; i <= 5; i++) {
                cloud.objects().delete(segment(i));
            }
            requireContained(cloud, segment(3), () -> {
                for (int i = 3; i <= 5; i++) {
                    put(cloud, segment(i), whole.get(i - 3));
                }
            });
        });
    }

    @Test
    void aDamagedHorizon() {
        requireContained(HORIZON, cloud -> put(cloud, HORIZON, Bytes.utf8("damaged")), HORIZON);
    }

    @Test
    void aHorizonBeyondTheLog() {
        withLog(cloud -> {
            try (Penstock store = Penstock.open(still(cloud, "second"))) {
                store.admin().checkpoint();
            }
            List<Bytes> whole = List.of(cloud.object(segment(5)), cloud.object(segment(6)));
            cloud.objects().delete(segment(5));
            cloud.objects().delete(segment(6));
            requireContained(cloud, HORIZON, () -> {
                put(cloud, segment(5), whole.get(0));
                put(cloud, segment(6), whole.get(1));
            });
        });
    }

    /** Without it a log whose beginning was trimmed looks as if it were empty. */
    @Test
    void aLostHorizonOfATrimmedLog() {
        withLog(cloud -> {
            trimAll(cloud);
            Bytes whole = cloud.object(HORIZON);
            cloud.objects().delete(HORIZON);
            assertThat(cloud.keys("log/shop/")).doesNotContain(segment(1)).contains(segment(6));
            requireContained(cloud, segment(1), () -> put(cloud, HORIZON, whole));
        });
    }

    private static void trimAll(SimulatedStore cloud) {
        try (Penstock store = Penstock.open(still(cloud, "trimmer"))) {
            store.admin().checkpoint();
            cloud.sleep(Duration.ofDays(31));
            store.admin().removeGarbage(Duration.ZERO);
        }
    }

    @Test
    void aLostHorizonOfAWholeLogComesAgain() {
        withLog(cloud -> {
            cloud.objects().delete(HORIZON);
            try (Penstock store = Penstock.open(still(cloud, "other"))) {
                sell(store, "g");
                store.admin().checkpoint();
                assertThat(stock(store).scan(KeySpan.all()).stream().count()).isEqualTo(7);
                assertThat(store.admin().verify().violations()).isEmpty();
            }
        });
    }

    @Test
    void stampsFromTheFutureAreNotedAndDoNoHarm() {
        withLog(cloud -> {
            cloud.machine("ahead").skewClock(Duration.ofDays(3650));
            try (Penstock ahead = Penstock.open(still(cloud, "ahead")
                            .advanced(advanced -> advanced.clockSkewMax(Duration.ofDays(36_000))));
                    Penstock store = Penstock.open(still(cloud, "other"))) {
                sell(ahead, "g");
                sell(store, "h");
                words(store).put("after", "1");
                assertThat(store.admin().verify().notes())
                        .anyMatch(line -> line.contains("ahead of the servers' time"));
                store.admin().checkpoint();
                sell(store, "i");
                Optional<String> last = store.transact(ConsistencyLevel.SERIALIZABLE, tx -> tx.get(stock(store), "i"));
                assertThat(last).contains("1");
                assertThat(SimulatedStore.content(store)).containsOnlyKeys("before", "after");
                assertThat(store.admin().verify().violations()).isEmpty();
            }
        });
    }

    @Test
    void oneDamagedLogKeepsNoOtherFromBeingApplied() {
        withLog(cloud -> {
            put(cloud, segment(4), Bytes.utf8("damaged"));
            try (Penstock store = Penstock.open(still(cloud, "other"))) {
                RecordCollection<String, String> people = store.collection(
                                "people", Keys.string(), Json.of(String.class))
                        .inDomain("yard");
                store.transact(ConsistencyLevel.SNAPSHOT, tx -> {
                    tx.put(people, "a", "1");
                    return true;
                });
                assertThatThrownBy(store.admin()::checkpoint).hasMessageContaining(segment(4));
                List<LogStats> logs = store.admin().inspect().stats().logs();
                assertThat(logs).extracting(LogStats::domain).containsExactly("shop", "yard");
                assertThat(logs).extracting(LogStats::tail).containsExactly(4L, 0L);
                assertThat(store.admin().backlog().logSegments()).isEqualTo(4);
            }
        });
    }

    @Test
    void garbageCollectionTrims() {
        withLog(cloud -> {
            try (Penstock store = Penstock.open(still(cloud, "other"))) {
                assertThat(store.admin().findGarbage(Duration.ZERO).orphans()).isZero();
                cloud.sleep(Duration.ofDays(31));
                Bytes first = cloud.object(segment(1));
                GcReport seen = store.admin().findGarbage(Duration.ZERO);
                assertThat(seen.orphans()).as("before the horizon").isEqualTo(1);
                assertThat(seen.bytes()).isEqualTo(first.length());
                assertThat(store.admin().removeGarbage(Duration.ZERO).deleted()).isEqualTo(1);
                store.admin().checkpoint();
                assertThat(store.admin().removeGarbage(Duration.ZERO).deleted()).isEqualTo(4);
                assertThat(cloud.keys("log/shop/")).containsExactly(segment(6));
                put(cloud, segment(1), first);
                assertThat(store.admin().verify().notes())
                        .anyMatch(line -> line.contains("trimmed and are still there: 1"));
                assertThat(store.admin().removeGarbage(Duration.ZERO).deleted()).isEqualTo(1);
                assertThat(cloud.keys("log/shop/")).containsExactly(segment(6));
                sell(store, "g");
                assertThat(store.admin().verify().violations()).isEmpty();
            }
        });
    }

    @Test
    void sizesAndDescriptions() {
        withLog(cloud -> {
            try (Penstock store = Penstock.open(still(cloud, "other").readOnly(true))) {
                cloud.sleep(Duration.ofSeconds(30));
                LogStats log = store.admin().inspect().stats().logs().getFirst();
                assertThat(List.of(log.segments(), log.last(), log.horizon(), log.tail(), log.trimmed()))
                        .containsExactly(6L, 6L, 2L, 4L, 0L);
                assertThat(log.tailBytes()).isPositive().isLessThan(log.bytes());
                assertThat(log.tailAge())
                        .hasValueSatisfying(age -> assertThat(age).isGreaterThan(Duration.ofSeconds(29)));
                assertThat(store.admin().backlog().logSegments()).isEqualTo(4);
                assertThat(store.admin().backlog().oldest()).isPresent();
                assertThat(store.admin().inspect().logs()).hasSize(3);
                assertThat(store.admin().inspect().log("shop", 3))
                        .hasSize(6)
                        .contains("segment 3 transactions=1 records=1 horizon known=2", "1 more");
                assertThatThrownBy(() -> store.admin().inspect().log("nowhere", 3))
                        .hasMessageContaining("domain=nowhere");
            }
        });
    }
}
