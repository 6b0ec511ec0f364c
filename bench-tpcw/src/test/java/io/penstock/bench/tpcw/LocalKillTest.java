package io.penstock.bench.tpcw;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Entry;
import io.penstock.KeySpan;
import io.penstock.Keys.Pair;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.bench.tpcw.bookstore.Bookstore;
import io.penstock.bench.tpcw.bookstore.Draws;
import io.penstock.bench.tpcw.bookstore.Item;
import io.penstock.bench.tpcw.bookstore.Loader;
import io.penstock.bench.tpcw.bookstore.Order;
import io.penstock.bench.tpcw.bookstore.OrderLine;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.bookstore.PurchasePlan;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} in the middle of an ATOMIC run on a local directory, twenty times over on the same store: afterwards
 * every acknowledged purchase is there whole, none is there in part, and the trees are in order.
 */
@Tag("long")
class LocalKillTest {
    private static final int ROUNDS = 20;

    /** More purchases than a child makes before it is killed. */
    private static final long NUMBERS_PER_ROUND = 1_000_000;

    private static final int ROUNDS_OF_REST_MAX = 200;
    private static final Duration REST = Duration.ofMillis(100);

    private final long seed = Long.getLong("seed", 1);
    private final Population population = KillWorkload.population(seed);
    private final Tasks tasks = new ThreadTasks();
    private final Set<Long> acknowledged = new HashSet<>();

    @TempDir
    private Path temporary;

    @Test
    void whateverIsAcknowledgedSurvivesAKillWhole() throws Exception {
        Path directory = temporary.resolve("store");
        try (Penstock store = Penstock.open(KillWorkload.settings(directory))) {
            new Loader(store, Bookstore.open(store), rows -> {}).load(population);
        }
        for (int round = 0; round < ROUNDS; round++) {
            runAndKill(directory, round);
            try (Penstock store = Penstock.open(KillWorkload.settings(directory))) {
                verify(store, "seed=" + seed + " round=" + round);
            }
        }
        assertThat(acknowledged).as("seed=%d: nothing was tested", seed).hasSizeGreaterThan(ROUNDS);
    }

    private void runAndKill(Path directory, int round) throws IOException, InterruptedException {
        Path errors = temporary.resolve("child-" + round + ".err");
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xshare:auto",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KillWorkload.class.getName(),
                        directory.toString(),
                        Long.toString(seed),
                        Long.toString(round * NUMBERS_PER_ROUND))
                .redirectError(errors.toFile())
                .start();
        try (BufferedReader acks = child.inputReader(StandardCharsets.UTF_8)) {
            String first = acks.readLine();
            assertThat(first)
                    .as("seed=%d round=%d: the child stopped by itself: %s", seed, round, Files.readString(errors))
                    .isNotNull();
            acknowledge(first);
            tasks.sleep(Duration.ofMillis(Draws.of(seed, "kill", round).between(0L, 1_500L)));
            // By its handle: Process.destroyForcibly also closes the pipe, with the last acknowledgements in it.
            child.toHandle().destroyForcibly();
            acks.lines().forEach(this::acknowledge);
        } finally {
            child.destroyForcibly().waitFor();
        }
    }

    private void acknowledge(String line) {
        // The last line may be cut off.
        if (line.startsWith("ack ") && line.endsWith(";")) {
            long number = Long.parseLong(line.substring(4, line.length() - 1));
            acknowledged.add(plan(number).orderId());
        }
    }

    private PurchasePlan plan(long number) {
        return PurchasePlan.draw(population, 0, 1, number);
    }

    private void verify(Penstock store, String where) {
        comeToRest(store, where);
        assertThat(store.admin().verify().violations()).as(where).isEmpty();
        Bookstore bookstore = Bookstore.open(store);
        Map<Long, List<OrderLine>> lines = linesByOrder(bookstore);
        Map<Long, Long> lastOrders = new HashMap<>();
        Set<Long> present = new HashSet<>();
        for (Map.Entry<Long, Order> order : rows(
                        bookstore.orders(), KeySpan.from(population.scale().orders() + 1))
                .entrySet()) {
            long id = order.getKey();
            PurchasePlan plan = plan(id - population.scale().orders() - 1);
            present.add(id);
            List<Long> ordered = plan.itemIds().subList(0, PurchasePlan.ORDERED);
            assertThat(lines.getOrDefault(id, List.of()).stream().map(OrderLine::itemId))
                    .as("%s: lines of order %d", where, id)
                    .containsExactlyElementsOf(ordered);
            // One client at a time, which reads its own writes: the last order of an item is the last change of it.
            ordered.forEach(item -> lastOrders.merge(item, id, Math::max));
        }
        assertThat(present).as("%s: acknowledged orders", where).containsAll(acknowledged);
        assertThat(present).as("%s: lines of orders that are not there", where).containsAll(lines.keySet());
        rows(bookstore.items(), KeySpan.all())
                .forEach((id, item) -> assertThat(item.stockOrder())
                        .as("%s: last order of item %d", where, id)
                        .isEqualTo(lastOrders.getOrDefault(id, Item.FROM_POPULATION)));
    }

    private void comeToRest(Penstock store, String where) {
        for (int round = 0; round < ROUNDS_OF_REST_MAX; round++) {
            store.admin().recover();
            store.admin().checkpoint();
            if (store.admin().backlog().total() == 0) {
                return;
            }
            tasks.sleep(REST);
        }
        throw new AssertionError(
                where + ": the backlog does not empty: " + store.admin().backlog());
    }

    private Map<Long, List<OrderLine>> linesByOrder(Bookstore bookstore) {
        Map<Long, List<OrderLine>> byOrder = new HashMap<>();
        Pair<Long, Long> first = new Pair<>(population.scale().orders() + 1, 0L);
        rows(bookstore.orderLines(), KeySpan.from(first))
                .values()
                .forEach(line -> byOrder.computeIfAbsent(line.orderId(), order -> new ArrayList<>())
                        .add(line));
        return byOrder;
    }

    private static <K, V> Map<K, V> rows(RecordCollection<K, V> collection, KeySpan<K> span) {
        Map<K, V> rows = new LinkedHashMap<>();
        try (Scan<Entry<K, V>> scan = collection.scan(span)) {
            scan.forEachRemaining(entry -> rows.put(entry.key(), entry.value()));
        }
        return rows;
    }
}
