package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.task.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Machines that crash, freeze or are cut off at one of their calls. */
class MachineFaultsTest {
    private final Simulation simulation = new Simulation(1);
    private final SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
    private final SimulatedClient machine = simulation.client("a");
    private final ObjectStore objects = cloud.objects(machine);

    private void run(Runnable body) {
        simulation.run(() -> {
            body.run();
            return true;
        });
    }

    private void put(String key) {
        objects.put(key, Bytes.utf8("x"), WriteCondition.ALWAYS);
    }

    @Test
    void aWatcherSeesEachCallBeforeAndAfter() {
        List<String> seen = new ArrayList<>();
        cloud.watch((step, client, call, on, outcome) -> seen.add(step + " " + client.name() + " " + call + " " + on));
        run(() -> {
            put("k");
            objects.get("k");
        });
        assertThat(seen).containsExactly("BEGINS a put k", "DONE a put k", "BEGINS a get k", "DONE a get k");
    }

    @Test
    void aMachineMayCrashBeforeOrAfterTheEffectOfACall() {
        for (CallWatcher.Step at : List.of(CallWatcher.Step.BEGINS, CallWatcher.Step.DONE)) {
            Simulation fresh = new Simulation(1);
            SimulatedCloud ours = new SimulatedCloud(fresh, Profile.AWS_2026, World.CALM);
            fresh.run(() -> {
                SimulatedClient doomed = fresh.client("doomed");
                ours.watch((step, client, call, on, outcome) -> {
                    if (step == at) {
                        client.crash();
                    }
                });
                ObjectStore store = ours.objects(doomed);
                Task<Boolean> task = doomed.start("put", () -> store.put("k", Bytes.utf8("x"), WriteCondition.ALWAYS));
                assertThatThrownBy(task::join).isInstanceOf(CrashedException.class);
                assertThat(ours.newest("k").isPresent()).isEqualTo(at == CallWatcher.Step.DONE);
                return true;
            });
        }
    }

    @Test
    void nothingOfAFrozenMachineRuns() {
        run(() -> {
            SimulatedClient main = simulation.client("main");
            Task<Long> ticking = machine.fork("ticking", () -> {
                machine.sleep(Duration.ofSeconds(1));
                return machine.nanoTime();
            });
            main.sleep(Duration.ofMillis(500));
            machine.freeze(Duration.ofMinutes(1));
            assertThat(ticking.join()).isEqualTo(Duration.ofMillis(60_500).toNanos());
        });
    }

    @Test
    void aFrozenMachineCanCrash() {
        run(() -> {
            Task<Boolean> sleeping = machine.start("sleeping", () -> machine.sleep(Duration.ofSeconds(1)));
            simulation.client("main").sleep(Duration.ofMillis(500));
            machine.freeze(Duration.ofHours(1));
            machine.crash();
            assertThatThrownBy(sleeping::join).isInstanceOf(CrashedException.class);
            assertThat(machine.nanoTime()).isLessThan(Duration.ofSeconds(1).toNanos());
        });
    }

    @Test
    void aMachineThatIsCutOffReachesNoServerAndOthersDo() {
        run(() -> {
            machine.cutOff(Duration.ofSeconds(10));
            assertThatThrownBy(() -> put("k")).isInstanceOf(UnavailableException.class);
            assertThat(cloud.newest("k")).isEmpty();
            cloud.objects(simulation.client("b")).put("k", Bytes.utf8("y"), WriteCondition.ALWAYS);
            simulation.client("main").sleep(Duration.ofSeconds(10));
            assertThat(objects.get("k")).isPresent();
        });
    }

    @Test
    void aMachineThatIsCutOffDuringACallMissesItsAnswer() {
        cloud.watch((step, client, call, on, outcome) -> {
            if (step == CallWatcher.Step.DONE) {
                client.cutOff(Duration.ofSeconds(1));
            }
        });
        run(() -> {
            assertThatThrownBy(() -> put("k")).isInstanceOf(OutcomeUnknownException.class);
            assertThat(cloud.newest("k")).isPresent();
        });
    }
}
