package io.penstock.bench.tpcw.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.ConsistencyLevel;
import io.penstock.Layout;
import io.penstock.bench.program.Progress;
import io.penstock.bench.tpcw.bookstore.InteractionKind;
import io.penstock.bench.tpcw.bookstore.Scale;
import io.penstock.testkit.Profile;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class BrowserRunTest {
    private static final long SEED = 1;
    private static final Profile PROFILE = Profile.AWS_2026;

    private static RunPlan plan(ConsistencyLevel level, int browsers, Duration measured, double zipf) {
        return plan(level, browsers, measured, zipf, null);
    }

    private static RunPlan plan(
            ConsistencyLevel level, int browsers, Duration measured, double zipf, @Nullable Duration crashAfter) {
        RunPlan.Browsing load = new RunPlan.Browsing(
                Mix.ORDERING,
                browsers,
                Math.min(4, browsers),
                Duration.ofSeconds(20),
                measured,
                new Scale(1, 100),
                zipf,
                crashAfter);
        Tuning tuning = new Tuning(64 << 10, 64L << 20, Duration.ofSeconds(10), Duration.ofSeconds(10));
        return new RunPlan(PROFILE.name(), PROFILE.prices(), Layout.partitioned(1), level, load, tuning, SEED);
    }

    private static RunResult run(RunPlan plan) {
        return Run.browse(plan, new SimulatedVenue(PROFILE, SEED), "test", Progress.NONE);
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"NAIVE", "BASIC"})
    void browsersGetTheirPagesAndSeeTheirOwnWrites(ConsistencyLevel level) {
        RunResult result = run(plan(level, 16, Duration.ofMinutes(1), 0));
        assertThat(result.clean()).as("seed=%d", SEED).isTrue();
        assertThat(result.answers().refused()).isZero();
        assertThat(result.answers().interactions()).isGreaterThan(100);
        assertThat(result.costPer1000().total()).isPositive();
        Anomalies found = result.anomalies();
        assertThat(found.ownWritesUnseen()).as("seed=%d", SEED).isZero();
        assertThat(found.readsBack()).as("seed=%d", SEED).isZero();
        assertThat(found.ordersWithoutLinesAfter()).as("seed=%d", SEED).isZero();
        assertThat(found.indexFaults()).as("seed=%d", SEED).isZero();
    }

    @Test
    void naiveLosesAndTheRunSaysSo() {
        Anomalies found =
                run(plan(ConsistencyLevel.NAIVE, 16, Duration.ofMinutes(2), 0)).anomalies();
        assertThat(found.lostStockUpdates()).as("seed=%d", SEED).isPositive();
        assertThat(found.oversold()).as("seed=%d", SEED).isPositive();
        assertThat(found.ordersWithoutLinesAfter()).as("seed=%d", SEED).isPositive();
    }

    @Test
    void sessionsOfBasicDoNotSeeTheirCarts() {
        RunResult result = run(plan(ConsistencyLevel.BASIC, 8, Duration.ofMinutes(2), 0));
        assertThat(result.anomalies().ownWritesUnseen()).as("seed=%d", SEED).isPositive();
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"NAIVE"})
    void noAcknowledgedOrderDiesWithItsServer(ConsistencyLevel level) {
        Duration measured = Duration.ofMinutes(1);
        RunPlan calm = plan(level, 16, measured, 0);
        RunPlan crashing = plan(level, 16, measured, 0, Duration.ofSeconds(30));
        RunResult result = run(crashing);
        assertThat(result.clean()).as("seed=%d", SEED).isTrue();
        assertThat(result.anomalies().ordersWithoutLinesAfter())
                .as("seed=%d", SEED)
                .isZero();
        assertThat(result.anomalies().indexFaults()).as("seed=%d", SEED).isZero();
        assertThat(RunReport.json(result)).isNotEqualTo(RunReport.json(run(calm)));
    }

    @Test
    void nothingIsOversoldAtSerializable() {
        RunResult result = run(plan(ConsistencyLevel.SERIALIZABLE, 64, Duration.ofMinutes(1), 1));
        Anomalies found = result.anomalies();
        assertThat(result.clean()).as("seed=%d", SEED).isTrue();
        assertThat(found.lostStockUpdates()).as("seed=%d", SEED).isZero();
        assertThat(found.oversold()).as("seed=%d", SEED).isZero();
        assertThat(found.ordersWithoutLinesNow()).as("seed=%d", SEED).isZero();
        assertThat(found.ordersWithoutLinesAfter()).as("seed=%d", SEED).isZero();
        assertThat(found.staleness().stale()).as("seed=%d", SEED).isZero();
        assertThat(result.answers().pages().get(InteractionKind.BUY_CONFIRM).count())
                .isGreaterThan(10);
    }

    @Test
    void aRunIsAFunctionOfItsSeed() {
        RunPlan plan = plan(ConsistencyLevel.ATOMIC, 4, Duration.ofMinutes(1), 1);
        assertThat(RunReport.json(run(plan))).isEqualTo(RunReport.json(run(plan)));
    }
}
