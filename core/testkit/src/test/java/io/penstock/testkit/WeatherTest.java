package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.task.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Each fault of a {@link World} does what it says, about as often as it says. */
class WeatherTest {
    private static final long SEED = 42;
    private static final Duration HIDDEN = Duration.ofSeconds(30);
    private static final Duration LONG_POLL = Duration.ofSeconds(2);

    private final Simulation simulation = new Simulation(SEED);
    private final SimulatedClient client = simulation.client("main");

    private SimulatedCloud cloud(World world) {
        return new SimulatedCloud(simulation, Profile.INSTANT, world);
    }

    private void run(Runnable body) {
        simulation.run(() -> {
            body.run();
            return true;
        });
    }

    private static List<Bytes> bodies(int count) {
        return Collections.nCopies(count, Bytes.utf8("m"));
    }

    private static String text(ObjectStore store) {
        return store.get("a").map(object -> object.body().toUtf8()).orElse("none");
    }

    @Test
    void eventualReadsAreStaleForAWhileAndConditionsAreNot() {
        ObjectStore store =
                cloud(WorldsForTests.eventual(Duration.ofSeconds(10))).objects(client);
        run(() -> {
            ObjectVersion first =
                    store.put("a", Bytes.utf8("one"), WriteCondition.ALWAYS).version();
            client.sleep(Duration.ofSeconds(10));
            ObjectVersion second = store.put("a", Bytes.utf8("two"), WriteCondition.ifVersion(first))
                    .version();
            assertThat(seen(store)).containsExactlyInAnyOrder("one", "two");
            // However stale the read was: the newest version decides.
            assertThatThrownBy(() -> store.put("a", Bytes.utf8("lost"), WriteCondition.ifVersion(first)))
                    .isInstanceOf(ConflictException.class);
            assertThatThrownBy(() -> store.put("a", Bytes.utf8("lost"), WriteCondition.IF_ABSENT))
                    .isInstanceOf(ConflictException.class);
            store.put("a", Bytes.utf8("three"), WriteCondition.ifVersion(second));
            client.sleep(Duration.ofSeconds(10));
            assertThat(seen(store)).containsExactly("three");
        });
    }

    @Test
    void eventualReadsMissNewObjectsAndSeeDeletedOnes() {
        ObjectStore store =
                cloud(WorldsForTests.eventual(Duration.ofSeconds(10))).objects(client);
        run(() -> {
            store.put("a", Bytes.utf8("one"), WriteCondition.IF_ABSENT);
            assertThat(seen(store)).containsExactlyInAnyOrder("none", "one");
            Set<Integer> listed = new HashSet<>();
            for (int i = 0; i < 50; i++) {
                listed.add(store.list("", "", 10).entries().size());
            }
            assertThat(listed).containsExactlyInAnyOrder(0, 1);
            client.sleep(Duration.ofSeconds(10));
            store.delete("a");
            assertThat(seen(store)).containsExactlyInAnyOrder("none", "one");
            store.put("a", Bytes.utf8("two"), WriteCondition.IF_ABSENT);
            client.sleep(Duration.ofSeconds(10));
            assertThat(seen(store)).containsExactly("two");
            store.delete("a");
            client.sleep(Duration.ofSeconds(10));
            assertThat(seen(store)).containsExactly("none");
        });
    }

