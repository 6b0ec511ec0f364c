package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ClosedException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.task.Task;
import io.penstock.feed.Change;
import io.penstock.feed.ChangeFeed;
import io.penstock.feed.Commit;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A change feed has every transaction of its domain, whole, once and in the order of the commit log. */
class ChangeFeedTest {
    private static final Duration NO_WAIT = Duration.ZERO;

    private static RecordCollection<String, String> stock(Penstock store) {
        RecordCollection<String, String> stock =
                store.collection("stock", Keys.string(), Json.of(String.class)).inDomain("shop");
        var unused = stock.index("by-value", Keys.string(), value -> value.substring(0, 1));
        return stock;
    }

    private static void put(Penstock store, String key, String value) {
        store.transact(ConsistencyLevel.SERIALIZABLE, tx -> {
            tx.put(stock(store), key, value);
            return true;
        });
    }

    private static void delete(Penstock store, String key) {
        store.transact(ConsistencyLevel.SERIALIZABLE, tx -> {
            tx.delete(stock(store), key);
            return true;
        });
    }

    private static List<Commit> rest(ChangeFeed feed) {
        List<Commit> all = new ArrayList<>();
        for (Optional<Commit> next = feed.next(NO_WAIT); next.isPresent(); next = feed.next(NO_WAIT)) {
            all.add(next.get());
        }
        return all;
    }

    private static List<String> words(Penstock store, List<Commit> commits) {
        RecordCollection<String, String> stock = stock(store);
        return commits.stream()
                .flatMap(commit -> commit.changes().stream())
                .map(change -> stock.decodeKey(change) + "="
                        + stock.decodeValue(change).orElse(change.kind().name()))
                .toList();
    }

