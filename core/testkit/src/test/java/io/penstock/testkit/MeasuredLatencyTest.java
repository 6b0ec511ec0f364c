package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MeasuredLatencyTest {
    private static final double MILLION = 1e6;
    private static final double Z99 = 2.3263478740408408;

    /** 1 ms at the first share, 2 ms at the second and so on, times {@code factor}. */
    private static List<Double> rising(double factor) {
        return IntStream.rangeClosed(1, MeasuredLatency.SHARES.size())
                .mapToObj(i -> i * factor)
                .toList();
    }

    private static final MeasuredLatency TABLE = new MeasuredLatency(Map.of(
            1, Map.of(1_000L, rising(1), 2_000L, rising(3)),
            16, Map.of(1_000L, rising(9), 2_000L, rising(11))));

    private static double millis(double draw, long bytes, int underWay) {
        return TABLE.nanos(draw, bytes, underWay) / MILLION;
    }

    @Test
    void aDrawTakesItsQuantileAndWhatLiesBetweenTwo() {
        assertThat(millis(0, 1_000, 1)).isEqualTo(6);
        assertThat(millis(Z99, 1_000, 1)).isCloseTo(12, within(1e-6));
        assertThat(millis((1.2815515655446004 + 1.6448536269514722) / 2, 1_000, 1))
                .isCloseTo(9.5, within(1e-6));
    }

    @Test
    void aDrawBeyondTheTableTakesItsEnd() {
        assertThat(millis(-9, 1_000, 1)).isEqualTo(1);
        assertThat(millis(9, 1_000, 1)).isEqualTo(14);
    }

    @Test
    void sizesAreInterpolatedAndLargerOnesGoOnAsTheLargestTwo() {
        assertThat(millis(0, 1_500, 1)).isEqualTo(12);
        assertThat(millis(0, 10, 1)).isEqualTo(6);
        assertThat(millis(0, 4_000, 1)).isEqualTo(42);
    }

    @Test
    void callsUnderWayAreInterpolatedByTheirLogarithm() {
        assertThat(millis(0, 1_000, 4)).isCloseTo(30, within(1e-6));
        assertThat(millis(0, 1_000, 64)).isEqualTo(54);
    }

    @Test
    void whatIsNoTableIsRefused() {
        List<Double> falling = rising(1).reversed();
        for (List<Double> wrong : List.of(
                List.<Double>of(),
                falling,
                rising(1).subList(1, 5),
                rising(-1),
                Collections.nCopies(MeasuredLatency.SHARES.size(), Double.NaN))) {
            assertThatThrownBy(() -> new MeasuredLatency(Map.of(1, Map.of(0L, wrong))))
                    .as("%s", wrong)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> new MeasuredLatency(Map.of())).isInstanceOf(IllegalArgumentException.class);
    }

    /** So a store in a simulation is as slow as its own calls make it. */
    @Test
    void callsOfOneMachineSlowEachOtherDown() {
        Simulation simulation = new Simulation(1);
        SimulatedClient machine = simulation.client("main");
        SimulatedCloud cloud = new SimulatedCloud(
                simulation, Profile.INSTANT.with(new MeasuredLatency(flat()), CloudCall.MISS), World.CALM);
        simulation.run(() -> {
            var objects = cloud.objects(machine);
            long start = machine.nanoTime();
            objects.get("none");
            assertThat(machine.nanoTime() - start).isEqualTo(5_000_000);
            var four = IntStream.range(0, 4)
                    .mapToObj(i -> machine.start("reader", () -> {
                        objects.get("none");
                        objects.get("none");
                    }))
                    .toList();
            long begun = machine.nanoTime();
            four.forEach(io.penstock.core.task.Task::join);
            assertThat(machine.nanoTime() - begun).isGreaterThan(2 * 5_000_000L);
            return true;
        });
    }

    private static Map<Integer, Map<Long, List<Double>>> flat() {
        return Map.of(
                1, Map.of(0L, Collections.nCopies(MeasuredLatency.SHARES.size(), 5.0)),
                4, Map.of(0L, Collections.nCopies(MeasuredLatency.SHARES.size(), 50.0)));
    }
}
