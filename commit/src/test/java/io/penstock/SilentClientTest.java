package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * A client is silent in the middle of an ATOMIC commit for longer than {@code deadAfter}. Others that took it for dead
 * look into its queue again only after a day. So it says committed only when a heartbeat tells that they did not.
 */
class SilentClientTest {
    private static final Duration DEAD_AFTER = Duration.ofMinutes(2);
    private static final Duration SILENCE = DEAD_AFTER.multipliedBy(4);

    /** What was said of a commit during which the client was silent, and whether others see it soon after a crash. */
    private record Outcome(List<StoreException> failures, boolean seen) {}

    /** @param before the silence before the message is sent; and after it */
    private static Outcome commit(boolean watched, Consumer<SimulatedClient> before, Consumer<SimulatedClient> after) {
        List<StoreException> failures = new ArrayList<>();
        boolean[] seen = {false};
        new SimulatedStore(1, World.CALM).run(cloud -> {
            SimulatedClient machine = cloud.machine("silent");
            FaultyQueues queues = new FaultyQueues(cloud.cloud.queues(machine), "-at-");
            Settings settings = Settings.on(cloud.cloud.objects(machine), queues, machine)
                    .level(ConsistencyLevel.ATOMIC)
                    .advanced(advanced -> advanced.sweeping(false))
                    .deadAfter(DEAD_AFTER);
            machine.start("work", () -> {
                Penstock store = Penstock.open(settings);
                words(store).put("first", "1");
                queues.set((queue, bodies) -> {
                    queues.heal();
                    before.accept(machine);
                    var sent = queue.send(bodies);
                    after.accept(machine);
                    return sent;
                });
                try {
                    words(store).put("second", "2");
                } catch (StoreException failure) {
                    failures.add(failure);
                }
                machine.crash();
            });
            try (Penstock other = Penstock.open(cloud.settings("other").deadAfter(DEAD_AFTER))) {
                if (watched) {
                    cloud.sleep(SILENCE.dividedBy(2));
                    other.admin().recover();
                }
                cloud.sleep(SILENCE.plusMinutes(5));
                SimulatedStore.settle(other, cloud.machine("other"));
                seen[0] = SimulatedStore.content(other).containsKey("second");
            }
        });
        return new Outcome(failures, seen[0]);
    }

    private static void sleeps(SimulatedClient machine) {
        machine.freeze(SILENCE);
        machine.sleep(Duration.ofMillis(1));
    }

    private static void stays(SimulatedClient machine) {}

    @Test
    void whoWasTakenForDeadBeforeItSentDoesNotSayCommitted() {
        Outcome outcome = commit(true, SilentClientTest::sleeps, SilentClientTest::stays);
        assertThat(outcome.failures).singleElement().isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void whoWasTakenForDeadAfterItSentDoesNotSayCommittedThoughItIs() {
        Outcome outcome = commit(true, SilentClientTest::stays, SilentClientTest::sleeps);
        assertThat(outcome.failures).singleElement().isInstanceOf(OutcomeUnknownException.class);
        assertThat(outcome.seen).isTrue();
    }

    @Test
    void whoWasMissedByNobodySaysCommitted() {
        Outcome outcome = commit(false, SilentClientTest::sleeps, SilentClientTest::stays);
        assertThat(outcome.failures).isEmpty();
        assertThat(outcome.seen).isTrue();
    }

    @Test
    void whoCannotFindOutDoesNotSayCommitted() {
        Outcome outcome = commit(false, SilentClientTest::stays, machine -> {
            machine.cutOff(Duration.ofHours(1));
            sleeps(machine);
        });
        assertThat(outcome.failures).singleElement().isInstanceOf(OutcomeUnknownException.class);
    }
}
