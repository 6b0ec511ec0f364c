package io.penstock.commit.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.commit.client.ClientRegistry.Beat;
import io.penstock.commit.client.ClientRegistry.Known;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.CorruptDataException;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The client objects of the registry. */
class ClientRegistryTest {
    private static final Bytes DAMAGED = Bytes.utf8("damaged");
    private static final Duration DAY = Duration.ofDays(1);

    private final MemoryObjectStore objects = new MemoryObjectStore();
    private final ClientRegistry registry = new ClientRegistry(
            objects, "store", new ServerClock(new InlineTasks(1), Duration.ofMinutes(5)), Duration.ofMinutes(5));
    private final Identity identity = Identity.draw(new Random(7));
    private final ClientId client = identity.client();
    private final String key = "store/clients/" + client.hex();

    private Bytes body() {
        return objects.get(key).map(StoredObject::body).orElseThrow();
    }

    private Known known() {
        return registry.find(client).orElseThrow();
    }

    /** A listing shows no contents: the length tells the states apart, whatever else is said. */
    @Test
    void theLengthTellsTheState() {
        assertThat(registry.beat(identity, 1, false)).isEqualTo(Beat.OURS);
        assertThat(known().queue()).isFalse();
        Bytes first = body();
        identity.newSender();
        identity.newSender();
        assertThat(registry.beat(identity, 2, false)).isEqualTo(Beat.OURS);
        assertThat(body()).isNotEqualTo(first);
        assertThat(body().length()).isEqualTo(first.length());
        assertThat(registry.beat(identity, 3, true)).isEqualTo(Beat.OURS);
        assertThat(known().queue()).isTrue();
        assertThat(known().retired()).isFalse();
        assertThat(registry.retire(identity)).isTrue();
        assertThat(known().retired()).isTrue();
        assertThat(body().length()).isEqualTo(20);
        assertThat(registry.isDead(client)).isTrue();
    }

    /** A machine stood still over the answer: meanwhile the client may have given many heartbeats. */
    @Test
    void aLateAnswerTellsOfTheTimeWhenItWasAskedFor() {
        InlineTasks tasks = new InlineTasks(1);
        Duration deadAfter = Duration.ofMinutes(5);
        ClientRegistry slow =
                new ClientRegistry(objects, "store", new ServerClock(tasks, Duration.ofHours(1)), deadAfter);
        slow.beat(identity, 1, false);
        objects.setHook(new MemoryObjectStore.Hook() {
            @Override
            public void after(MemoryObjectStore.Call call, String on) {
                tasks.advance(deadAfter.multipliedBy(2));
            }
        });
        assertThat(slow.isDead(client)).isFalse();
        objects.clearHook();
        slow.beat(identity, 2, false);
        Known seen = slow.find(client).orElseThrow();
        tasks.advance(deadAfter.multipliedBy(2));
        assertThat(slow.isDead(seen)).isFalse();
        assertThat(slow.isDead(slow.find(client).orElseThrow())).isTrue();
        assertThat(slow.isDead(client)).isTrue();
    }

    /** It used to come back to life, and went on with a queue that others were about to delete. */
    @Test
    void whoWasTakenForDeadFindsOut() {
        registry.beat(identity, 1, true);
        assertThat(registry.adopt(known())).isTrue();
        assertThat(registry.beat(identity, 2, true)).isEqualTo(Beat.TAKEN_OVER);
        assertThat(registry.retire(identity)).isFalse();
        registry.settle(client);
        assertThat(registry.list()).isEmpty();
        assertThat(registry.settledPage("").clients()).extracting(Known::client).containsExactly(client);
        assertThat(registry.beat(identity, 3, true)).isEqualTo(Beat.TAKEN_OVER);
        registry.forget(client);
        assertThat(registry.settledPage("").clients()).isEmpty();
    }

    @Test
    void aTwinIsFound() {
        Identity twin = Identity.draw(new Random(7));
        assertThat(twin.client()).isEqualTo(client);
        registry.beat(identity, 1, false);
        assertThat(registry.beat(twin, 2, false)).isEqualTo(Beat.TWIN);
        assertThat(registry.retire(twin)).isFalse();
        assertThat(registry.beat(identity, 3, false)).isEqualTo(Beat.OURS);
    }

    @Test
    void anAdopterIsTooLateForWhoGivesAHeartbeat() {
        registry.beat(identity, 1, false);
        Known before = known();
        registry.beat(identity, 2, false);
        assertThat(registry.adopt(before)).isFalse();
    }

