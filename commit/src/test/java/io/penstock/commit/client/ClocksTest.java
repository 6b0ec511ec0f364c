package io.penstock.commit.client;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ClientId;
import io.penstock.core.ErrorCode;
import io.penstock.core.Stamp;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.Timekeeper;
import io.penstock.testing.InlineTasks;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ClocksTest {
    private static final ClientId CLIENT = new ClientId(1);

    private final InlineTasks tasks = new InlineTasks(1);
    private final HybridClock clock = new HybridClock(tasks::nowMillis);

    private Timekeeper stepping(AtomicLong stepMillis) {
        return new Timekeeper() {
            @Override
            public long nowMillis() {
                return tasks.nowMillis() + stepMillis.get();
            }

            @Override
            public long nanoTime() {
                return tasks.nanoTime();
            }

            @Override
            public void sleep(Duration duration) {
                tasks.sleep(duration);
            }
        };
    }

    @Test
    void everyStampIsNewer() {
        Stamp last = Stamp.ZERO;
        for (int i = 0; i < 200_000; i++) {
            // More than 65,536 in one millisecond: the counter runs over into the next.
            if (i % 100_000 == 0) {
                tasks.advance(Duration.ofMillis(1));
            }
            Stamp next = clock.next(CLIENT);
            assertThat(next.isAfter(last)).isTrue();
            last = next;
        }
        assertThat(last.millis()).isBetween(tasks.nowMillis(), tasks.nowMillis() + 4);
    }

    /** Until clones find out about each other, two transactions of one stamp would be taken for one. */
    @Test
    void clonesDrawDifferentStamps() {
        int same = 0;
        for (int i = 0; i < 1_000; i++) {
            long nanos = i * 7_919L;
            HybridClock one = new HybridClock(() -> 1_000, () -> 1_000, () -> Long.MAX_VALUE, () -> nanos);
            HybridClock other =
                    new HybridClock(() -> 1_000, () -> 1_000, () -> Long.MAX_VALUE, () -> nanos + 1_234_567);
            same += one.next(CLIENT).equals(other.next(CLIENT)) ? 1 : 0;
            long seen = Stamp.of(2_000, 17, CLIENT).time();
            one.observe(seen);
            other.observe(seen);
            Stamp last = one.next(CLIENT);
            assertThat(last.time()).isGreaterThan(seen);
            same += last.equals(other.next(CLIENT)) ? 1 : 0;
        }
        assertThat(same).isLessThan(5);
    }

    @Test
    void followsTheWallClock() {
        Stamp before = clock.next(CLIENT);
        tasks.advance(Duration.ofSeconds(5));
        assertThat(clock.next(CLIENT).millis()).isEqualTo(before.millis() + 5000);
        assertThat(before.millis()).isEqualTo(tasks.nowMillis() - 5000);
    }

    @Test
    void whatIsSeenIsOvertaken() {
        Stamp ahead = Stamp.of(tasks.nowMillis() + 60_000, 5, new ClientId(-1));
        clock.observe(ahead);
        assertThat(clock.next(CLIENT).isAfter(ahead)).isTrue();
        Stamp newest = clock.next(CLIENT);
        clock.observe(Stamp.of(1, 0, CLIENT));
        assertThat(clock.next(CLIENT).isAfter(newest)).isTrue();
    }

    /** Seed 9168559: a machine read before a server had told it the time, and its clock was set right meanwhile. */
    @Test
    void whatOnlySeemedToBeFromTheFutureIsOvertaken() {
        AtomicLong latest = new AtomicLong(1_000);
        HybridClock unsure = new HybridClock(() -> 1_000, () -> 1_000, latest::get, () -> 0);
        Stamp read = Stamp.of(5_000, 0, new ClientId(-1));
        Stamp future = Stamp.of(9_000, 0, new ClientId(-1));
        assertThat(unsure.observe(read)).isFalse();
        assertThat(unsure.observe(future)).isFalse();
        assertThat(unsure.next(CLIENT).isAfter(read)).isFalse();
        latest.set(6_000);
        assertThat(unsure.newest()).isEqualTo(read.time());
        assertThat(unsure.next(CLIENT)).satisfies(stamp -> {
            assertThat(stamp.isAfter(read)).isTrue();
            assertThat(future.isAfter(stamp)).isTrue();
        });
    }

    /** As many as a scan may meet: the highest are kept. */
    @Test
    void aMillionStampsFromTheFutureTakeLittleMemory() {
        AtomicLong latest = new AtomicLong(1_000);
        HybridClock unsure = new HybridClock(() -> 1_000, () -> 1_000, latest::get, () -> 0);
        for (int i = 1; i <= 1_000_000; i++) {
            unsure.observe(Stamp.of(1_000 + i, 0, new ClientId(-1)));
        }
        latest.set(1_000_900);
        assertThat(unsure.next(CLIENT).millis()).isEqualTo(1_000_900);
    }

    @Test
    void aClockOutOfStepIsRefused() {
        ServerClock server = new ServerClock(tasks, Duration.ofMinutes(5));
        assertThatCode(server::requireInStep).doesNotThrowAnyException();
        for (int sign : new int[] {1, -1}) {
            server.observe(tasks.nowMillis() + sign * 300_001L);
            assertThatThrownBy(server::requireInStep)
                    .isInstanceOf(UnavailableException.class)
                    .is(code(ErrorCode.CLOCK_SKEW))
                    .hasMessageContaining("allowedMillis=300000");
            server.observe(tasks.nowMillis() + sign * 300_000L);
            assertThatCode(server::requireInStep).doesNotThrowAnyException();
            assertThat(server.nowMillis()).isEqualTo(tasks.nowMillis() + sign * 300_000L);
        }
    }

    /** Seed 30766458: the check was made, the commit waited for a second, and the clock stepped before it drew. */
    @Test
    void noStampIsDrawnByAClockThatHasSteppedSinceItWasChecked() {
        AtomicLong stepMillis = new AtomicLong();
        Timekeeper stepping = stepping(stepMillis);
        ServerClock server = new ServerClock(stepping, Duration.ofMinutes(5));
        HybridClock stamps = server.stamping(Duration.ofMinutes(1));
        server.observe(tasks.nowMillis());
        server.requireKnownInStep();
        Stamp before = stamps.next(CLIENT);
        for (long step : new long[] {20_000_000, -20_000_000}) {
            stepMillis.set(step);
            assertThatThrownBy(() -> stamps.next(CLIENT))
                    .isInstanceOf(UnavailableException.class)
                    .is(code(ErrorCode.CLOCK_SKEW));
            server.observe(tasks.nowMillis());
            assertThatThrownBy(() -> stamps.next(CLIENT))
                    .isInstanceOf(UnavailableException.class)
                    .is(code(ErrorCode.CLOCK_SKEW));
        }
        stepMillis.set(0);
        server.observe(tasks.nowMillis());
        Stamp after = stamps.next(CLIENT);
        assertThat(after.isAfter(before)).isTrue();
        assertThat(after.millis()).isEqualTo(tasks.nowMillis());
    }

    /** It was frozen while the answer arrived, for instance: nothing else may ever ask a server again. */
    @Test
    void anAnswerThatSaysThatTheClockIsWrongIsAskedForAgain() {
        ServerClock server = new ServerClock(tasks, Duration.ofMinutes(5));
        int[] asked = {0};
        server.askBy(() -> {
            asked[0]++;
            server.observe(tasks.nowMillis());
        });
        server.observe(tasks.nowMillis() - 400_000);
        assertThatThrownBy(server::requireInStep).isInstanceOf(UnavailableException.class);
        assertThat(asked[0]).as("the answer is new").isZero();
        tasks.advance(Duration.ofMinutes(1));
        assertThatCode(server::requireInStep).doesNotThrowAnyException();
        assertThat(asked[0]).isEqualTo(1);
    }

    @Test
    void aStepOfTheWallClockDoesNotShowInSteadyTasks() {
        AtomicLong stepMillis = new AtomicLong();
        ServerClock server = new ServerClock(stepping(stepMillis), Duration.ofMinutes(5));
        Tasks steady = new ServerTimeTasks(tasks, server);
        server.observe(tasks.nowMillis() + 7);
        for (long days : new long[] {31, -31, 365}) {
            stepMillis.set(Duration.ofDays(days).toMillis());
            assertThat(steady.nowMillis()).isEqualTo(tasks.nowMillis() + 7);
            tasks.advance(Duration.ofMinutes(3));
            assertThat(steady.nowMillis()).isEqualTo(tasks.nowMillis() + 7);
        }
    }
}
