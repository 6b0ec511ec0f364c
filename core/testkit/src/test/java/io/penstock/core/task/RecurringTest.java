package io.penstock.core.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.UnavailableException;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Background work continues whatever it throws: an exception of a library used to end it silently. */
class RecurringTest {
    private static void simulated(Consumer<Simulation> body) {
        Simulation simulation = new Simulation(1);
        simulation.run(() -> {
            body.accept(simulation);
            return true;
        });
    }

    @Test
    void goesOnAfterWhateverIsThrown() {
        simulated(simulation -> {
            SimulatedClient machine = simulation.client("a");
            List<Throwable> plan = new ArrayList<>(List.<Throwable>of(
                    new UnavailableException("away"),
                    new IllegalStateException("no credentials"),
                    new OutOfMemoryError("planned"),
                    new AssertionError("planned")));
            int[] runs = {0};
            List<Throwable> told = new ArrayList<>();
            List<Throwable> thrown = List.copyOf(plan);
            Recurring work = new Recurring(machine, "work", Duration.ofSeconds(1));
            work.onFailure(told::add);
            work.start(Duration.ofSeconds(10), () -> {
                runs[0]++;
                if (!plan.isEmpty()) {
                    RecurringTest.<RuntimeException>sneak(plan.removeFirst());
                }
            });
            machine.sleep(Duration.ofSeconds(60));
            assertThat(told).isEqualTo(thrown);
            assertThat(runs[0])
                    .as("at 10, 11, 12, 13 and 14 s, and each 10 s from there")
                    .isEqualTo(9);
            assertThat(work.stop(Duration.ofSeconds(1))).isTrue();
            machine.sleep(Duration.ofSeconds(60));
            assertThat(runs[0]).isEqualTo(9);
        });
    }

    @Test
    void aStopWaitsForTheWorkUnderWay() {
        simulated(simulation -> {
            SimulatedClient machine = simulation.client("a");
            int[] runs = {0};
            Recurring work = new Recurring(machine, "work", Duration.ofSeconds(1));
            work.start(Duration.ZERO, () -> {
                runs[0]++;
                machine.sleep(Duration.ofSeconds(10));
            });
            work.start(Duration.ZERO, () -> runs[0] += 100);
            machine.sleep(Duration.ofSeconds(1));
            assertThat(work.stop(Duration.ofSeconds(1)))
                    .as("work that is under way")
                    .isFalse();
            assertThat(work.stop(Duration.ofSeconds(10))).isTrue();
            machine.sleep(Duration.ofSeconds(60));
            assertThat(runs[0]).isEqualTo(1);
        });
    }

    @Test
    void aStopInAPauseEndsTheWorkAtOnce() {
        simulated(simulation -> {
            SimulatedClient machine = simulation.client("a");
            int[] runs = {0};
            Recurring never = new Recurring(machine, "never", Duration.ofSeconds(1));
            assertThat(never.stop(Duration.ZERO))
                    .as("work that was not started")
                    .isTrue();
            Recurring work = new Recurring(machine, "work", Duration.ofSeconds(1));
            work.start(Duration.ofSeconds(10), () -> runs[0]++);
            machine.sleep(Duration.ofSeconds(15));
            assertThat(work.stop(Duration.ZERO)).isTrue();
            machine.sleep(Duration.ofSeconds(60));
            assertThat(runs[0]).isEqualTo(1);
        });
    }

    @Test
    void workThatIsStoppedBeforeItsStartIsNotDone() {
        simulated(simulation -> {
            SimulatedClient machine = simulation.client("a");
            int[] runs = {0};
            Recurring work = new Recurring(machine, "work", Duration.ofSeconds(1));
            work.stop();
            work.start(Duration.ZERO, () -> runs[0]++);
            assertThat(work.stop(Duration.ofSeconds(1))).isTrue();
            assertThat(runs[0]).isZero();
        });
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable throwable) throws T {
        throw (T) throwable;
    }
}