    /** Ids that are not used any more must not keep others waiting for numbers that are missing. */
    @Test
    void aSenderThatHasEndedIsDead() {
        ClientId first = identity.newSender().orElseThrow();
        ClientId second = identity.newSender().orElseThrow();
        registry.beat(identity, 1, false);
        assertThat(registry.isDead(first)).isFalse();
        identity.endSender(first);
        registry.beat(identity, 2, false);
        assertThat(registry.isDead(first)).isTrue();
        assertThat(registry.isDead(second)).isFalse();
        ClientId third = identity.newSender().orElseThrow();
        assertThat(registry.isDead(third)).as("younger than the heartbeat").isFalse();
    }

    /** A single object with a foreign name kept all clients from recovering others. */
    @Test
    void objectsOfOthersAreLeftAlone() {
        registry.beat(identity, 1, false);
        objects.put("store/clients/notes.txt", Bytes.utf8("mine"), WriteCondition.ALWAYS);
        objects.put(key + "0", Bytes.EMPTY, WriteCondition.ALWAYS);
        assertThat(registry.list()).extracting(Known::client).containsExactly(client);
    }

    /** A store that sums its objects itself refuses to return damaged ones. */
    private final MemoryObjectStore damaged = new MemoryObjectStore() {
        @Override
        public Optional<StoredObject> get(String key) {
            if (super.get(key).filter(found -> found.body().equals(DAMAGED)).isPresent()) {
                throw new CorruptDataException("damaged", "key", key);
            }
            return super.get(key);
        }
    };

    @Test
    void damagedObjectsOfClientsAreReplaced() {
        ServerClock clock = new ServerClock(new InlineTasks(1), Duration.ofMinutes(5));
        ClientRegistry clients = new ClientRegistry(damaged, "store", clock, Duration.ofMinutes(5));
        damaged.put(key, DAMAGED, WriteCondition.ALWAYS);
        damaged.put("store/clients/name.n", DAMAGED, WriteCondition.ALWAYS);
        damaged.put("store/clients/sweep", DAMAGED, WriteCondition.ALWAYS);
        assertThat(clients.named("n")).isEmpty();
        assertThat(clients.isDead(client)).isTrue();
        assertThat(clients.adopt(clients.list().getFirst())).isTrue();
        assertThat(damaged.get(key).orElseThrow().body()).isNotEqualTo(DAMAGED);
        SweepElection turns = new SweepElection(damaged, "store/clients/sweep", clock, new InlineTasks(1));
        assertThat(turns.take(Duration.ofMinutes(5), DAY).pause()).isZero();
        assertThat(damaged.get("store/clients/sweep")).isPresent();
    }

    /** The id of one page is where the next begins; objects with other names come after all ids. */
    @Test
    void aRegistryIsReadPageByPage() {
        objects.put("store/clients/sweep", DAMAGED, WriteCondition.ALWAYS);
        for (int i = 0; i < 1500; i++) {
            objects.put("store/clients/name." + i, DAMAGED, WriteCondition.ALWAYS);
            objects.put("store/clients/" + new ClientId(i).hex(), DAMAGED, WriteCondition.ALWAYS);
        }
        ClientRegistry.Page first = registry.page("");
        assertThat(first.clients()).hasSize(1000);
        ClientRegistry.Page second = registry.page(first.next().orElseThrow());
        assertThat(second.clients()).hasSize(500).doesNotContainAnyElementsOf(first.clients());
        assertThat(second.next()).isEmpty();
        assertThat(registry.list()).hasSize(1500);
    }

    /** A look at thousands of settled clients that ended in the middle was counted as done. */
    @Test
    void aLookIsContinuedWhereItEnded() {
        InlineTasks tasks = new InlineTasks(1);
        ServerClock clock = new ServerClock(tasks, Duration.ofMinutes(5));
        Duration every = Duration.ofMinutes(7);
        String come = new ClientId(7).hex();
        SweepElection turns = new SweepElection(objects, "store/clients/sweep", clock, tasks);
        assertThat(turns.take(every, Duration.ZERO).look()).contains(new SweepElection.Look(0, ""));
        turns.lookedUntil(come, every);
        assertThat(turns.take(every, Duration.ZERO).pause()).isPositive();
        tasks.advance(every);
        assertThat(turns.take(every, Duration.ZERO).look()).contains(new SweepElection.Look(0, come));
        turns.looked(every);
        assertThat(turns.take(every, Duration.ZERO).pause()).isPositive();
        tasks.advance(every);
        assertThat(turns.take(every, DAY).look()).isEmpty();
        turns.next(every);
        assertThat(turns.take(every, Duration.ZERO).pause()).isPositive();
        tasks.advance(every);
        assertThat(turns.take(every, Duration.ZERO).look()).contains(new SweepElection.Look(1, ""));
    }
}
