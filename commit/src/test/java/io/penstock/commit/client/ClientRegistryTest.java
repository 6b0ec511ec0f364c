package io.penstock.commit.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.CorruptDataException;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The client objects of the registry. */
class ClientRegistryTest {
    private static final ClientId CLIENT = new ClientId(7);
    private static final Bytes DAMAGED = Bytes.utf8("damaged");
    private static final String KEY = "store/clients/" + CLIENT.hex();

    private final MemoryObjectStore objects = new MemoryObjectStore();
    private final ClientRegistry registry = new ClientRegistry(
            objects,
            "store/clients/",
            new ServerClock(new InlineTasks(1), Duration.ofMinutes(5)),
            Duration.ofMinutes(5));

    private Bytes body() {
        return objects.get(KEY).map(StoredObject::body).orElseThrow();
    }

    /** S3's version of an object is a hash of its content: equal heartbeats would be one to an adopter's If-Match. */
    @Test
    void noTwoHeartbeatsHaveTheSameContent() {
        registry.beat(CLIENT);
        Bytes first = body();
        registry.beat(CLIENT);
        assertThat(body()).isNotEqualTo(first);
        assertThat(body().length()).isEqualTo(first.length()).isEqualTo(44);
        registry.retire(CLIENT);
        assertThat(body().length()).isEqualTo(20);
        assertThat(registry.isDead(CLIENT)).isTrue();
        registry.beat(CLIENT);
        assertThat(registry.isDead(CLIENT)).isFalse();
    }

    /** A single object with a foreign name kept all clients from recovering others. */
    @Test
    void objectsOfOthersAreLeftAlone() {
        registry.beat(CLIENT);
        objects.put("store/clients/notes.txt", Bytes.utf8("mine"), WriteCondition.ALWAYS);
        objects.put("store/clients/" + CLIENT.hex() + "0", Bytes.EMPTY, WriteCondition.ALWAYS);
        assertThat(registry.list()).extracting(ClientRegistry.Known::client).containsExactly(CLIENT);
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
        ClientRegistry clients = new ClientRegistry(damaged, "store/clients/", clock, Duration.ofMinutes(5));
        damaged.put(KEY, DAMAGED, WriteCondition.ALWAYS);
        damaged.put("store/clients/name.n", DAMAGED, WriteCondition.ALWAYS);
        damaged.put("store/clients/sweep", DAMAGED, WriteCondition.ALWAYS);
        assertThat(clients.named("n")).isEmpty();
        assertThat(clients.isDead(CLIENT)).isTrue();
        assertThat(clients.adopt(CLIENT)).isPresent();
        assertThat(damaged.get(KEY).orElseThrow().body()).isNotEqualTo(DAMAGED);
        SweepTurns turns = new SweepTurns(damaged, "store/clients/sweep", clock, new InlineTasks(1));
        assertThat(turns.take(Duration.ofMinutes(5))).isZero();
        assertThat(damaged.get("store/clients/sweep")).isPresent();
    }
}
