package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ClosedException;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.RefusedException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.ObjectStore;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process does that is about to be frozen, and how a health check asks. */
class FlushAndPingTest {
    private static final World AWAY = new World(1, 0, 0, Duration.ZERO, 0, 0, Duration.ZERO);

    /** A function is frozen right after it has flushed: others apply what it has committed without waiting for it. */
    @Test
    void whatWasFlushedIsAppliedByOthers() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            SimulatedClient machine = cloud.machine("a");
            Settings settings = cloud.settings("a").checkpointing(false).forwardInterval(Duration.ofMinutes(10));
            machine.start("function", () -> {
                Penstock store = Penstock.open(settings);
                for (int i = 0; i < 50; i++) {
                    words(store).put("a" + i, "1");
                }
                store.flush();
                machine.freeze(Duration.ofHours(1));
                machine.sleep(Duration.ofSeconds(1));
                store.close();
            });
            cloud.sleep(Duration.ofMinutes(1));
            assertThat(cloud.depth("at-")).isZero();
            assertThat(cloud.depth("pu-")).isPositive();
            try (Penstock other = cloud.open("other")) {
                other.admin().checkpoint();
                assertThat(SimulatedStore.content(other)).hasSize(50);
                cloud.sleep(Duration.ofHours(2));
            }
        });
    }

    @Test
    void flushingNothingAsksNobody() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                List<String> calls = new ArrayList<>();
                cloud.cloud.watch((step, client, call, on, outcome) -> calls.add(call));
                store.flush();
                assertThat(calls).isEmpty();
            }
            try (Penstock reader = Penstock.open(cloud.settings("r").readOnly(true))) {
                assertThatThrownBy(reader::flush).isInstanceOf(InvalidRequestException.class);
            }
        });
    }

    @Test
    void aPingAsksBothServersOnce() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            cloud.open("b").close();
            Penstock store = Penstock.open(cloud.settings("a").readOnly(true));
            store.ping();
            List<String> calls = new ArrayList<>();
            cloud.cloud.watch((step, client, call, on, outcome) -> calls.add(call + " " + step));
            store.ping();
            assertThat(calls).containsExactly("get BEGINS", "get DONE", "find queue BEGINS", "find queue DONE");
            cloud.cloud.setWorld(AWAY);
            long begun = cloud.seconds();
            assertThatThrownBy(store::ping).isInstanceOf(UnavailableException.class);
            assertThat(cloud.seconds() - begun).isLessThan(40);
            cloud.cloud.setWorld(World.CALM);
            store.ping();
            store.close();
            assertThatThrownBy(store::ping).isInstanceOf(ClosedException.class);
        });
    }

    /** As S3's reads did in 2008; one may show the newest by chance. */
    @Test
    void aStoreWhoseReadsLagIsToldAtTheFirstPing() {
        World lagging = new World(0, 0, 0, Duration.ofMinutes(1), 0, 0, Duration.ZERO);
        List<Long> told = new ArrayList<>();
        for (long seed = 1; seed <= 20; seed++) {
            long each = seed;
            new SimulatedStore(seed, World.CALM).run(cloud -> {
                try (Penstock store = cloud.open("a")) {
                    cloud.sleep(Duration.ofMinutes(2)); // so that the store itself is seen
                    cloud.cloud.setWorld(lagging);
                    store.ping();
                } catch (RefusedException refused) {
                    assertThat(refused).hasMessageContaining("reads show the last write");
                    told.add(each);
                } finally {
                    cloud.cloud.setWorld(World.CALM);
                }
            });
        }
        assertThat(told).hasSizeGreaterThan(5);
    }

    /** The refusal is told, though what was written for it cannot be removed: that is left to a garbage collection. */
    @Test
    void whatAPingHasLeftIsNoFailureAndIsRemovedLater() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            SimulatedClient machine = cloud.machine("a");
            ObjectStore lost = losingPings(cloud.cloud.objects(machine));
            try (Penstock store = Penstock.open(Settings.on(lost, cloud.cloud.queues(machine), machine))) {
                assertThatThrownBy(store::ping)
                        .isInstanceOf(RefusedException.class)
                        .hasMessageContaining("reads show the last write");
            }
            assertThat(cloud.keys("clients/")).anyMatch(key -> key.contains("ping."));
            try (Penstock other = cloud.open("b")) {
                other.admin().removeGarbage(Duration.ZERO);
                assertThat(cloud.keys("clients/")).as("a young one").anyMatch(key -> key.contains("ping."));
                cloud.sleep(Duration.ofHours(2));
                other.admin().removeGarbage(Duration.ZERO);
                assertThat(cloud.keys("clients/")).noneMatch(key -> key.contains("ping."));
            }
        });
    }

    /** An object store that does not show the objects of pings, nor removes them. */
    private static ObjectStore losingPings(ObjectStore inner) {
        InvocationHandler calls = (proxy, method, arguments) -> {
            boolean ping = arguments != null && String.valueOf(arguments[0]).contains("/ping.");
            if (ping && method.getName().equals("get")) {
                return Optional.empty();
            }
            if (ping && method.getName().equals("delete")) {
                throw new UnavailableException("away");
            }
            try {
                return method.invoke(inner, arguments);
            } catch (InvocationTargetException failure) {
                throw failure.getCause();
            }
        };
        return (ObjectStore)
                Proxy.newProxyInstance(ObjectStore.class.getClassLoader(), new Class<?>[] {ObjectStore.class}, calls);
    }

    @Test
    void aLocalStoreAnswersToo(@TempDir Path directory) {
        try (Penstock store = Penstock.open(Settings.local(directory))) {
            words(store).put("a", "1");
            store.flush();
            store.ping();
        }
    }
}
