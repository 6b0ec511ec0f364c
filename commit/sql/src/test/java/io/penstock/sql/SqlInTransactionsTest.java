package io.penstock.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.ConsistencyLevel;
import io.penstock.Entry;
import io.penstock.Json;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.Settings;
import io.penstock.Transaction;
import io.penstock.core.StoreException;
import io.penstock.core.task.Task;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Fields;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * SQL in serializable transactions beside other writers. Each transaction asks how many rows a group has, in one of
 * several ways, and adds a row with that number: if all are as if they ran one after the other, a group has every
 * number once. A row that came meanwhile, and that a query missed, would have a number twice.
 */
class SqlInTransactionsTest {
    private static final int SEEDS = Integer.getInteger("sqlSeeds", 12);
    private static final int CLIENTS = 3;
    private static final int TRANSACTIONS = 14;
    private static final int GROUPS = 3;

    /** Each gives the number of rows of a group, as their numbers count from 0. */
    private static final List<String> QUESTIONS = List.of(
            "select count(*) from numbered where grp = ?",
            "select coalesce(max(number), -1) + 1 from numbered where grp = ?",
            "select count(*) from numbered where grp = ? and number >= 0 and id < 1000000",
            "select coalesce((select number from numbered where grp = ? order by number desc"
                    + " fetch first 1 row only), -1) + 1",
            "select count(*) from numbered a join grps b on a.grp = b.name where b.name = ?",
            "select count(*) from (select number from numbered where grp = ? group by number)");

    record Numbered(String grp, int number) {}

    private record Tables(RecordCollection<Long, Numbered> numbered, PenstockSql sql) {
        static Tables of(Penstock store, boolean indexed) {
            RecordCollection<Long, Numbered> numbered = store.collection(
                            "numbered", Keys.longs(), Json.of(Numbered.class))
                    .declare(Fields.of(
                            Field.key("id", FieldType.LONG),
                            Field.<Numbered, String>of("grp", FieldType.STRING, Numbered::grp),
                            Field.<Numbered, Integer>of("number", FieldType.INT, Numbered::number)));
            if (indexed) {
                var unused = numbered.index("by-group", Keys.string(), Numbered::grp);
            }
            RecordCollection<String, String> groups = store.collection("grps", Keys.string(), Json.of(String.class))
                    .declare(Fields.of(Field.key("name", FieldType.STRING)));
            return new Tables(numbered, PenstockSql.of(store, numbered, groups));
        }
    }

    /** One seed: whether there is an index, summaries, and checkpoints beside is drawn. */
    private static final class Run {
        private final long seed;
        private final ConsistencyLevel level;
        private final SplittableRandom random;
        private final Simulation simulation;
        private final SimulatedCloud cloud;
        private final boolean indexed;
        private long ids;
        private boolean over;

        Run(long seed, ConsistencyLevel level) {
            this.seed = seed;
            this.level = level;
            this.random = new SplittableRandom(seed);
            this.simulation = new Simulation(seed);
            this.cloud =
                    new SimulatedCloud(simulation, Profile.AWS_2026, random.nextBoolean() ? World.ROUGH : World.CALM);
            this.indexed = random.nextBoolean();
        }

        private Settings settings(SimulatedClient machine) {
            return Settings.on(cloud.objects(machine), cloud.queues(machine), machine)
                    .level(level)
                    .pageBytes(512)
                    .checkpointInterval(Duration.ofMillis(400));
        }