    private static Set<String> seen(ObjectStore store) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            seen.add(text(store));
        }
        return seen;
    }

    @Test
    void theSlowestWriteOfAllIsNotHiddenByAnEarlierOne() {
        SimulatedCloud cloud = cloud(WorldsForTests.eventual(Duration.ofSeconds(10)));
        ObjectStore store = cloud.objects(client);
        run(() -> {
            for (int i = 0; i < 50; i++) {
                store.put("a", Bytes.utf8("v" + i), WriteCondition.ALWAYS);
                client.sleep(Duration.ofMillis(100));
            }
            client.sleep(Duration.ofSeconds(10));
            assertThat(seen(store)).containsExactly("v49");
        });
    }

    @Test
    void halfOfTheLostPutsTookEffect() {
        SimulatedCloud cloud = cloud(WorldsForTests.losing(1));
        ObjectStore store = cloud.objects(client);
        int tries = 2_000;
        run(() -> {
            long start = client.nanoTime();
            for (int i = 0; i < tries; i++) {
                String key = "k" + i;
                assertThatThrownBy(() -> store.put(key, Bytes.EMPTY, WriteCondition.IF_ABSENT))
                        .isInstanceOf(OutcomeUnknownException.class);
            }
            // A client waits for its answer before it gives up.
            assertThat(client.nanoTime() - start)
                    .isEqualTo(Duration.ofSeconds(3).multipliedBy(tries).toNanos());
            cloud.setWorld(World.CALM);
            long done = IntStream.range(0, tries)
                    .filter(i -> store.get("k" + i).isPresent())
                    .count();
            assertThat(done).isBetween(tries * 45L / 100, tries * 55L / 100);
        });
    }

    @Test
    void halfOfTheLostSendsDeletesAndReceivesTookEffect() {
        SimulatedCloud cloud = cloud(World.CALM);
        int tries = 1_000;
        run(() -> {
            MessageQueue queue = cloud.queues(client).create("q", QueueAttributes.STANDARD);
            cloud.setWorld(WorldsForTests.losing(1));
            for (int i = 0; i < tries; i++) {
                assertUnknown(() -> queue.send(bodies(1)));
            }
            cloud.setWorld(World.CALM);
            long sent = queue.depth().total();
            assertThat(sent).isBetween(tries * 45L / 100, tries * 55L / 100);

            cloud.setWorld(WorldsForTests.losing(1));
            for (int i = 0; i < 100; i++) {
                assertUnknown(() -> queue.receive(1, Duration.ofHours(12), Duration.ZERO));
            }
            cloud.setWorld(World.CALM);
            // No client has these messages, and none sees them until their time is over.
            assertThat(queue.depth().inFlight()).isBetween(35L, 65L);
            client.sleep(Duration.ofHours(12));
            assertThat(queue.depth().visible()).isEqualTo(sent);

            List<Delivery> taken = drain(queue);
            cloud.setWorld(WorldsForTests.losing(1));
            for (Delivery delivery : taken) {
                assertUnknown(() -> queue.delete(List.of(delivery.receipt())));
            }
            cloud.setWorld(World.CALM);
            assertThat(queue.depth().total()).isBetween(sent * 40 / 100, sent * 60 / 100);
        });
    }

    private static List<Delivery> drain(MessageQueue queue) {
        List<Delivery> all = new ArrayList<>();
        while (true) {
            List<Delivery> found = queue.receive(10, Duration.ofHours(12), LONG_POLL);
            if (found.isEmpty()) {
                return all;
            }
            all.addAll(found);
        }
    }

    private static void assertUnknown(Runnable call) {
        assertThatThrownBy(call::run).isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void anUnavailableServerDoesNothing() {
        SimulatedCloud cloud = cloud(World.CALM);
        ObjectStore store = cloud.objects(client);
        run(() -> {
            MessageQueue queue = cloud.queues(client).create("q", QueueAttributes.STANDARD);
            cloud.setWorld(new World(1, 0, 0, Duration.ZERO, 0, 0, Duration.ZERO));
            for (Runnable call : List.<Runnable>of(
                    () -> store.put("a", Bytes.EMPTY, WriteCondition.ALWAYS),
                    () -> store.get("a"),
                    () -> store.list("", "", 1),
                    () -> queue.send(bodies(1)),
                    queue::depth)) {
                assertThatThrownBy(call::run).isInstanceOf(UnavailableException.class);
            }
            cloud.setWorld(World.CALM);
            assertThat(store.get("a")).isEmpty();
            assertThat(queue.depth().total()).isZero();
        });
    }

    @Test
    void concurrentConditionalPutsMayAllBeRefused() {
        World throttling = new World(0.01, 0, 0, Duration.ZERO, 0, 0, Duration.ZERO);
        ObjectStore store = cloud(throttling).objects(client);
        run(() -> {
            int nobody = 0;
            for (int i = 0; i < 200; i++) {
                String key = "k" + i;
                List<Task<Boolean>> racers = IntStream.range(0, 2)
                        .mapToObj(racer -> client.fork("racer", () -> creates(store, key)))
                        .toList();
                long winners = racers.stream().filter(Task::join).count();
                assertThat(winners).isLessThanOrEqualTo(1);
                nobody += winners == 0 ? 1 : 0;
            }
            assertThat(nobody).isBetween(1, 60);
        });
    }

    private static boolean creates(ObjectStore store, String key) {
        try {
            store.put(key, Bytes.EMPTY, WriteCondition.IF_ABSENT);
            return true;
        } catch (StoreException refused) {
            return false;
        }
    }

    @Test
    void manyDeletionsMayBeDoneInPart() {
        World throttling = new World(0.5, 0, 0, Duration.ZERO, 0, 0, Duration.ZERO);
        SimulatedCloud cloud = cloud(World.CALM);
        ObjectStore store = cloud.objects(client);
        List<String> keys = IntStream.range(0, 100).mapToObj(i -> "k" + i).toList();
        run(() -> {
            Set<Integer> left = new HashSet<>();
            for (int round = 0; round < 50; round++) {
                keys.forEach(key -> store.put(key, Bytes.EMPTY, WriteCondition.ALWAYS));
                cloud.setWorld(throttling);
                try {
                    store.deleteAll(keys);
                    left.add(0);
                } catch (OutcomeUnknownException partly) {
                    cloud.setWorld(World.CALM);
                    left.add(store.list("k", "", 100).entries().size());
                } catch (UnavailableException notAtAll) {
                    left.add(keys.size());
                }
                cloud.setWorld(World.CALM);
            }
            assertThat(left).contains(0, 100).hasSizeGreaterThan(5);
        });
    }

    @Test
    void messagesAreForgottenAtTheEndOfTheirRetentionToTheSecond() {
        SimulatedCloud cloud = cloud(World.CALM);
        run(() -> {
            MessageQueue queue = cloud.queues(client).create("q", QueueAttributes.STANDARD);
            queue.send(bodies(1));
            client.sleep(Duration.ofDays(14).minusSeconds(1));
            // Receiving it gives it no new life.
            assertThat(queue.receive(1, Duration.ZERO, Duration.ZERO)).hasSize(1);
            assertThat(queue.depth().total()).isEqualTo(1);
            client.sleep(Duration.ofSeconds(1));
            assertThat(queue.receive(1, Duration.ZERO, LONG_POLL)).isEmpty();
            assertThat(queue.depth().total()).isZero();
        });
    }

    @Test
    void someMessagesComeTwiceAndSomeSurviveTheirDeletion() {
        SimulatedCloud cloud = cloud(WorldsForTests.whims(0.1, 0, Duration.ZERO));
        int sent = 2_000;
        run(() -> {
            MessageQueue queue = cloud.queues(client).create("q", QueueAttributes.STANDARD);
            for (int i = 0; i < sent / 10; i++) {
                queue.send(bodies(10));
            }
            List<Delivery> all = drain(queue);
            assertThat(all.stream().map(Delivery::messageId).distinct()).hasSize(sent);
            assertThat(all.size() - sent).isBetween(sent * 8 / 100, sent * 14 / 100);

            List<Delivery> newest = newest(all);
            for (int i = 0; i < newest.size(); i++) {
                queue.delete(List.of(newest.get(i).receipt()));
            }
            assertThat(queue.depth().total()).isBetween((long) sent * 8 / 100, (long) sent * 12 / 100);
        });
    }

    private static List<Delivery> newest(List<Delivery> all) {
        Set<String> seen = new HashSet<>();
        return all.reversed().stream()
                .filter(delivery -> seen.add(delivery.messageId()))
                .toList();
    }

    @Test
    void shortPollsMissMessagesAndLongPollsDoNot() {
        SimulatedCloud cloud = cloud(WorldsForTests.whims(0, 0.3, Duration.ZERO));
        run(() -> {
            MessageQueue queue = cloud.queues(client).create("q", QueueAttributes.STANDARD);
            queue.send(bodies(1));
            int found = 0;
            for (int i = 0; i < 1_000; i++) {
                found += queue.receive(1, Duration.ZERO, Duration.ZERO).size();
            }
            assertThat(found).isBetween(650, 750);
            for (int i = 0; i < 100; i++) {
                assertThat(queue.receive(1, Duration.ZERO, LONG_POLL)).hasSize(1);
            }
        });
    }

    @Test
    void aListingMayMissAQueueInItsFirstMinute() {
        SimulatedCloud cloud = cloud(WorldsForTests.whims(0, 0.5, Duration.ZERO));
        run(() -> {
            cloud.queues(client).create("q", QueueAttributes.STANDARD);
            Set<Integer> sizes = new HashSet<>();
            for (int i = 0; i < 50; i++) {
                sizes.add(cloud.queues(client).list("").size());
            }
            assertThat(sizes).containsExactlyInAnyOrder(0, 1);
            client.sleep(Duration.ofMinutes(1));
            for (int i = 0; i < 50; i++) {
                assertThat(cloud.queues(client).list("")).containsExactly("q");
            }
        });
    }

    @Test
    void aSentMessageShowsWithinTheDelay() {
        SimulatedCloud cloud = cloud(WorldsForTests.whims(0, 0, Duration.ofSeconds(10)));
        run(() -> {
            MessageQueue queue = cloud.queues(client).create("q", QueueAttributes.STANDARD);
            long worstNanos = 0;
            for (int i = 0; i < 200; i++) {
                queue.send(bodies(1));
                long start = client.nanoTime();
                Delivery delivery =
                        queue.receive(1, HIDDEN, Duration.ofSeconds(20)).getFirst();
                worstNanos = Math.max(worstNanos, client.nanoTime() - start);
                queue.delete(List.of(delivery.receipt()));
            }
            assertThat(Duration.ofNanos(worstNanos)).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(10));
        });
    }

    @Test
    void messagesComeInNoOrderEvenInCalmWeather() {
        SimulatedCloud cloud = cloud(World.CALM);
        run(() -> {
            MessageQueue queue = cloud.queues(client).create("q", QueueAttributes.STANDARD);
            List<String> sent = IntStream.range(0, 10).mapToObj(i -> "m" + i).toList();
            queue.send(sent.stream().map(Bytes::utf8).toList());
            assertThat(queue.receive(10, HIDDEN, Duration.ZERO))
                    .extracting(delivery -> delivery.body().toUtf8())
                    .containsExactlyInAnyOrderElementsOf(sent)
                    .isNotEqualTo(sent);
        });
    }

    @Test
    void aDeletedQueuesNameIsBarredForAMinute() {
        SimulatedCloud cloud = cloud(World.CALM);
        run(() -> {
            cloud.queues(client).create("q", QueueAttributes.STANDARD);
            cloud.queues(client).delete("q");
            long start = client.nanoTime();
            MessageQueue again = cloud.queues(client).create("q", QueueAttributes.STANDARD);
            assertThat(Duration.ofNanos(client.nanoTime() - start)).isEqualTo(Duration.ofMinutes(1));
            assertThat(again.depth().total()).isZero();
        });
    }

    @Test
    void aSlowCallIsTwentyTimesSlower() {
        World slow = new World(0, 0, 1, Duration.ZERO, 0, 0, Duration.ZERO);
        Profile steady = Profile.AWS_2026;
        ObjectStore store = new SimulatedCloud(simulation, steady, slow).objects(client);
        run(() -> {
            long start = client.nanoTime();
            for (int i = 0; i < 100; i++) {
                store.get("none");
            }
            assertThat((client.nanoTime() - start) / 100e6).isBetween(29.0 * 18, 29.0 * 26);
        });
    }

    @Test
    void serversKeepTrueTimeWhateverTheClientsClockSays() {
        ObjectStore store = cloud(World.CALM).objects(client);
        run(() -> {
            client.skewClock(Duration.ofHours(-3));
            client.sleep(Duration.ofSeconds(5));
            long truth = Simulation.EPOCH_MILLIS + 5_000;
            assertThat(store.put("a", Bytes.EMPTY, WriteCondition.ALWAYS).serverMillis())
                    .isEqualTo(truth);
            assertThat(store.get("a").map(StoredObject::modifiedMillis)).contains(truth);
            assertThat(client.nowMillis()).isEqualTo(truth - Duration.ofHours(3).toMillis());
        });
    }

    @Test
    void aCrashEndsACallBeforeOrAfterItsEffectAndTheServersLiveOn() {
        int done = 0;
        for (long seed = 0; seed < 100; seed++) {
            done += crashedPutTookEffect(seed) ? 1 : 0;
        }
        assertThat(done).isBetween(20, 80);
    }

    private static boolean crashedPutTookEffect(long seed) {
        Simulation crashing = new Simulation(seed);
        SimulatedCloud cloud = new SimulatedCloud(crashing, Profile.PAPER_2008, World.CALM);
        return crashing.run(() -> {
            SimulatedClient victim = crashing.client("victim");
            ObjectStore theirs = cloud.objects(victim);
            Task<Boolean> put = victim.start("put", () -> theirs.put("a", Bytes.EMPTY, WriteCondition.ALWAYS));
            SimulatedClient main = crashing.client("main");
            // Half of the median: a put takes effect at any time of its course.
            main.sleep(Duration.ofMillis(300));
            victim.crash();
            assertThatThrownBy(put::join).as("seed=%d", seed).isInstanceOf(CrashedException.class);
            assertThat(cloud.puts).as("seed=%d", seed).isEmpty();
            return cloud.objects(main).get("a").isPresent();
        });
    }
}
