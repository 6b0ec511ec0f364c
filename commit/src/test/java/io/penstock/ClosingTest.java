package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Durability;
import io.penstock.core.task.Task;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** After an orderly end nothing is left to do, and it does not take long. */
class ClosingTest {
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NAIVE")
    void whateverTheMomentOthersSeeAllAfterClose(ConsistencyLevel level) {
        for (long seed = 1; seed <= 40; seed++) {
            String run = "seed=" + seed + " level=" + level;
            Random random = new Random(seed);
            new SimulatedStore(seed, World.CALM).run(cloud -> {
                Map<String, String> written = new HashMap<>();
                Penstock store = Penstock.open(cloud.settings("a")
                        .level(level)
                        .checkpointInterval(Duration.ofMillis(200))
                        .advanced(advanced -> advanced.forwardInterval(Duration.ofMillis(100))));
                RecordCollection<String, String> words = words(store);
                for (int i = random.nextInt(60); i >= 0; i--) {
                    words.put("k" + i, "v" + i);
                    written.put("k" + i, "v" + i);
                }
                cloud.sleep(Duration.ofMillis(random.nextInt(600)));
                long before = cloud.seconds();
                store.close();
                assertThat(cloud.seconds() - before)
                        .as(run + " seconds to close")
                        .isLessThan(20);
                assertThat(cloud.depth("pu-")).as(run).isZero();
                assertThat(cloud.queues("at-")).as(run).isEmpty();
                assertThat(cloud.keys("clients/")).as(run).isEmpty();
                try (Penstock other = cloud.open("b")) {
                    assertThat(SimulatedStore.content(other)).as(run).isEqualTo(written);
                }
            });
        }
    }

    /**
     * Several threads commit while a checkpoint drains the ATOMIC queue: a transaction that it finds incomplete must
     * not get stuck.
     */
    @Test
    void closeIsQuickAfterConcurrentCommitsAndCheckpoints() {
        for (long seed = 1; seed <= 15; seed++) {
            String run = "seed=" + seed;
            new SimulatedStore(seed, World.CALM).run(cloud -> {
                SimulatedClient machine = cloud.machine("a");
                Penstock store = cloud.open("a");
                List<Task<Boolean>> tasks = new ArrayList<>();
                for (int t = 0; t < 8; t++) {
                    String name = "t" + t;
                    tasks.add(machine.start(name, () -> {
                        for (int i = 0; i < 30; i++) {
                            words(store).put(name + "." + i, "v");
                        }
                    }));
                }
                for (int i = 0; i < 5; i++) {
                    cloud.sleep(Duration.ofMillis(150));
                    store.admin().checkpoint();
                }
                tasks.forEach(Task::join);
                long before = cloud.seconds();
                store.close();
                assertThat(cloud.seconds() - before)
                        .as(run + " seconds to close")
                        .isLessThan(20);
                assertThat(cloud.queues("at-")).as(run).isEmpty();
                try (Penstock other = cloud.open("b")) {
                    assertThat(SimulatedStore.content(other)).as(run).hasSize(240);
                }
            });
        }
    }

    /** With messages of 8 KiB a transaction has many parts; all of them leave the ATOMIC queue. */
    @Test
    void noPartOfALargeTransactionStaysBehind() {
        for (long seed = 1; seed <= 5; seed++) {
            String run = "seed=" + seed;
            new SimulatedStore(seed, Profile.PAPER_2008, World.CALM).run(cloud -> {
                try (Penstock store = cloud.open("a")) {
                    RecordCollection<String, String> words = words(store);
                    for (int round = 0; round < 3; round++) {
                        int number = round;
                        store.transact(tx -> {
                            for (int i = 0; i < 300; i++) {
                                tx.put(words, "k" + i, "v" + number + "x".repeat(100));
                            }
                            return true;
                        });
                    }
                    for (int i = 0; i < 20 && store.admin().backlog().total() > 0; i++) {
                        store.admin().checkpoint();
                        cloud.sleep(Duration.ofSeconds(31));
                    }
                    assertThat(store.admin().backlog().total()).as(run).isZero();
                }
            });
        }
    }

    /** Records of every size: no remainder of a message is too small to be counted. */
    @Test
    void aTransactionOfAnySizeFitsIntoParts() {
        new SimulatedStore(1, Profile.PAPER_2008, World.CALM).run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                RecordCollection<String, String> words = words(store);
                for (int size = 60; size < 140; size++) {
                    String value = "v".repeat(size);
                    store.transact(tx -> {
                        for (int i = 0; i < 150; i++) {
                            tx.put(words, "k" + i, value);
                        }
                        return true;
                    });
                }
                assertThat(words.get("k149")).hasValue("v".repeat(139));
            }
        });
    }

    @Test
    void aLocalStoreIsClosedInTheMiddleOfItsCheckpoints(@TempDir Path directory) {
        Settings settings = Settings.local(directory, Durability.OS_CACHE)
                .checkpointInterval(Duration.ofMillis(20))
                .advanced(advanced -> advanced.forwardInterval(Duration.ofMillis(10)))
                .pageBytes(512);
        Map<String, String> written = new HashMap<>();
        for (int round = 0; round < 10; round++) {
            String value = "v" + round;
            try (Penstock store = Penstock.open(settings)) {
                RecordCollection<String, String> words = words(store);
                assertThat(SimulatedStore.content(store)).as("round=%d", round).isEqualTo(written);
                for (int i = 0; i < 40; i++) {
                    words.put("k" + i, value);
                    written.put("k" + i, value);
                }
            }
        }
    }

    /** A beat that is under way when the client signs off put it back on record, for four weeks. */
    @Test
    void noHeartbeatComesAfterTheSignOff() {
        for (int late = 0; late < 120; late++) {
            Duration open = Duration.ofSeconds(27).plusMillis(late * 30L);
            new SimulatedStore(late, World.CALM).run(cloud -> {
                try (Penstock store = cloud.open("a")) {
                    SimulatedStore.words(store).put("a", "1");
                    store.admin().checkpoint();
                    cloud.sleep(open);
                }
                cloud.sleep(Duration.ofMinutes(1));
                assertThat(cloud.keys("clients/")).as("open=%s", open).isEmpty();
            });
        }
    }
}