        void run() {
            simulation.run(() -> {
                SimulatedClient main = simulation.client("main");
                try (Penstock store = Penstock.open(settings(main))) {
                    var groups = store.collection("grps", Keys.string(), Json.of(String.class));
                    for (int group = 0; group < GROUPS; group++) {
                        groups.put("g" + group, "");
                    }
                    Tables tables = Tables.of(store, indexed);
                    tables.numbered.put(-1L, new Numbered("none", 0)); // an index of no records is made at once
                    List<Task<Boolean>> tasks = new ArrayList<>();
                    for (int client = 0; client < CLIENTS; client++) {
                        SimulatedClient machine = simulation.client("client" + client);
                        SplittableRandom luck = random.split();
                        tasks.add(machine.startThread("work", () -> work(machine, luck)));
                    }
                    Task<Boolean> keeper = main.start("keeper", () -> keep(main, store, tables, random.split()));
                    tasks.forEach(Task::join);
                    over = true;
                    keeper.join();
                    verify(store, tables);
                }
                return true;
            });
        }

        private void keep(SimulatedClient machine, Penstock store, Tables tables, SplittableRandom luck) {
            while (!over) {
                machine.sleep(Duration.ofMillis(luck.nextInt(3_000)));
                try {
                    if (luck.nextBoolean()) {
                        store.admin().summarize(tables.numbered);
                    } else {
                        store.admin().checkpoint();
                    }
                } catch (StoreException weather) {
                    // Tried again by the next turn.
                }
            }
        }

        private void work(SimulatedClient machine, SplittableRandom luck) {
            try (Penstock store = Penstock.open(settings(machine))) {
                Tables tables = Tables.of(store, indexed);
                for (int i = 0; i < TRANSACTIONS; i++) {
                    machine.sleep(Duration.ofMillis(luck.nextInt(500)));
                    String group = "g" + luck.nextInt(GROUPS);
                    String question = QUESTIONS.get(luck.nextInt(QUESTIONS.size()));
                    long id = ids++ * 7_919 % 1_000_000;
                    try {
                        boolean unused = store.transact(transaction -> {
                            int number = ask(tables, transaction, question, group);
                            transaction.put(tables.numbered, id, new Numbered(group, number));
                            return true;
                        });
                    } catch (StoreException unknown) {
                        // It is there or it is not; both are in order.
                    }
                }
            }
        }

        private static int ask(Tables tables, Transaction transaction, String question, String group) {
            try (Connection connection = tables.sql.connect(transaction);
                    PreparedStatement statement = connection.prepareStatement(question)) {
                statement.setString(1, group);
                try (ResultSet rows = statement.executeQuery()) {
                    return rows.next() ? rows.getInt(1) : 0;
                }
            } catch (SQLException failure) {
                if (failure.getCause() instanceof StoreException known) {
                    throw known;
                }
                throw new IllegalStateException(failure);
            }
        }

        private void verify(Penstock store, Tables tables) {
            TreeMap<String, List<Integer>> found = new TreeMap<>();
            try (Scan<Entry<Long, Numbered>> scan = tables.numbered.scan(KeySpan.from(0L))) {
                scan.forEachRemaining(
                        entry -> found.computeIfAbsent(entry.value().grp(), g -> new ArrayList<>())
                                .add(entry.value().number()));
            }
            found.forEach((group, numbers) -> {
                numbers.sort(null);
                List<Integer> expected = new ArrayList<>();
                for (int i = 0; i < numbers.size(); i++) {
                    expected.add(i);
                }
                assertThat(numbers).as("seed=%d %s", seed, group).isEqualTo(expected);
            });
            assertThat(found.values().stream().mapToInt(List::size).sum())
                    .as("seed=%d", seed)
                    .isGreaterThan(CLIENTS * TRANSACTIONS / 2);
            assertThat(store.admin().verify().violations()).as("seed=%d", seed).isEmpty();
        }
    }

    @Test
    void everyAnswerIsOfTheStateBeforeTheCommit() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            new Run(seed, ConsistencyLevel.SERIALIZABLE).run();
        }
    }

    /** The numbers tell what they are there for. */
    @Test
    void atSnapshotTwoRowsHaveOneNumber() {
        assertThatThrownBy(() -> {
                    for (long seed = 1; seed <= SEEDS; seed++) {
                        new Run(seed, ConsistencyLevel.SNAPSHOT).run();
                    }
                })
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("seed=");
    }
}
