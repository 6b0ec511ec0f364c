package io.penstock;

import static io.penstock.SimulatedStore.words;
import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ErrorCode;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.task.Task;
import io.penstock.report.RecoveryReport;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that crash, that seem to, and that have the wrong time: nothing acknowledged is lost, nothing is in part. */
class RecoveryTest {
    private static final int KEYS = 6;

    /** The history of a workload: transaction n writes "n" to some keys that no other transaction writes. */
    private static final class History {
        final Set<Integer> acknowledged = new HashSet<>();
        final Set<Integer> begun = new HashSet<>();
    }

    private static String key(int transaction, int i) {
        // Spread over the leaves.
        return "k" + (transaction * 7 + i * 31) % 97 + "." + transaction + "." + i;
    }

    private static void work(Penstock store, int from, int to, String filler, History history) {
        RecordCollection<String, String> words = words(store);
        for (int n = from; n < to; n++) {
            int number = n;
            history.begun.add(n);
            try {
                store.transact(tx -> {
                    for (int i = 0; i < KEYS; i++) {
                        tx.put(words, key(number, i), number + filler);
                    }
                    return true;
                });
                history.acknowledged.add(n);
            } catch (UnavailableException refused) {
                history.begun.remove(n);
            } catch (OutcomeUnknownException unknown) {
                assertThat(unknown.getMessage()).isNotEmpty();
            }
        }
    }

    private static void verify(Penstock store, History history, boolean atomic, String run) {
        Map<String, String> content = SimulatedStore.content(store);
        for (int n : history.begun) {
            int there = 0;
            for (int i = 0; i < KEYS; i++) {
                there += content.containsKey(key(n, i)) ? 1 : 0;
            }
            if (history.acknowledged.contains(n)) {
                assertThat(there).as("%s acknowledged transaction=%d", run, n).isEqualTo(KEYS);
            } else if (atomic) {
                assertThat(there).as("%s transaction=%d", run, n).isIn(0, KEYS);
            }
        }
        assertThat(content.keySet().stream().map(k -> Integer.parseInt(k.split("\\.")[1])))
                .as(run + " what was refused is not there")
                .allMatch(history.begun::contains);
        assertThat(StoreProbe.faults(store)).as(run).isEmpty();
    }

    /** Nobody looked for what it had committed, since it was in no list of clients. */
    @Test
    void aClientWhoseObjectIsLostIsRecovered() {
        new SimulatedStore(4, World.CALM).run(cloud -> {
            SimulatedClient machine = cloud.machine("a");
            machine.start("crash", () -> {
                Penstock store = Penstock.open(cloud.settings("a")
                        .level(ConsistencyLevel.ATOMIC)
                        .advanced(advanced -> advanced.forwardInterval(Duration.ofHours(1)))
                        .checkpointing(false));
                for (int i = 0; i < 3; i++) {
                    words(store).put("k" + i, "v");
                }
            });
            cloud.sleep(Duration.ofSeconds(10));
            machine.crash();
            List<String> clients = cloud.keys("clients/");
            assertThat(clients).hasSize(1);
            clients.forEach(cloud.objects()::delete);
            try (Penstock store = cloud.open("b")) {
                cloud.sleep(Duration.ofMinutes(10));
                assertThat(store.admin().recover().forwarded()).isEqualTo(3);
                store.admin().checkpoint();
                assertThat(SimulatedStore.content(store)).hasSize(3);
                cloud.sleep(Duration.ofMinutes(10));
                assertThat(store.admin().recover().forwarded()).isZero();
                assertThat(store.admin().backlog().total()).isZero();
            }
        });
    }

