package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.task.Permits;
import io.penstock.core.task.Promise;
import io.penstock.core.task.Task;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class SimulationTest {
    @Test
    void virtualTimeJumpsToTheNextWakeUp() {
        Simulation simulation = new Simulation(1);
        List<String> story = new ArrayList<>();
        simulation.run(() -> {
            SimulatedClient tasks = simulation.client("main");
            Task<Boolean> slow = tasks.start("slow", () -> {
                tasks.sleep(Duration.ofHours(2));
                story.add("slow " + tasks.nanoTime() / 1_000_000_000);
            });
            tasks.sleep(Duration.ofHours(1));
            story.add("main " + tasks.nanoTime() / 1_000_000_000);
            return slow.join();
        });
        assertThat(story).containsExactly("main 3600", "slow 7200");
    }

    @Test
    void oneSeedGivesOneInterleavingAndSeedsDiffer() {
        Set<List<Integer>> seen = new HashSet<>();
        for (long seed = 0; seed < 50; seed++) {
            assertThat(interleaving(seed)).as("seed=%d", seed).isEqualTo(interleaving(seed));
            seen.add(interleaving(seed));
        }
        assertThat(seen).hasSizeGreaterThan(20);
    }

    private static List<Integer> interleaving(long seed) {
        Simulation simulation = new Simulation(seed);
        List<Integer> order = new ArrayList<>();
        simulation.run(() -> {
            SimulatedClient tasks = simulation.client("main");
            List<Task<Boolean>> forked = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                int number = i;
                forked.add(tasks.start("actor " + i, () -> {
                    order.add(number);
                    tasks.sleep(Duration.ZERO);
                    order.add(number);
                }));
            }
            forked.forEach(Task::join);
            return true;
        });
        return order;
    }

    @Test
    void aPromiseWakesAllWaitersAndATimeOutEndsTheWait() {
        Simulation simulation = new Simulation(7);
        List<String> story = new ArrayList<>();
        simulation.run(() -> {
            SimulatedClient tasks = simulation.client("main");
            Promise<String> promise = tasks.promise();
            Task<Boolean> patient = tasks.start("patient", () -> story.add("patient " + promise.await()));
            Task<Boolean> hasty =
                    tasks.start("hasty", () -> story.add("hasty " + promise.awaitFor(Duration.ofSeconds(1))));
            tasks.sleep(Duration.ofSeconds(2));
            promise.complete("done");
            patient.join();
            return hasty.join();
        });
        assertThat(story).containsExactly("hasty false", "patient done");
    }

    @Test
    void aCrashStopsEveryTaskOfTheClientWhereItWaits() {
        Simulation simulation = new Simulation(3);
        List<String> story = new ArrayList<>();
        simulation.run(() -> {
            SimulatedClient victim = simulation.client("victim");
            Task<Boolean> task = victim.start("work", () -> {
                story.add("before");
                victim.sleep(Duration.ofSeconds(10));
                story.add("after");
            });
            simulation.client("main").sleep(Duration.ofSeconds(1));
            victim.crash();
            assertThatThrownBy(task::join).isInstanceOf(CrashedException.class);
            return true;
        });
        assertThat(story).containsExactly("before");
    }

    @Test
    void permitsKeepOthersOutAcrossWaits() {
        for (long seed = 0; seed < 20; seed++) {
            Simulation simulation = new Simulation(seed);
            int[] inside = new int[1];
            int[] most = new int[1];
            simulation.run(() -> {
                SimulatedClient tasks = simulation.client("main");
                Permits permits = new Permits(tasks, 2);
                List<Task<Boolean>> forked = new ArrayList<>();
                for (int i = 0; i < 6; i++) {
                    forked.add(tasks.start(
                            "actor",
                            () -> permits.run(() -> {
                                most[0] = Math.max(most[0], ++inside[0]);
                                tasks.sleep(Duration.ofSeconds(1));
                                inside[0]--;
                            })));
                }
                forked.forEach(Task::join);
                return true;
            });
            assertThat(most[0]).as("seed=%d", seed).isEqualTo(2);
            assertThat(simulation.nowNanos()).as("seed=%d", seed).isEqualTo(3_000_000_000L);
        }
    }

    @Test
    void aDeadlockIsNamedWithTheSeed() {
        Simulation simulation = new Simulation(11);
        assertThatThrownBy(() ->
                        simulation.run(() -> simulation.client("main").promise().await()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("seed=11");
    }

    @Test
    void aFailureOfTheBodyIsThrownAndNothingRunsOn() {
        Simulation simulation = new Simulation(5);
        List<String> story = new ArrayList<>();
        assertThatThrownBy(() -> simulation.run(() -> {
                    SimulatedClient tasks = simulation.client("main");
                    tasks.start("left over", () -> {
                        tasks.sleep(Duration.ofDays(1));
                        story.add("too late");
                    });
                    tasks.sleep(Duration.ofSeconds(1));
                    throw new IllegalArgumentException("broken");
                }))
                .hasMessage("broken");
        assertThat(story).isEmpty();
    }

    /** Bodies in languages without checked exceptions throw them as any other. */
    @Test
    void aCheckedExceptionFailsRunAndJoinWithItsCause() {
        Simulation simulation = new Simulation(6);
        assertThatThrownBy(() -> simulation.run(() -> {
                    Task<String> task = simulation.client("m").fork("task", () -> sneaky(new IOException("disk")));
                    assertThatThrownBy(task::join)
                            .isInstanceOf(CompletionException.class)
                            .hasRootCauseMessage("disk");
                    return sneaky(new IOException("net"));
                }))
                .isInstanceOf(CompletionException.class)
                .hasRootCauseMessage("net");
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // that is the trick
    private static <E extends Exception> String sneaky(Exception failure) throws E {
        throw (E) failure;
    }

    @Test
    void aWaitBeyondTheEndOfTimeIsALongOne() {
        Simulation simulation = new Simulation(8);
        Duration longest = Duration.ofNanos(Long.MAX_VALUE);
        boolean completed = simulation.run(() -> {
            SimulatedClient main = simulation.client("main");
            SimulatedClient frozen = simulation.client("frozen");
            main.sleep(Duration.ofSeconds(1));
            Task<Boolean> never = frozen.startThread("frozen", () -> main.sleep(Duration.ZERO));
            frozen.freeze(longest);
            Promise<Boolean> promise = main.promise();
            main.start("completing", () -> {
                main.sleep(Duration.ofSeconds(5));
                promise.complete(true);
            });
            main.start("sleeping", () -> main.sleep(Duration.ofSeconds(Long.MAX_VALUE)));
            main.start("a second on", () -> main.sleep(longest));
            boolean inTime = promise.awaitFor(longest);
            assertThat(never.isDone()).isFalse();
            return inTime;
        });
        assertThat(completed).isTrue();
        assertThat(simulation.nowNanos()).isEqualTo(Duration.ofSeconds(6).toNanos());
    }

    @Test
    void aThreadOfACrashedMachineCrashesAndItsStarterLives() {
        Simulation simulation = new Simulation(9);
        List<String> story = new ArrayList<>();
        simulation.run(() -> {
            SimulatedClient victim = simulation.client("victim");
            victim.crash();
            Task<Boolean> thread = victim.startThread("thread", () -> story.add("begun"));
            Task<Boolean> task = victim.fork("task", () -> story.add("begun"));
            assertThatThrownBy(thread::join).isInstanceOf(CrashedException.class);
            assertThatThrownBy(task::join).isInstanceOf(CrashedException.class);
            return story.add("alive");
        });
        assertThat(story).containsExactly("alive");
    }
}
