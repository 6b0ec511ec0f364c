package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.core.InvalidRequestException;
import io.penstock.report.IndexReport;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Indexes whose entries carry a part of their records, through the front door. */
class CoveringIndexTest {
    record Task(String title, long due, String text) {}

    private static final Duration TTL = Duration.ofSeconds(10);
    private static final int TASKS = 60;

    /** A collection, its index, and what the index covers, as one client has opened them. */
    private record Tasks(
            RecordCollection<String, Task> records,
            Index<Long, String, Task> byDue,
            CoveringIndex<Long, String, Task, String> titles) {
        static Tasks of(Penstock store, String form) {
            RecordCollection<String, Task> records = CoveringIndexTest.tasks(store);
            Index<Long, String, Task> byDue = CoveringIndexTest.byDue(records);
            return new Tasks(records, byDue, byDue.including(form, Json.of(String.class), Task::title));
        }

        static Tasks of(Penstock store) {
            return of(store, "title");
        }

        Map<String, String> rows() {
            return content(titles.scan(KeySpan.all()));
        }
    }

    private static RecordCollection<String, Task> tasks(Penstock store) {
        return store.collection("tasks", Keys.string(), Json.of(Task.class));
    }

    private static Index<Long, String, Task> byDue(RecordCollection<String, Task> records) {
        return records.index("by-due", Keys.longs(), Task::due);
    }

    private static <T> Map<String, T> content(Scan<Entry<String, T>> scan) {
        Map<String, T> found = new TreeMap<>();
        try (scan) {
            scan.forEachRemaining(entry -> found.put(entry.key(), entry.value()));
        }
        return found;
    }

    /** Records whose primary keys have another order than their search keys. */
    private static String key(long due) {
        return String.format("k%02d", due * 37 % TASKS);
    }

    private static Task task(long due) {
        return new Task("title " + due, due, "x".repeat(150));
    }

    private static void fill(RecordCollection<String, Task> records) {
        for (long due = 0; due < TASKS; due++) {
            records.put(key(due), task(due));
        }
    }

    private static void run(BiConsumer<SimulatedStore, Penstock> body) {
        new SimulatedStore(4, World.CALM).run(cloud -> {
            try (Penstock store = open(cloud, "a", new SimpleMeterRegistry())) {
                body.accept(cloud, store);
            }
        });
    }

    private static Penstock open(SimulatedStore cloud, String machine, MeterRegistry meters) {
        return Penstock.open(cloud.settings(machine).ttl(TTL).meters(meters));
    }

    private static void settle(SimulatedStore cloud, Penstock... stores) {
        for (int i = 0; i < 12; i++) {
            cloud.sleep(Duration.ofSeconds(5));
            for (Penstock store : stores) {
                store.admin().checkpoint();
            }
        }
        assertThat(stores[0].admin().backlog().total()).isZero();
    }

    /** The GETs of the first page of a list by a client that has nothing pooled. */
    private static double cold(SimulatedStore cloud, String machine) {
        MeterRegistry meters = new SimpleMeterRegistry();
        try (Penstock store = open(cloud, machine, meters)) {
            CoveringIndex<Long, String, Task, String> titles = Tasks.of(store).titles();
            assertThat(content(titles.scan(KeySpan.all().limit(20)))).hasSize(20);
            return meters.find("penstock.requests").tag("op", "s3.get").counters().stream()
                    .mapToDouble(Counter::count)
                    .sum();
        }
    }

    private static void assertCovered(SimulatedStore cloud, String machine) {
        assertThat(cold(cloud, machine)).isLessThan(8);
    }

    private static void assertUncovered(SimulatedStore cloud, String machine) {
        assertThat(cold(cloud, machine)).isGreaterThan(12);
    }