    @Test
    void changesOfOneTransactionComeTogether() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                put(store, "before", "x");
                String start = store.position("shop");
                store.transact(ConsistencyLevel.SNAPSHOT, tx -> {
                    tx.put(stock(store), "a", "1");
                    tx.put(stock(store), "b", "2");
                    return true;
                });
                delete(store, "before");
                List<Commit> all = rest(store.changes(start));
                assertThat(all).hasSize(2);
                assertThat(all.getFirst().changes())
                        .extracting(Change::collection)
                        .containsOnly("stock");
                assertThat(words(store, all)).containsExactlyInAnyOrder("a=1", "b=2", "before=DELETE");
                assertThat(all.get(1).stamp()).isGreaterThan(all.getFirst().stamp());
                assertThat(rest(store.changes(all.getFirst().position()))).isEqualTo(all.subList(1, 2));
                assertThat(rest(store.changes(all.get(1).position()))).isEmpty();
                assertThat(rest(store.changes(store.position("shop")))).isEmpty();
            }
        });
    }

    /** A follower that crashes now and then, beside writers, checkpoints and faults. */
    @Test
    void everyCommitComesInOrderBesideWriters() {
        for (long seed = 1; seed <= 4; seed++) {
            String run = "seed=" + seed;
            new SimulatedStore(seed, World.ROUGH).run(cloud -> {
                String start;
                try (Penstock store = cloud.open("main")) {
                    put(store, "begin", "1");
                    start = store.position("shop");
                }
                List<Task<Boolean>> writers = IntStream.range(0, 3)
                        .mapToObj(m -> cloud.machine("w" + m).start("writer", () -> write(cloud, m)))
                        .toList();
                List<Commit> seen = follow(cloud, start);
                writers.forEach(Task::join);
                // What is not yet on pages is seen by reads of the log alone.
                try (Penstock store = Penstock.open(cloud.settings("last").level(ConsistencyLevel.SERIALIZABLE))) {
                    List<Commit> all = rest(store.changes(start));
                    assertThat(seen).as(run).isEqualTo(all);
                    assertThat(all.stream().map(Commit::stamp).toList())
                            .as(run)
                            .isSorted()
                            .doesNotHaveDuplicates();
                    assertThat(replayed(store, all)).as(run).isEqualTo(scanned(store));
                }
            });
        }
    }

    private static void write(SimulatedStore cloud, int machine) {
        SimulatedClient own = cloud.machine("w" + machine);
        try (Penstock store = Penstock.open(cloud.settings("w" + machine).checkpointInterval(Duration.ofSeconds(2)))) {
            List<Task<Boolean>> users = IntStream.range(0, 3)
                    .mapToObj(u -> own.start("user", () -> {
                        for (int i = 0; i < 10; i++) {
                            put(store, "k" + i, machine + "." + u + "." + i);
                            own.sleep(Duration.ofMillis(700));
                        }
                    }))
                    .toList();
            users.forEach(Task::join);
        }
    }

    /** Follows the feed until nothing comes for long, and begins again at the last position after every few. */
    private static List<Commit> follow(SimulatedStore cloud, String start) {
        List<Commit> seen = new ArrayList<>();
        String position = start;
        for (int life = 0; ; life++) {
            try (Penstock store = Penstock.open(cloud.settings("f" + life).readOnly(true))) {
                ChangeFeed feed = store.changes(position);
                for (int i = 0; i < 20; i++) {
                    Optional<Commit> next = feed.next(Duration.ofSeconds(60));
                    if (next.isEmpty()) {
                        return seen;
                    }
                    seen.add(next.get());
                    position = next.get().position();
                }
            }
        }
    }

    private static Map<String, String> replayed(Penstock store, List<Commit> commits) {
        RecordCollection<String, String> stock = stock(store);
        Map<String, String> content = new HashMap<>(Map.of("begin", "1"));
        commits.stream()
                .flatMap(commit -> commit.changes().stream())
                .forEach(change -> stock.decodeValue(change)
                        .ifPresentOrElse(
                                value -> content.put(stock.decodeKey(change), value),
                                () -> content.remove(stock.decodeKey(change))));
        return content;
    }

    private static Map<String, String> scanned(Penstock store) {
        Map<String, String> content = new HashMap<>();
        var unused = store.transact(ConsistencyLevel.SERIALIZABLE, tx -> {
            tx.scan(stock(store), KeySpan.all()).forEachRemaining(entry -> content.put(entry.key(), entry.value()));
            return true;
        });
        return content;
    }

    @Test
    void waitsForWhatComes() {
        new SimulatedStore(2, World.CALM).run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                put(store, "a", "1");
                ChangeFeed feed = store.changes(store.position("shop"));
                assertThat(feed.next(Duration.ofSeconds(5))).isEmpty();
                cloud.machine("a").start("writer", () -> {
                    cloud.machine("a").sleep(Duration.ofSeconds(20));
                    put(store, "b", "2");
                });
                assertThat(words(store, List.of(feed.next(Duration.ofMinutes(1)).orElseThrow())))
                        .containsExactly("b=2");
                store.close();
                assertThatThrownBy(() -> feed.next(NO_WAIT)).isInstanceOf(ClosedException.class);
            }
        });
    }

    @Test
    void largeValuesComeAsLongAsTheyAreThere() {
        new SimulatedStore(3, World.CALM).run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                put(store, "before", "x");
                String start = store.position("shop");
                String large = "y".repeat(5000);
                put(store, "a", large);
                put(store, "b", large);
                store.admin().checkpoint();
                put(store, "a", "small");
                store.admin().checkpoint();
                assertThat(words(store, rest(store.changes(start))))
                        .containsExactly("a=REPLACED", "b=" + large, "a=small");
            }
        });
    }

    /** The record has it still, so no later change follows: it is damage, and not passed over. */
    @Test
    void aLargeValueThatWasLostIsDamage() {
        new SimulatedStore(3, World.CALM).run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                put(store, "before", "x");
                String start = store.position("shop");
                put(store, "a", "y".repeat(5000));
                store.admin().checkpoint();
                String key = cloud.keys("overflow/").getFirst();
                Bytes lost = cloud.object(key);
                cloud.objects().delete(key);
                ChangeFeed feed = store.changes(start);
                for (int i = 0; i < 2; i++) {
                    assertThatThrownBy(() -> feed.next(NO_WAIT))
                            .isInstanceOf(CorruptDataException.class)
                            .hasMessageContaining(key);
                }
                cloud.objects().put(key, lost, WriteCondition.ALWAYS);
                assertThat(words(store, rest(feed))).containsExactly("a=" + "y".repeat(5000));
                cloud.objects().delete(key);
                store.admin().moveOut("stock", progress -> {});
                assertThat(words(store, rest(store.changes(start)))).containsExactly("a=REPLACED");
            }
        });
    }

    /** Also a feed that was open all the time, and that slept. */
    @Test
    void whatTheLogKeepsNoMoreIsTooOld() {
        new SimulatedStore(4, World.CALM).run(cloud -> {
            Settings settings = cloud.settings("a").logRetention(Duration.ofHours(2));
            try (Penstock store = Penstock.open(settings)) {
                put(store, "a", "1");
                String first = store.position("shop");
                ChangeFeed slept = store.changes(first);
                assertThat(slept.next(NO_WAIT)).isEmpty();
                put(store, "b", "1");
                put(store, "c", "1");
                String last = store.position("shop");
                store.admin().checkpoint();
                cloud.sleep(Duration.ofHours(3));
                put(store, "d", "1");
                store.admin().checkpoint();
                store.admin().removeGarbage(Duration.ZERO);
                assertThat(store.admin().inspect().stats().logs().getFirst().trimmed())
                        .isPositive();
                for (ChangeFeed feed : List.of(slept, store.changes(first))) {
                    assertThatThrownBy(() -> feed.next(NO_WAIT))
                            .isInstanceOf(InvalidRequestException.class)
                            .is(code(ErrorCode.POSITION_TOO_OLD))
                            .hasMessageContaining("domain=shop");
                }
                assertThat(words(store, rest(store.changes(last)))).containsExactly("d=1");
            }
        });
    }

    @Test
    void foreignPositionsAreRefused() {
        new SimulatedStore(5, World.CALM).run(cloud -> {
            String early;
            String late;
            try (Penstock store = cloud.open("a")) {
                put(store, "a", "1");
                early = store.position("shop");
                put(store, "b", "1");
                late = store.position("shop");
                for (String text : List.of("", "?", late.substring(2), late + "AAAA", "A".repeat(300))) {
                    assertThatThrownBy(() -> store.changes(text)).isInstanceOf(InvalidRequestException.class);
                }
                assertThatThrownBy(() -> store.position("other"))
                        .isInstanceOf(InvalidRequestException.class)
                        .is(code(ErrorCode.NOT_FOUND));
            }
            try (Penstock store = Penstock.open(cloud.settings("b").prefix("other"))) {
                put(store, "a", "1");
                assertThatThrownBy(() -> store.changes(late)).is(code(ErrorCode.INVALID_TOKEN));
            }
            cloud.keys("").forEach(key -> cloud.objects().delete(key));
            try (Penstock store = cloud.open("c")) {
                put(store, "a", "1");
                for (String text : List.of(early, late)) {
                    assertThatThrownBy(() -> store.changes(text).next(NO_WAIT))
                            .isInstanceOf(InvalidRequestException.class)
                            .is(code(ErrorCode.INVALID_TOKEN));
                }
            }
        });
    }

    @Test
    void followsALocalStore(@TempDir Path directory) {
        String position;
        try (Penstock store = Penstock.open(Settings.local(directory))) {
            put(store, "a", "1");
            position = store.position("shop");
            put(store, "b", "2");
        }
        try (Penstock store = Penstock.open(Settings.local(directory))) {
            put(store, "c", "3");
            assertThat(words(store, rest(store.changes(position)))).containsExactly("b=2", "c=3");
        }
    }
}
