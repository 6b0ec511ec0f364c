package io.penstock.commit.queue;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.commit.client.StoreIdentity;
import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.queue.MessageQueue;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class LockQueueTest {
    private static final PuQueueId ID = PuQueueId.partition(new TreeId(7), 0);
    private static final QueueNames NAMES = names("s");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration GRACE = Duration.ofSeconds(60);

    private final Simulation simulation = new Simulation(1);
    private final SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.INSTANT, World.CALM);

    private static QueueNames names(String prefix) {
        return new QueueNames(new StoreIdentity(prefix, "0123456789abcdef".repeat(2), true));
    }

    @Test
    void openingAQueueMakesItsLockAndToken() {
        run(machine -> {
            PuQueues queues = queues("a");
            queues.open(ID);
            assertThat(queues.list()).containsExactly(ID);
            assertThat(tokens(machine)).isEqualTo(1);
            queues.open(ID);
            queues("b").open(ID);
            queues("b").lock(ID);
            assertThat(tokens(machine)).isEqualTo(1);
        });
    }

    @Test
    void theLeaseIsExclusiveUntilReleased() {
        run(machine -> {
            LockQueue.Lease lease = take("a").orElseThrow();
            assertThat(lease.isOver()).isFalse();
            assertThat(take("b")).isEmpty();
            lease.release();
            assertThat(take("b")).isPresent();
        });
    }

    @Test
    void theLeaseExpires() {
        run(machine -> {
            LockQueue.Lease lease = take("a").orElseThrow();
            machine.sleep(LEASE.minusMillis(1));
            assertThat(lease.isOver()).isFalse();
            assertThat(take("b")).isEmpty();
            machine.sleep(Duration.ofMillis(2));
            assertThat(lease.isOver()).isTrue();
            LockQueue.Lease next = take("b").orElseThrow();
            // The late release of the first must not take the second's lease away.
            lease.release();
            assertThat(take("c")).isEmpty();
            next.release();
            assertThat(take("c")).isPresent();
            assertThat(tokens(machine)).isEqualTo(1);
        });
    }

    @Test
    void extraTokensAreRemoved() {
        run(machine -> {
            LockQueue lock = queues("a").lock(ID);
            lock.mint();
            lock.mint();
            assertThat(tokens(machine)).isEqualTo(3);
            lock.acquire(LEASE).orElseThrow().release();
            assertThat(tokens(machine)).isEqualTo(1);
        });
    }

    @Test
    void aTokenOlderThanHalfItsRetentionIsReplaced() {
        run(machine -> {
            LockQueue lock = queues("a").lock(ID);
            for (int day = 0; day < 60; day++) {
                machine.sleep(Duration.ofDays(1));
                Optional<LockQueue.Lease> lease = lock.acquire(LEASE);
                assertThat(lease).as("day " + day).isPresent();
                lease.get().release();
                assertThat(tokens(machine)).isEqualTo(1);
            }
        });
    }

    @Test
    void aLostTokenIsMintedAgainAfterItsGrace() {
        run(machine -> {
            LockQueue lock = queues("a").lock(ID);
            machine.sleep(Duration.ofDays(15));
            assertThat(tokens(machine)).isZero();
            assertThat(lock.acquire(LEASE)).isEmpty();
            assertThat(tokens(machine)).isZero();
            machine.sleep(GRACE);
            assertThat(lock.acquire(LEASE)).isEmpty();
            assertThat(tokens(machine)).isEqualTo(1);
            assertThat(lock.acquire(LEASE)).isPresent();
        });
    }

    @Test
    void aTokenThatOthersHoldIsNotMintedAgain() {
        run(machine -> {
            LockQueue lock = queues("a").lock(ID);
            for (int i = 0; i < 10; i++) {
                assertThat(take("b")).isPresent();
                assertThat(lock.acquire(LEASE)).isEmpty();
                machine.sleep(LEASE);
            }
            assertThat(tokens(machine)).isEqualTo(1);
        });
    }

    @Test
    void namesComeBackAndAreShortEnough() {
        QueueNames longest = names("x".repeat(30));
        List<PuQueueId> ids = List.of(
                ID,
                PuQueueId.partition(new TreeId(-1), 1023),
                PuQueueId.ofTree(new TreeId(1)),
                PuQueueId.ofLeaf(new PageId(new TreeId(1), -1)));
        for (PuQueueId id : ids) {
            assertThat(PuQueueId.parse(id.name())).isEqualTo(id);
            assertThat(longest.puQueue(longest.pu(id))).hasValue(id);
            assertThat(longest.pu(id)).hasSizeLessThanOrEqualTo(80);
            assertThat(longest.lock(id)).hasSizeLessThanOrEqualTo(80);
            assertThat(id.homePage().tree()).isEqualTo(id.tree());
            assertThat(id.homePage().number()).isNotIn(PageId.ROOT, PageId.NONE);
        }
        assertThat(ids.stream().map(PuQueueId::homePage).distinct()).hasSize(4);
        assertThatThrownBy(() -> PuQueueId.parse("nonsense"))
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.INVALID_ARGUMENT));
    }

    @Test
    void quarantineKeepsBytesAndReason() {
        run(machine -> {
            DeadLetterStore quarantine = new DeadLetterStore(cloud.objects(machine), "s/quarantine/");
            quarantine.keepMessage("q", "id", Bytes.utf8("bytes"), "why");
            quarantine.keepMessage("q", "id", Bytes.utf8("bytes"), "why");
            assertThat(cloud.objects(machine)
                            .get("s/quarantine/q/id")
                            .orElseThrow()
                            .body())
                    .isEqualTo(Bytes.utf8("bytes"));
            assertThat(cloud.objects(machine)
                            .get("s/quarantine/q/id.reason")
                            .orElseThrow()
                            .body()
                            .toUtf8())
                    .isEqualTo("why\n");
            assertThat(quarantine.count()).isEqualTo(2);
        });
    }

    private void run(Consumer<SimulatedClient> body) {
        simulation.run(() -> {
            body.accept(simulation.client("main"));
            return true;
        });
    }

    private PuQueues queues(String machine) {
        SimulatedClient client = simulation.client(machine);
        return new PuQueues(
                cloud.queues(client),
                NAMES,
                client,
                GRACE,
                new QueueInspection(cloud.queues(client).limits(), client));
    }

    private Optional<LockQueue.Lease> take(String machine) {
        return queues(machine).lock(ID).acquire(LEASE);
    }

    private long tokens(SimulatedClient machine) {
        return cloud.queues(machine)
                .find(NAMES.lock(ID))
                .map(MessageQueue::depth)
                .orElseThrow()
                .total();
    }
}
