package io.penstock.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.task.Timekeeper;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Pages grow old while the machine is suspended, which its monotonic clock may not count. */
class AgeClockTest {
    private final AgeClock clock = new AgeClock();
    private final Clocks clocks = new Clocks();

    /** Two clocks that a test moves. */
    private static final class Clocks implements Timekeeper {
        long nanos = -5;
        long millis = 1_700_000_000_000L;

        void pass(Duration monotonic, Duration wall) {
            nanos += monotonic.toNanos();
            millis += wall.toMillis();
        }

        @Override
        public long nowMillis() {
            return millis;
        }

        @Override
        public long nanoTime() {
            return nanos;
        }

        @Override
        public void sleep(Duration duration) {
            pass(duration, duration);
        }
    }

    private Duration elapsed(Runnable meanwhile) {
        long before = clock.nanoTime(clocks);
        meanwhile.run();
        return Duration.ofNanos(clock.nanoTime(clocks) - before);
    }

    @Test
    void clocksThatAgree() {
        Duration tick = Duration.ofMillis(700);
        for (int i = 0; i < 100; i++) {
            assertThat(elapsed(() -> clocks.pass(tick, tick))).isEqualTo(tick);
        }
    }

    @Test
    void aSuspensionCounts() {
        Duration hour = Duration.ofHours(1);
        Duration second = Duration.ofSeconds(1);
        assertThat(elapsed(() -> clocks.pass(second, hour))).isEqualTo(hour);
        assertThat(elapsed(() -> clocks.pass(second, second))).as("once").isEqualTo(second);
        elapsed(() -> clocks.pass(Duration.ZERO, hour));
        Duration tick = Duration.ofMillis(1);
        assertThat(elapsed(() -> clocks.pass(tick, tick)))
                .as("noticed a little later")
                .isEqualTo(hour.plus(tick));
        assertThat(elapsed(() -> clocks.pass(second, hour))).isEqualTo(hour);
    }

    @Test
    void aWallClockThatIsSetBackChangesNothing() {
        Duration second = Duration.ofSeconds(1);
        assertThat(elapsed(() -> clocks.pass(second, Duration.ofDays(-30)))).isEqualTo(second);
        assertThat(elapsed(() -> clocks.pass(second, second))).isEqualTo(second);
        assertThat(elapsed(() -> clocks.pass(second, Duration.ofHours(1)))).isEqualTo(Duration.ofHours(1));
    }
}