    @Test
    void aPageOfAListReadsNoRecord() {
        run((cloud, store) -> {
            fill(Tasks.of(store).records());
            settle(cloud, store);
            assertCovered(cloud, "b");
        });
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC"})
    void aSessionSeesWhatItHasWritten(ConsistencyLevel level) {
        new SimulatedStore(5, World.CALM).run(cloud -> {
            try (Penstock store = Penstock.open(cloud.settings("a").ttl(TTL).level(level))) {
                Tasks tasks = Tasks.of(store);
                fill(tasks.records());
                tasks.records().put(key(3), new Task("changed", 3, ""));
                tasks.records().put(key(4), new Task("moved", 400, ""));
                tasks.records().delete(key(5));
                for (int second = 0; second < 60; second++) {
                    assertThat(tasks.rows())
                            .as("seed=5 second=%d", second)
                            .hasSize(TASKS - 1)
                            .containsEntry(key(3), "changed")
                            .containsEntry(key(4), "moved")
                            .doesNotContainKey(key(5));
                    assertThat(content(tasks.titles().scan(400L))).containsOnly(Map.entry(key(4), "moved"));
                    cloud.sleep(Duration.ofSeconds(1));
                }
                store.transact(tx -> {
                    tx.put(tasks.records(), key(6), new Task("within", 6, ""));
                    assertThat(content(tx.scan(tasks.titles(), 6L))).containsEntry(key(6), "within");
                    assertThat(content(tx.scan(tasks.titles(), KeySpan.from(6L))))
                            .containsEntry(key(6), "within");
                    return true;
                });
            }
        });
    }

    @Test
    void othersSeeAChangeOfAnIncludedField() {
        run((cloud, store) -> {
            Tasks tasks = Tasks.of(store);
            fill(tasks.records());
            settle(cloud, store);
            try (Penstock other = open(cloud, "b", new SimpleMeterRegistry())) {
                Tasks read = Tasks.of(other);
                assertThat(read.rows()).hasSize(TASKS).containsEntry(key(7), "title 7");
                tasks.records().put(key(7), new Task("changed", 7, ""));
                settle(cloud, store);
                assertThat(read.rows()).hasSize(TASKS).containsEntry(key(7), "changed");
            }
        });
    }

    /** Programs that include nothing, or something else: rows come from the records until a scrub. */
    @Test
    void rowsWithoutThePartAreReadFromTheirRecords() {
        run((cloud, store) -> {
            RecordCollection<String, Task> old = tasks(store);
            byDue(old);
            fill(old);
            try (Penstock other = open(cloud, "other", new SimpleMeterRegistry())) {
                Tasks.of(other, "another").records().put(key(7), new Task("changed", 7, ""));
                settle(cloud, store, other);
            }
            assertUncovered(cloud, "b");
            Tasks tasks = Tasks.of(store);
            assertThat(tasks.rows()).hasSize(TASKS).containsEntry(key(7), "changed");
            assertThat(store.admin().scrub(tasks.byDue()).indexed()).isEqualTo(TASKS);
            assertThat(store.admin().scrub(tasks.byDue()).indexed()).isZero();
            cloud.sleep(TTL.multipliedBy(2));
            assertCovered(cloud, "c");
            assertThat(tasks.rows()).hasSize(TASKS).containsEntry(key(7), "changed");
            old.put(key(8), new Task("old", 8, ""));
            settle(cloud, store);
            assertThat(tasks.rows()).hasSize(TASKS).containsEntry(key(8), "old");
            IndexReport report = store.admin().check(tasks.byDue());
            assertThat(report.missing() + report.leftOver()).isZero();
        });
    }

    @Test
    void loadsAndBuildsIncludeThePart() {
        run((cloud, store) -> {
            Tasks.of(store)
                    .records()
                    .load(
                            LongStream.range(0, TASKS)
                                    .mapToObj(due -> new Entry<>(key(due), task(due)))
                                    .iterator(),
                            loaded -> {});
            assertCovered(cloud, "b");
        });
        run((cloud, store) -> {
            fill(tasks(store));
            settle(cloud, store);
            Tasks tasks = Tasks.of(store);
            tasks.records().build();
            assertThat(tasks.rows()).hasSize(TASKS);
            assertCovered(cloud, "b");
            tasks(store).put(key(8), new Task("by a program of before", 8, ""));
            settle(cloud, store);
            assertThat(tasks.rows()).hasSize(TASKS).containsEntry(key(8), "by a program of before");
        });
    }

    @Test
    void aLargePartIsNotCarried() {
        run((cloud, store) -> {
            Tasks tasks = Tasks.of(store);
            tasks.records().put("large", new Task("t".repeat(300), 1, ""));
            settle(cloud, store);
            assertThat(tasks.rows()).containsOnly(Map.entry("large", "t".repeat(300)));
        });
    }

    /** Only the record tells that an entry is left over: its row goes with a scrub. */
    @Test
    void aLeftOverOfARaceIsARowUntilAScrub() {
        run((cloud, store) -> {
            Tasks tasks = Tasks.of(store);
            tasks.records().put("k", new Task("first", 1, ""));
            settle(cloud, store);
            try (Penstock other = open(cloud, "b", new SimpleMeterRegistry())) {
                Tasks racing = Tasks.of(other);
                tasks.records().put("k", new Task("second", 2, ""));
                racing.records().put("k", new Task("third", 3, ""));
                settle(cloud, store, other);
                assertThat(content(tasks.byDue().scan(2L))).isEmpty();
                assertThat(content(tasks.titles().scan(2L))).containsValue("second");
                assertThat(store.admin().scrub(tasks.byDue()).removed()).isEqualTo(1);
                cloud.sleep(TTL.multipliedBy(2));
                assertThat(content(tasks.titles().scan(2L))).isEmpty();
                assertThat(content(tasks.titles().scan(3L))).containsValue("third");
            }
        });
    }

    /** A race of before the move is no row at a level at which nothing races. */
    @Test
    void aLeftOverIsNoRowOnceTheCollectionIsInADomain() {
        run((cloud, store) -> {
            Tasks tasks = Tasks.of(store);
            tasks.records().put("k", new Task("first", 1, ""));
            settle(cloud, store);
            try (Penstock other = open(cloud, "b", new SimpleMeterRegistry())) {
                tasks.records().put("k", new Task("second", 2, ""));
                Tasks.of(other).records().put("k", new Task("third", 3, ""));
                settle(cloud, store, other);
            }
            store.admin().moveInto("tasks", "shop", progress -> {});
            cloud.sleep(Duration.ofMinutes(2));
            List<String> rows =
                    store.transact(ConsistencyLevel.SERIALIZABLE, tx -> titles(tx.scan(tasks.titles(), KeySpan.all())));
            assertThat(rows).containsExactly("third");
            assertThat(content(tasks.titles().scan(2L))).isEmpty();
            tasks.records().put("l", new Task("fourth", 4, "")); // pages and the tail of the log are merged
            assertThat(titles(tasks.titles().scan(KeySpan.all()))).containsExactly("third", "fourth");
            rows = store.transact(ConsistencyLevel.SERIALIZABLE, tx -> {
                tx.put(tasks.records(), "m", new Task("own", 1, ""));
                return titles(tx.scan(tasks.titles(), KeySpan.all()));
            });
            assertThat(rows).containsExactly("own", "third", "fourth");
        });
    }

    /** A collection in a domain, and programs that know its index and not. */
    private static void runAdded(TriConsumer<SimulatedStore, Penstock, RecordCollection<String, Task>> test) {
        run((cloud, store) -> {
            RecordCollection<String, Task> unaware = tasks(store).inDomain("shop");
            for (int i = 0; i < 4; i++) {
                unaware.put("k" + i, new Task("first " + i, 1, ""));
            }
            settle(cloud, store);
            test.accept(cloud, store, unaware);
        });
    }

    private interface TriConsumer<A, B, C> {
        void accept(A a, B b, C c);
    }

    private static Tasks aware(Penstock store) {
        RecordCollection<String, Task> records = tasks(store).inDomain("shop");
        Index<Long, String, Task> byDue = byDue(records);
        return new Tasks(records, byDue, byDue.including("title", Json.of(String.class), Task::title));
    }

    private static void assertRowsAreOfRecords(Penstock store, Tasks tasks) {
        for (ConsistencyLevel level : ConsistencyLevel.values()) {
            if (!level.isolates()) {
                continue;
            }
            store.transact(level, tx -> {
                List<String> records = tx.scan(tasks.records(), KeySpan.all()).stream()
                        .map(entry -> entry.value().title())
                        .toList();
                assertThat(titles(tx.scan(tasks.titles(), KeySpan.all()))).containsExactlyInAnyOrderElementsOf(records);
                return true;
            });
        }
    }

    private static List<String> titles(Scan<Entry<String, String>> rows) {
        try (rows) {
            return rows.stream().map(Entry::value).toList();
        }
    }

    /** The build has written the entries of a leaf, and has not marked it, as a record of it changes. */
    @Test
    void aBuildBesideAWriterLeavesNoRows() {
        runAdded((cloud, store, unaware) -> {
            Tasks tasks = aware(store);
            SimulatedClient other = cloud.machine("b");
            int[] puts = {0};
            String page = cloud.keys("pages/").getFirst();
            cloud.cloud.watch((step, client, call, on, outcome) -> {
                boolean isOfIndex = call.equals("put") && on.contains("/pages/") && !on.endsWith(page);
                boolean isDone = isOfIndex && step == CallWatcher.Step.DONE && client == cloud.machine("a");
                if (isDone && ++puts[0] == 2) { // after the root of the pending tree
                    other.startThread("writer", () -> {
                        try (Penstock store2 = open(cloud, "b", new SimpleMeterRegistry())) {
                            RecordCollection<String, Task> late = tasks(store2).inDomain("shop");
                            late.put("k1", new Task("second", 2, ""));
                            late.delete("k2");
                            store2.admin().checkpoint();
                        }
                    });
                    client.freeze(Duration.ofSeconds(10));
                }
            });
            boolean built = cloud.machine("a")
                    .fork("build", () -> {
                        tasks.records().build();
                        return true;
                    })
                    .join();
            assertThat(built).isTrue();
            assertThat(puts[0]).isGreaterThanOrEqualTo(2);
            settle(cloud, store);
            try (Penstock fresh = open(cloud, "c", new SimpleMeterRegistry())) {
                assertRowsAreOfRecords(fresh, aware(fresh));
                fresh.admin().scrub(tasks.byDue());
                assertRowsAreOfRecords(fresh, aware(fresh));
            }
        });
    }

    /** The checkpoint meets the last of three writes alone, and its writer knew the index. */
    @Test
    void anUnawareWriteBetweenTwoOthersLeavesNoRow() {
        runAdded((cloud, store, unaware) -> {
            Tasks tasks = aware(store);
            tasks.records().build();
            settle(cloud, store);
            tasks.records().put("k1", new Task("aware", 2, ""));
            unaware.put("k1", new Task("unaware", 3, ""));
            tasks.records().put("k1", new Task("aware again", 4, ""));
            tasks.records().put("k2", new Task("aware", 2, ""));
            unaware.put("k2", new Task("unaware", 3, ""));
            tasks.records().delete("k2");
            assertRowsAreOfRecords(store, tasks);
            settle(cloud, store);
            assertRowsAreOfRecords(store, tasks);
            store.transact(ConsistencyLevel.SERIALIZABLE, tx -> {
                tx.put(tasks.records(), "k3", new Task("aware", 5, ""));
                tx.put(unaware, "k3", new Task("unaware", 6, ""));
                tx.put(tasks.records(), "k3", new Task("aware again", 7, ""));
                return true;
            });
            assertRowsAreOfRecords(store, tasks);
            settle(cloud, store);
            assertRowsAreOfRecords(store, tasks);
            store.admin().scrub(tasks.byDue());
            assertRowsAreOfRecords(store, tasks);
        });
    }

    /** Between the end of what is pending and the removal of what is left over there is no state with both. */
    @Test
    void aScrubLeavesNoRowsMeanwhile() {
        runAdded((cloud, store, unaware) -> {
            Tasks tasks = aware(store);
            tasks.records().build();
            store.admin().scrub(tasks.byDue()); // gives the entries their parts
            for (int i = 0; i < 4; i++) {
                unaware.put("k" + i, new Task("second " + i, 2 + i % 2, ""));
            }
            unaware.delete("k3");
            settle(cloud, store);
            io.penstock.core.task.Task<Boolean> scrub = cloud.machine("c").fork("scrub", () -> {
                try (Penstock other = open(cloud, "c", new SimpleMeterRegistry())) {
                    return other.admin().scrub(aware(other).byDue()).removed() > 0;
                }
            });
            while (!scrub.isDone()) {
                assertRowsAreOfRecords(store, tasks);
                cloud.sleep(Duration.ofMillis(40));
            }
            assertThat(scrub.join()).isTrue();
            assertRowsAreOfRecords(store, tasks);
        });
    }

    @Test
    void aRecordWhoseRowsWouldStayIsNotWritten() {
        run((cloud, store) -> {
            Tasks tasks = aware(store);
            tasks.records().put("k", new Task("first", 1, ""));
            RecordCollection<String, Long> foreign = store.collection("tasks", Keys.string(), Json.of(Long.class))
                    .inDomain("shop");
            foreign.index("by-due", Keys.longs(), due -> due); // includes no part, as others do
            assertThatThrownBy(() -> foreign.put("k", 1L))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("a covering index would keep its row");
            assertThatThrownBy(() -> foreign.delete("k")).isInstanceOf(InvalidRequestException.class);
            assertRowsAreOfRecords(store, tasks);
        });
    }

    /** A program that declares the plain index, and has used it before, knows of parts that others include since. */
    @Test
    void aPartThatIsIncludedLaterIsKnownToAll() {
        run((cloud, store) -> {
            RecordCollection<String, Long> foreign = store.collection("tasks", Keys.string(), Json.of(Long.class))
                    .inDomain("shop");
            foreign.index("by-due", Keys.longs(), due -> due);
            foreign.put("other", 1L);
            try (Penstock other = open(cloud, "b", new SimpleMeterRegistry())) {
                Tasks tasks = aware(other);
                tasks.records().put("k", new Task("first", 1, ""));
                assertThatThrownBy(() -> foreign.put("k", 1L))
                        .hasMessageContaining("a covering index would keep its row");
                other.admin().dropIndex("tasks", "by-due");
            }
            foreign.put("k", 2L);
            assertThat(foreign.get("k")).hasValue(2L);
        });
    }

    @Test
    void anIndexIncludesOnePartThatIsDeclaredBeforeTheFirstUse() {
        run((cloud, store) -> {
            Tasks tasks = Tasks.of(store);
            Index<Long, String, Task> byDue = tasks.byDue();
            List<String> forms = List.of("title", "other", "no name!");
            forms.forEach(form -> assertThatThrownBy(() -> byDue.including(form, Json.of(String.class), Task::text))
                    .isInstanceOf(InvalidRequestException.class));
            Index<Long, String, Task> used = byDue(tasks(store));
            used.collection().get("k");
            assertThatThrownBy(() -> used.including("title", Json.of(String.class), Task::title))
                    .isInstanceOf(InvalidRequestException.class);
        });
    }

    /**
     * The queue of the records or that of the index is applied late: a row that was seen stays, also when the session
     * lets go of its own write.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void rowsOfASessionDoNotGoBack(int late) {
        new SimulatedStore(6, World.CALM).run(cloud -> {
            try (Penstock a = open(cloud, "a", new SimpleMeterRegistry());
                    Penstock b = open(cloud, "b", new SimpleMeterRegistry())) {
                Tasks own = Tasks.of(a);
                Tasks others = Tasks.of(b);
                own.records().put("r", new Task("one", 1, ""));
                cloud.sleep(Duration.ofSeconds(2));
                a.admin().checkpoint();
                assertThat(others.rows()).hasSizeLessThan(2);
                assertThat(cloud.queues("lk-").get(late).receive(1, Duration.ofHours(1), Duration.ZERO))
                        .hasSize(1);
                others.records().put("r", new Task("two", 1, ""));
                List<String> seen = new ArrayList<>();
                for (int second = 0; second < 40; second++) {
                    cloud.sleep(Duration.ofSeconds(1));
                    b.admin().checkpoint();
                    seen.add(own.rows().get("r"));
                }
                assertThat(seen).doesNotContainSubsequence("two", "one");
            }
        });
    }
}