    private static void crashSometime(long seed, ConsistencyLevel level, Profile profile, World world) {
        String run = "seed=" + seed + " level=" + level + " profile=" + profile.name();
        Random random = new Random(seed);
        new SimulatedStore(seed, profile, world).run(cloud -> {
            History history = new History();
            SimulatedClient machine = cloud.machine("a");
            String filler = profile == Profile.PAPER_2008 ? "x".repeat(1800) : "";
            Settings settings = cloud.settings("a")
                    .level(level)
                    .pageBytes(filler.isEmpty() ? 1024 : 8192)
                    .advanced(advanced -> advanced.layout(Layout.partitioned(1 + random.nextInt(3))))
                    .checkpointInterval(Duration.ofSeconds(1 + random.nextInt(5)));
            // The client's calls are cut off by its crash, so its tasks are not joined.
            machine.start("workload", () -> work(Penstock.open(settings), 0, 10_000, filler, history));
            cloud.sleep(Duration.ofMillis(200 + random.nextInt(profile == Profile.PAPER_2008 ? 40_000 : 8000)));
            machine.crash();
            cloud.sleep(Duration.ofMinutes(2));
            cloud.cloud.setWorld(World.CALM);
            try (Penstock heir = Penstock.open(cloud.settings("b").deadAfter(Duration.ofSeconds(40)))) {
                SimulatedStore.settle(heir, cloud.machine("b"));
                if (history.acknowledged.isEmpty() && heir.collections().isEmpty()) {
                    return; // crashed before it had done anything
                }
                verify(heir, history, level == ConsistencyLevel.ATOMIC, run);
                assertThat(cloud.depth("pu-")).as(run).isZero();
            }
        });
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NAIVE")
    void aClientCrashesAndAnotherFinishesItsWork(ConsistencyLevel level) {
        for (long seed = 1; seed <= (level == ConsistencyLevel.ATOMIC ? 40 : 15); seed++) {
            crashSometime(seed, level, Profile.AWS_2026, World.CALM);
            crashSometime(seed, level, Profile.AWS_2026, World.ROUGH);
        }
    }

    @Test
    void aClientCrashesWithTransactionsOfManyMessages() {
        for (long seed = 1; seed <= 15; seed++) {
            crashSometime(seed, ConsistencyLevel.ATOMIC, Profile.PAPER_2008, World.CALM);
            crashSometime(seed, ConsistencyLevel.ATOMIC, Profile.PAPER_2008, World.ROUGH);
        }
    }

    /** Two clients take over a third that is alive: every record is applied at least once, with the effect of once. */
    @Test
    void twoAdoptersOfALivingClient() {
        for (long seed = 1; seed <= 15; seed++) {
            String run = "seed=" + seed;
            World world = seed % 2 == 0 ? World.ROUGH : World.CALM;
            new SimulatedStore(seed, world).run(cloud -> {
                History history = new History();
                SimulatedClient machine = cloud.machine("a");
                Settings writer = cloud.settings("a")
                        .anyHeartbeat()
                        .advanced(advanced -> advanced.heartbeatInterval(Duration.ofHours(1)));
                Task<Boolean> work = machine.start("workload", () -> {
                    try (Penstock store = Penstock.open(writer)) {
                        work(store, 0, 60, "", history);
                        machine.sleep(Duration.ofSeconds(3));
                        work(store, 60, 120, "", history);
                    }
                });
                List<Task<Boolean>> adopters = new ArrayList<>();
                for (String name : List.of("b", "c")) {
                    adopters.add(cloud.machine(name).start("adopt", () -> adopt(cloud, name)));
                }
                adopters.forEach(Task::join);
                work.join();
                cloud.cloud.setWorld(World.CALM);
                try (Penstock heir =
                        Penstock.open(cloud.settings("d").anyHeartbeat().deadAfter(Duration.ofMillis(1)))) {
                    SimulatedStore.settle(heir, cloud.machine("d"));
                    verify(heir, history, true, run);
                }
            });
        }
    }

    private static void adopt(SimulatedStore cloud, String name) {
        try (Penstock store = Penstock.open(cloud.settings(name).anyHeartbeat().deadAfter(Duration.ofMillis(100)))) {
            for (int i = 0; i < 10; i++) {
                cloud.machine(name).sleep(Duration.ofMillis(400));
                try {
                    store.admin().recover();
                    store.admin().checkpoint();
                } catch (StoreException rough) {
                    assertThat(rough.getMessage()).isNotEmpty();
                }
            }
        }
    }

    @Test
    void whatADeadClientLeavesIsGoneInTheEnd() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            History history = new History();
            SimulatedClient machine = cloud.machine("a");
            machine.start("workload", () -> work(Penstock.open(cloud.settings("a")), 0, 10_000, "", history));
            cloud.sleep(Duration.ofSeconds(3));
            machine.crash();
            for (int week = 0; week < 6; week++) {
                cloud.sleep(Duration.ofDays(7));
                try (Penstock store = cloud.open("b" + week)) {
                    store.admin().recover();
                    store.admin().checkpoint();
                }
            }
            assertThat(cloud.queues("at-")).isEmpty();
            assertThat(cloud.keys("clients/")).isEmpty();
        });
    }

    /**
     * Clients that died stay listed for 28 days. Each recovery polled each of them, one after the other, for 3 s: after
     * two hundred crashes the next dead client had to wait for ten minutes.
     */
    @Test
    void clientsThatDiedLongAgoDoNotHoldUpARecovery() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            History history = new History();
            crash(cloud, 0, 100, history);
            cloud.sleep(Duration.ofMinutes(6));
            try (Penstock heir = cloud.open("heir")) {
                heir.admin().recover();
                cloud.sleep(Duration.ofMinutes(6));
                crash(cloud, 100, 101, history);
                cloud.sleep(Duration.ofMinutes(6));
                long before = cloud.seconds();
                assertThat(heir.admin().recover().forwarded()).isEqualTo(1);
                assertThat(cloud.seconds() - before).as("virtual seconds").isLessThan(20);
                SimulatedStore.settle(heir, cloud.machine("heir"));
                verify(heir, history, true, "seed=1");
            }
        });
    }

    /** One client each, which dies with one transaction committed and not forwarded. */
    private static void crash(SimulatedStore cloud, int from, int to, History history) {
        for (int n = from; n < to; n++) {
            SimulatedClient machine = cloud.machine("dead-" + n);
            Settings settings =
                    cloud.settings("dead-" + n).advanced(advanced -> advanced.forwardInterval(Duration.ofHours(1)));
            int number = n;
            machine.start("work", () -> work(Penstock.open(settings), number, number + 1, "", history));
            cloud.sleep(Duration.ofSeconds(3));
            machine.crash();
        }
    }

    @Test
    void aClockThatIsOffIsRefusedAndSaysWhatToDo() {
        for (Duration ahead : List.of(Duration.ofMinutes(6), Duration.ofMinutes(-6))) {
            new SimulatedStore(1, World.CALM).run(cloud -> {
                cloud.machine("a").skewClock(ahead);
                try (Penstock store = Penstock.open(cloud.settings("a"))) {
                    assertThatThrownBy(() -> words(store).put("a", "1"))
                            .isInstanceOf(UnavailableException.class)
                            .is(code(ErrorCode.CLOCK_SKEW));
                    cloud.machine("a").skewClock(Duration.ZERO);
                    cloud.sleep(Duration.ofMinutes(1)); // the next heartbeat
                    words(store).put("a", "2");
                    assertThat(words(store).get("a")).hasValue("2");
                }
            });
        }
    }

    /** A machine that only checkpoints has never compared its clock: it must not take all records for too old. */
    @Test
    void aCheckpointerWithTheWrongTimeLosesNothing() {
        for (Duration ahead : List.of(Duration.ofDays(40), Duration.ofDays(-40))) {
            new SimulatedStore(1, World.CALM).run(cloud -> {
                try (Penstock writer = Penstock.open(
                        cloud.settings("a").level(ConsistencyLevel.MONOTONIC).checkpointing(false))) {
                    words(writer).put("a", "1");
                    words(writer).put("b", "1");
                    words(writer).delete("b");
                    cloud.machine("b").skewClock(ahead);
                    try (Penstock other = cloud.open("b")) {
                        cloud.sleep(Duration.ofSeconds(3));
                        try {
                            assertThat(other.admin().checkpoint().quarantined()).isZero();
                            other.admin().recover();
                        } catch (UnavailableException refused) {
                            assertThat(refused).is(code(ErrorCode.CLOCK_SKEW));
                        }
                    }
                    assertThat(cloud.keys("quarantine/")).isEmpty();
                    writer.admin().checkpoint();
                    assertThat(SimulatedStore.content(writer)).containsOnlyKeys("a");
                }
            });
        }
    }

    /** And it must not give up the parts of a large transaction that is being sent. */
    @Test
    void aRecoveryWithTheWrongTimeDeletesNoParts() {
        new SimulatedStore(1, Profile.PAPER_2008, World.CALM).run(cloud -> {
            crashBetweenParts(cloud);
            cloud.sleep(Duration.ofMinutes(10));
            cloud.machine("b").skewClock(Duration.ofDays(3));
            try (Penstock other = cloud.open("b")) {
                other.admin().recover();
            } catch (UnavailableException refused) {
                assertThat(refused).is(code(ErrorCode.CLOCK_SKEW));
            }
            assertThat(cloud.depth("at-")).isPositive();
        });
    }

    /** A client dies when the first message of its transaction is sent, and the commit record is not. */
    private static void crashBetweenParts(SimulatedStore cloud) {
        SimulatedClient machine = cloud.machine("a");
        FaultyQueues queues = new FaultyQueues(cloud.cloud.queues(machine), "-at-");
        AtomicInteger sends = new AtomicInteger();
        queues.set((queue, bodies) -> {
            if (sends.getAndIncrement() > 0) {
                machine.crash();
            }
            return queue.send(bodies);
        });
        Settings settings = Settings.on(cloud.cloud.objects(machine), queues, machine)
                .level(ConsistencyLevel.ATOMIC)
                .pageBytes(8192)
                .advanced(advanced -> advanced.sweeping(false));
        machine.start("workload", () -> work(Penstock.open(settings), 0, 1, "x".repeat(1900), new History()));
        while (!machine.crashed()) {
            cloud.sleep(Duration.ofMillis(100));
        }
        assertThat(cloud.depth("at-")).isEqualTo(1);
    }

    /** The queue forgets the first part before the second arrives: the commit must not be acknowledged. */
    @Test
    void aClientThatSleptBeforeItsCommitRecordDoesNotSayCommitted() {
        new SimulatedStore(1, Profile.PAPER_2008, World.CALM).run(cloud -> {
            SimulatedClient machine = cloud.machine("a");
            FaultyQueues queues = new FaultyQueues(cloud.cloud.queues(machine), "-at-");
            AtomicInteger sends = new AtomicInteger();
            queues.set((queue, bodies) -> {
                if (sends.getAndIncrement() == 1) {
                    machine.freeze(Duration.ofDays(15));
                }
                return queue.send(bodies);
            });
            Settings settings = Settings.on(cloud.cloud.objects(machine), queues, machine)
                    .level(ConsistencyLevel.ATOMIC)
                    .advanced(advanced -> advanced.sweeping(false))
                    .pageBytes(8192)
                    .advanced(advanced -> advanced.forwardInterval(Duration.ofHours(1)));
            History history = new History();
            machine.start("workload", () -> {
                work(Penstock.open(settings), 0, 1, "x".repeat(1900), history);
                machine.crash();
            });
            cloud.sleep(Duration.ofDays(15).plusMinutes(10));
            assertThat(sends).as("parts and commit record").hasValue(2);
            assertThat(history.acknowledged).isEmpty();
            try (Penstock other = cloud.open("b")) {
                assertThat(other.admin().recover().undecided()).isEqualTo(1);
                other.admin().checkpoint();
                verify(other, history, true, "seed=1");
            }
        });
    }

    @Test
    void losersStayUntilTheQueueForgetsThem() {
        new SimulatedStore(1, Profile.PAPER_2008, World.CALM).run(cloud -> {
            crashBetweenParts(cloud);
            cloud.sleep(Duration.ofMinutes(10));
            try (Penstock other = cloud.open("b")) {
                RecoveryReport young = other.admin().recover();
                assertThat(young.undecided()).isEqualTo(1);
                assertThat(young.undecidedMessages()).isEqualTo(1);
                assertThat(other.admin().recover())
                        .as("found again as long as it is there")
                        .isEqualTo(young);
                cloud.sleep(Duration.ofDays(13));
                assertThat(other.admin().recover()).as("however old").isEqualTo(young);
                cloud.sleep(Duration.ofDays(2));
                assertThat(other.admin().recover().undecided()).isZero();
                assertThat(cloud.depth("at-")).isZero();
                assertThat(SimulatedStore.content(other)).isEmpty();
            }
        });
    }

    /**
     * Of two recoveries at once each held some parts of a committed transaction. More than a day after the crash each
     * took the other's for missing, and the first deleted its own: the transaction was lost (found by the simulation
     * and by the protocol's model). Now no recovery deletes what it has not forwarded.
     */
    @Test
    void aPartInTheHandsOfAnotherRecoveryIsNotMissing() {
        new SimulatedStore(1, Profile.PAPER_2008, World.CALM).run(cloud -> {
            SimulatedClient machine = cloud.machine("a");
            FaultyQueues queues = new FaultyQueues(cloud.cloud.queues(machine), "-pu-");
            queues.set((queue, bodies) -> {
                machine.crash();
                return List.of();
            });
            Settings settings = Settings.on(cloud.cloud.objects(machine), queues, machine)
                    .level(ConsistencyLevel.ATOMIC)
                    .pageBytes(8192)
                    .advanced(advanced -> advanced.sweeping(false));
            History history = new History();
            machine.start("workload", () -> work(Penstock.open(settings), 0, 1, "x".repeat(1900), history));
            cloud.sleep(Duration.ofHours(25));
            assertThat(history.acknowledged).hasSize(1);
            MessageQueue left = cloud.queues("at-").getFirst();
            assertThat(left.depth().total()).isGreaterThan(1);
            assertThat(left.receive(1, Duration.ofSeconds(30), Duration.ZERO)).hasSize(1);
            try (Penstock other = cloud.open("b")) {
                assertThat(other.admin().recover().forwarded()).isZero();
                cloud.sleep(Duration.ofMinutes(1));
                SimulatedStore.settle(other, cloud.machine("b"));
                verify(other, history, true, "seed=1");
            }
        });
    }

    /**
     * A client slept between its first heartbeat and the creation of its ATOMIC queue. A recovery found no queue and
     * removed the client, so its later commits were never recovered (found by the simulation).
     */
    @Test
    void aClientThatSleptBeforeItHadAQueueIsNotForgotten() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            SimulatedClient machine = cloud.machine("a");
            cloud.cloud.watch((step, client, call, on, outcome) -> {
                boolean ours = client == machine && on.contains("-at-");
                if (ours && call.equals("create queue") && step == CallWatcher.Step.BEGINS) {
                    machine.freeze(Duration.ofMinutes(2));
                }
            });
            History history = new History();
            Settings settings = cloud.settings("a")
                    .anyHeartbeat()
                    .advanced(advanced ->
                            advanced.forwardInterval(Duration.ofHours(1)).heartbeatInterval(Duration.ofHours(1)));
            machine.start("workload", () -> {
                work(Penstock.open(settings), 0, 1, "", history);
                machine.crash();
            });
            cloud.sleep(Duration.ofMinutes(1));
            Settings impatient = cloud.settings("b").deadAfter(Duration.ofSeconds(40));
            try (Penstock other = Penstock.open(impatient)) {
                assertThat(other.admin().recover().clients()).isPositive();
                cloud.sleep(Duration.ofMinutes(5));
                assertThat(history.acknowledged).hasSize(1);
                SimulatedStore.settle(other, cloud.machine("b"));
                verify(other, history, true, "seed=1");
            }
        });
    }

    @Test
    @Tag("slow")
    void afterTwentyIdleDaysTheStoreWorks() {
        for (ConsistencyLevel level : Levels.except(ConsistencyLevel.NAIVE, ConsistencyLevel.BASIC)) {
            new SimulatedStore(1, World.CALM).run(cloud -> {
                Settings settings = cloud.settings("a").level(level);
                try (Penstock store = Penstock.open(settings)) {
                    words(store).put("a", "1");
                }
                cloud.sleep(Duration.ofDays(20));
                try (Penstock store = Penstock.open(settings)) {
                    assertThat(words(store).get("a")).hasValue("1");
                    words(store).put("a", "2");
                    cloud.sleep(Duration.ofMinutes(5));
                    assertThat(store.admin().backlog().pendingMessages()).isZero();
                    // And one that stays open over the retention.
                    cloud.sleep(Duration.ofDays(20));
                    words(store).put("a", "3");
                    cloud.sleep(Duration.ofMinutes(5));
                    assertThat(store.admin().backlog().pendingMessages()).isZero();
                    try (Penstock other = cloud.open("b")) {
                        assertThat(words(other).get("a")).hasValue("3");
                    }
                    long before = cloud.seconds();
                    store.close();
                    assertThat(cloud.seconds() - before).isLessThan(20);
                }
            });
        }
    }
}
