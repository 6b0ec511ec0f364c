package io.penstock.cli.access;

import static io.penstock.cli.access.PolicyGuard.STORE;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.ConsistencyLevel;
import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.Provisioning;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.core.ErrorCode;
import io.penstock.core.StoreException;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A client of a store with queues whose policy lacks one right is told so at once, and in no other words. */
class PolicyHolesTest {
    /** A right that a role lacks. */
    record Hole(AccessRole role, String statement, String action) {}

    static Stream<Hole> holes() {
        return Stream.of(AccessRole.READER, AccessRole.WRITER, AccessRole.CHECKPOINTER)
                .flatMap(role -> policy(role).statements().stream()
                        .flatMap(statement ->
                                statement.actions().stream().map(action -> new Hole(role, statement.id(), action))));
    }

    private static AccessPolicy policy(AccessRole role) {
        return AccessPolicy.of(role, STORE, Provisioning.CREATE, false);
    }

    private static AccessPolicy without(Hole hole) {
        List<AccessPolicy.Statement> rest = new ArrayList<>();
        for (AccessPolicy.Statement each : policy(hole.role).statements()) {
            List<String> actions = each.actions().stream()
                    .filter(action -> !each.id().equals(hole.statement) || !action.equals(hole.action))
                    .toList();
            rest.add(new AccessPolicy.Statement(each.id(), "Allow", actions, each.resources(), each.condition()));
        }
        return new AccessPolicy("2012-10-17", rest);
    }

    private static RecordCollection<String, String> words(Penstock store) {
        return store.collection("words", Keys.string(), Json.of(String.class));
    }

    private static RecordCollection<String, String> stock(Penstock store) {
        return store.collection("stock", Keys.string(), Json.of(String.class)).inDomain("shop");
    }

    private static void write(Penstock store, String key) {
        words(store).put(key, "v");
        words(store).put(key, "large".repeat(1_000));
        store.transact(ConsistencyLevel.SERIALIZABLE, tx -> {
            tx.put(stock(store), key, "v");
            return true;
        });
    }

    private static void work(AccessRole role, Penstock store) {
        switch (role) {
            case READER -> {
                assertThat(words(store).get("first")).isPresent();
                assertThat(stock(store).get("first")).isPresent();
                store.admin().backlog();
            }
            case WRITER -> {
                write(store, "own");
                store.flush();
            }
            default -> {
                store.admin().recover();
                store.admin().checkpoint();
                store.admin().compact();
            }
        }
    }

    /** As when the policy of checkpointers was forgotten: others with it apply what this client commits. */
    @Test
    void aWriterThatMayNotCheckpointCommitsAllTheSame() {
        Simulation simulation = new Simulation(1);
        SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
        simulation.run(() -> {
            SimulatedClient first = simulation.client("first");
            Penstock.open(Settings.on(cloud.objects(first), first)).close();
            SimulatedClient machine = simulation.client("machine");
            PolicyGuard police = new PolicyGuard(policy(AccessRole.WRITER));
            Penstock store = Penstock.open(Settings.on(new PolicedObjects(cloud.objects(machine), police), machine));
            for (int i = 0; i < 60; i++) {
                stock(store).put("k" + i, "v");
                machine.sleep(Duration.ofSeconds(10));
            }
            assertThat(police.refused).isNotEmpty();
            store.close();
            try (Penstock checkpointer = Penstock.open(Settings.on(cloud.objects(first), first))) {
                assertThat(checkpointer.admin().checkpoint().messages()).isPositive();
                assertThat(checkpointer.admin().verify().violations()).isEmpty();
                assertThat(stock(checkpointer).get("k59")).contains("v");
            }
            return true;
        });
    }

    @ParameterizedTest
    @MethodSource("holes")
    void aHoleIsNamedAtOnce(Hole hole) {
        Simulation simulation = new Simulation(1);
        SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
        simulation.run(() -> {
            SimulatedClient first = simulation.client("first");
            Penstock root = Penstock.open(Settings.on(cloud.objects(first), cloud.queues(first), first)
                    .level(ConsistencyLevel.ATOMIC));
            write(root, "first");
            root.admin().checkpoint();
            write(root, "second");
            SimulatedClient machine = simulation.client("machine");
            PolicyGuard police = new PolicyGuard(without(hole));
            long begun = machine.nanoTime();
            try (Penstock store = Penstock.open(Settings.on(
                            new PolicedObjects(cloud.objects(machine), police),
                            new PolicedQueues(cloud.queues(machine), police),
                            machine)
                    .level(ConsistencyLevel.ATOMIC)
                    .readOnly(hole.role == AccessRole.READER)
                    .checkpointing(hole.role == AccessRole.CHECKPOINTER))) {
                work(hole.role, store);
            } catch (StoreException failure) {
                assertThat(failure.code())
                        .as("%s: %s", hole, failure.getMessage())
                        .isEqualTo(ErrorCode.ACCESS_DENIED);
                assertThat(String.valueOf(failure.getMessage())).doesNotContain("\n");
            }
            // Of virtual time: nothing is retried in the hope of a right.
            assertThat(Duration.ofNanos(machine.nanoTime() - begun))
                    .as("%s", hole)
                    .isLessThan(Duration.ofSeconds(60));
            root.close();
            return true;
        });
    }
}
