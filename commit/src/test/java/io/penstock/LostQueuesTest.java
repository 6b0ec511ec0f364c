package io.penstock;

import static io.penstock.SimulatedStore.words;
import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ErrorCode;
import io.penstock.core.RefusedException;
import io.penstock.core.UnavailableException;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.task.Task;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Somebody deletes the queues of a store in use: callers hear that it is the servers' fault, and the store heals. */
class LostQueuesTest {
    private static void deleteQueues(SimulatedStore cloud, List<String> kinds) {
        for (String kind : kinds) {
            for (String name : cloud.queues().list("penstock-" + kind)) {
                cloud.queues().delete(name);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "SNAPSHOT", "SERIALIZABLE"})
    void aClientMakesThemAgain(ConsistencyLevel level) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = Penstock.open(cloud.settings("a").level(level))) {
                words(store).put("a", "1");
                cloud.sleep(Duration.ofMinutes(1));
                deleteQueues(cloud, List.of("pu-", "lk-", "at-"));
                long begun = cloud.seconds();
                assertThatThrownBy(() -> words(store).put("b", "1"))
                        .isInstanceOf(UnavailableException.class)
                        .is(code(ErrorCode.QUEUE_NOT_FOUND));
                assertThat(cloud.seconds() - begun).isLessThan(2);
                // A name that was deleted is barred for a minute.
                cloud.sleep(Duration.ofMinutes(2));
                words(store).put("c", "1");
                cloud.sleep(Duration.ofMinutes(1));
                try (Penstock reader = cloud.open("reader")) {
                    assertThat(SimulatedStore.content(reader)).containsOnlyKeys("a", "c");
                }
                assertThat(cloud.depth("lk-")).as("tokens").isEqualTo(1);
            }
        });
    }

    /** It only saves work: no commit fails for want of it, and who hands in next makes it again. */
    @Test
    void anIntakeQueueIsMadeAgain() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            race(cloud, "early");
            assertThat(cloud.queues("in-")).hasSize(1);
            List<Penstock> open = race(cloud, "late");
            deleteQueues(cloud, List.of("in-"));
            cloud.sleep(Duration.ofMinutes(2));
            commit(cloud, open);
            commit(cloud, open);
            assertThat(cloud.queues("in-")).hasSize(1);
        });
    }

    private static List<Penstock> race(SimulatedStore cloud, String name) {
        List<Penstock> open = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            open.add(Penstock.open(cloud.settings(name + i).level(ConsistencyLevel.SNAPSHOT)));
        }
        words(open.getFirst()).put("first", "1");
        commit(cloud, open);
        return open;
    }

    /** On several machines at once. */
    private static void commit(SimulatedStore cloud, List<Penstock> open) {
        List<Task<Boolean>> users = new ArrayList<>();
        for (int user = 0; user < open.size() * 2; user++) {
            Penstock store = open.get(user % open.size());
            String key = "user" + user;
            users.add(cloud.machine("user" + user).start("user", () -> {
                for (int i = 0; i < 10; i++) {
                    words(store).put(key, "1");
                }
            }));
        }
        users.forEach(Task::join);
    }

    @Test
    void closingEndsPromptlyAndSignsOff() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Penstock store = cloud.open("a");
            for (int i = 0; i < 5; i++) {
                words(store).put("a" + i, "1");
            }
            cloud.sleep(Duration.ofSeconds(50));
            deleteQueues(cloud, List.of("pu-", "lk-", "at-"));
            long begun = cloud.seconds();
            store.close();
            assertThat(cloud.seconds() - begun).isLessThan(5);
            assertThat(cloud.keys("clients/")).isEmpty();
        });
    }

    /** Where this client may not make queues, it ends without them, long before its time is over. */
    @Test
    void closingWithoutTheRightToMakeThemEndsPromptly() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock operator = cloud.open("operator")) {
                operator.admin().provision(words(operator));
            }
            Penstock store = Penstock.open(cloud.settings("a")
                    .provisioning(Provisioning.EXISTING)
                    .advanced(advanced -> advanced.forwardInterval(Duration.ofMinutes(10)))
                    .closeWithin(Duration.ofMinutes(1)));
            words(store).put("a", "1");
            deleteQueues(cloud, List.of("pu-", "lk-"));
            assertThatThrownBy(store::flush).isInstanceOf(RefusedException.class);
            long begun = cloud.seconds();
            store.close();
            assertThat(cloud.seconds() - begun).isLessThan(10);
            assertThat(cloud.keys("clients/"))
                    .as("others have its transaction to finish")
                    .isNotEmpty();
            assertThat(cloud.depth("at-")).isEqualTo(1);
        });
    }

    /**
     * What was lost with a PU queue is not waited for: what clients send to the next one shows at once. It was held
     * back for an hour.
     */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC", "SNAPSHOT", "SERIALIZABLE"})
    void whatComesAfterALostQueueWaitsForNothing(ConsistencyLevel level) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Duration interval = Duration.ofMinutes(2);
            try (Penstock one = Penstock.open(cloud.settings("a").level(level).checkpointInterval(interval));
                    Penstock other =
                            Penstock.open(cloud.settings("b").level(level).checkpointInterval(interval))) {
                List<Penstock> stores = List.of(one, other);
                stores.forEach(store -> words(store).put("lost" + stores.indexOf(store), "1"));
                cloud.sleep(Duration.ofSeconds(3));
                deleteQueues(cloud, List.of("pu-"));
                for (int i = 0; i < 20; i++) {
                    for (Penstock store : stores) {
                        put(store, "meanwhile" + i);
                    }
                    cloud.sleep(Duration.ofSeconds(5));
                }
                cloud.sleep(Duration.ofMinutes(1));
                stores.forEach(store -> words(store).put("kept" + stores.indexOf(store), "1"));
                cloud.sleep(interval.plusMinutes(1));
                try (Penstock reader = cloud.open("reader")) {
                    assertThat(SimulatedStore.content(reader)).containsKeys("kept0", "kept1");
                }
                assertThat(one.admin().checkpoint().heldBack()).isZero();
            }
        });
    }

    /** The client's own checkpoint meets the loss, and the next send finds the queue that was made since. */
    @Test
    void whatACheckpointFindsLostIsNotWaitedForEither() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Settings settings = cloud.settings("a").level(ConsistencyLevel.MONOTONIC);
            try (Penstock store = Penstock.open(settings.checkpointInterval(Duration.ofSeconds(20)))) {
                words(store).put("lost", "1");
                deleteQueues(cloud, List.of("pu-"));
                cloud.sleep(Duration.ofSeconds(70));
                try (Penstock other = Penstock.open(cloud.settings("b").level(ConsistencyLevel.MONOTONIC))) {
                    words(other).put("made", "1");
                    words(store).put("kept", "1");
                    cloud.sleep(Duration.ofMinutes(2));
                    assertThat(SimulatedStore.content(other)).containsOnlyKeys("made", "kept");
                }
            }
        });
    }

    private static void put(Penstock store, String key) {
        try {
            words(store).put(key, "1");
        } catch (UnavailableException noQueue) {
            // The name is barred for a minute.
        }
    }

    /** Messages that somebody has purged are not waited for: closing took all of its time. */
    @Test
    void closingAfterAPurgeEndsPromptly() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Penstock store = cloud.open("a");
            words(store).put("a", "1");
            cloud.sleep(Duration.ofSeconds(3));
            for (MessageQueue queue : cloud.queues("at-")) {
                List<Delivery> found = queue.receive(10, Duration.ofSeconds(30), Duration.ofSeconds(1));
                assertThat(found).isNotEmpty();
                queue.delete(found.stream().map(Delivery::receipt).toList());
            }
            long begun = cloud.seconds();
            store.close();
            assertThat(cloud.seconds() - begun).isLessThan(10);
            assertThat(cloud.keys("clients/")).isEmpty();
        });
    }
}
