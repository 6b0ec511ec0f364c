package io.penstock.commit.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.commit.client.HybridClock;
import io.penstock.commit.client.ServerClock;
import io.penstock.commit.domain.Intent.TransactionId;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.CorruptDataException;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.record.RecordChange;
import io.penstock.core.task.Task;
import io.penstock.report.CheckpointReport;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Looks at the slots of a log that are slow, and answered in another order than they were sent. */
class FollowerTest {
    private static final Duration BUDGET = Duration.ofSeconds(30);
    private static final Limits LIMITS = Limits.of(Duration.ofSeconds(20), Duration.ofDays(30), BUDGET);
    private static final TreeId TREE = new TreeId(1);
    private static final int SLOW_MILLIS = 60;
    private static final Duration WRITE_EVERY = Duration.ofMillis(10);
    private static final Duration READ_EVERY = Duration.ofMillis(150);
    private static final int READS = 200;

    private final Simulation simulation = new Simulation(1);
    private final SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.INSTANT, World.CALM);
    private final Random random = new Random(1);
    private boolean over;

    private Domain domain(SimulatedClient machine, ObjectStore log) {
        ClientId id = new ClientId(machine.name().hashCode());
        return new Domains(new Parts(
                        machine,
                        log,
                        "p/",
                        new HybridClock(machine::nowMillis),
                        new ServerClock(machine, Duration.ofMinutes(2)),
                        () -> id,
                        (domain, records, alone, turn) -> CheckpointReport.ofRecords(0, records.size(), 0, 0),
                        LIMITS,
                        conflict -> conflict.exception("words"),
                        Handover.NONE,
                        key -> {},
                        () -> {}))
                .of("d");
    }

    /** The objects as a client sees them over a network whose answers take their time. */
    private ObjectStore slow(SimulatedClient machine) {
        ObjectStore objects = cloud.objects(machine);
        return (ObjectStore) Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(), new Class<?>[] {ObjectStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getTimed")) {
                        machine.sleep(Duration.ofMillis(random.nextInt(SLOW_MILLIS + 1)));
                    }
                    try {
                        return method.invoke(objects, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                });
    }

    private Task<Boolean> writer() {
        SimulatedClient machine = simulation.client("writer");
        Domain domain = domain(machine, cloud.objects(machine));
        return machine.start("writer", () -> {
            domain.refresh();
            for (long nonce = 0; !over; nonce++) {
                RecordChange put = new RecordChange.Put(Bytes.utf8("k"), Bytes.utf8("v"), Stamp.ZERO);
                var unused = domain.commit(new Intent(
                        new TransactionId(new ClientId(1), nonce),
                        domain.tail().tip(),
                        new ReadSet(),
                        List.of(new LogRecord(TREE, put))));
                machine.sleep(WRITE_EVERY);
            }
        });
    }

    /** A client that polls as seldom as its own puts take keeps up with others whose puts are faster. */
    @Test
    void pollsReadAllThatOthersHavePutMeanwhile() {
        simulation.run(() -> {
            SimulatedClient machine = simulation.client("reader");
            Tail tail = new Tail(machine, LIMITS);
            ServerClock clock = new ServerClock(machine, Duration.ofMinutes(2));
            LogObjects log = new LogObjects("d", "p/", cloud.objects(machine), clock::observe, key -> {});
            Follower follower = new Follower(machine, log, tail, new HybridClock(machine::nowMillis), LIMITS);
            follower.refresh();
            Task<Boolean> writer = writer();
            machine.sleep(Duration.ofSeconds(1));
            over = true;
            writer.join();
            for (int polls = 0; polls < 9; polls++) {
                follower.peek(1, 0);
                machine.sleep(Duration.ofSeconds(1));
            }
            assertThat(tail.tip()).isGreaterThan(50);
            assertThat(log.hasAfter(tail.tip())).isFalse();
            return true;
        });
    }

    @Test
    void answersOutOfOrderAreNoHole() {
        simulation.run(() -> {
            Task<Boolean> writer = writer();
            SimulatedClient machine = simulation.client("reader");
            Domain reader = domain(machine, slow(machine));
            for (int i = 0; i < READS; i++) {
                machine.sleep(READ_EVERY);
                reader.refresh();
            }
            over = true;
            writer.join();
            assertThat(reader.tail().tip()).isGreaterThan(READS);
            return true;
        });
    }

    /** Also while others go on behind it, as clients do that have read it before it was lost. */
    @Test
    void aHoleIsToldThough() {
        simulation.run(() -> {
            Task<Boolean> writer = writer();
            SimulatedClient machine = simulation.client("reader");
            Domain reader = domain(machine, slow(machine));
            machine.sleep(READ_EVERY);
            reader.refresh();
            machine.sleep(READ_EVERY);
            String lost = "p/log/d/%016x".formatted(reader.tail().tip() + 2);
            cloud.objects(machine).delete(lost);
            assertThatThrownBy(reader::refresh)
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining(lost);
            over = true;
            writer.join();
            return true;
        });
    }
}
