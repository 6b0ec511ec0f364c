package io.penstock;

import static io.penstock.SimulatedStore.words;
import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ClosedException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.RefusedException;
import io.penstock.core.UnavailableException;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
            Settings settings = cloud.settings("a")
                    .checkpointing(false)
                    .advanced(advanced -> advanced.forwardInterval(Duration.ofMinutes(10)));
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
                    assertThat(refused).is(code(ErrorCode.UNSUPPORTED_SERVER));
                    told.add(each);
                } finally {
                    cloud.cloud.setWorld(World.CALM);
                }
            });
        }
        assertThat(told).hasSizeGreaterThan(5);
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
