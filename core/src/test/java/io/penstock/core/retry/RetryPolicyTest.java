package io.penstock.core.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.testing.RecordedTasks;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {
    private static final Duration BASE = Duration.ofMillis(100);

    @Test
    void delaysDoubleUpToTheirBoundAndAreSpread() {
        RetryPolicy policy = new RetryPolicy(100, BASE, Duration.ofSeconds(2), Duration.ofHours(1));
        Random random = new Random(3);
        for (int number = 1; number < 90; number++) {
            long boundMillis = number < 6 ? 100L << (number - 1) : 2_000;
            long max = 0;
            for (int draw = 0; draw < 200; draw++) {
                Duration delay = policy.delay(number, random);
                assertThat(delay).isBetween(Duration.ZERO, Duration.ofMillis(boundMillis));
                max = Math.max(max, delay.toMillis());
            }
            assertThat(max).isGreaterThan(boundMillis * 8 / 10);
        }
    }

    @Test
    void attemptsAreBounded() {
        RecordedTasks tasks = new RecordedTasks(Duration.ZERO);
        Backoff backoff = new Backoff(new RetryPolicy(3, BASE, BASE, Duration.ofHours(1)), tasks);
        assertThat(backoff.again()).isTrue();
        assertThat(backoff.again()).isTrue();
        assertThat(backoff.again()).isFalse();
        assertThat(backoff.attempts()).isEqualTo(3);
        assertThat(tasks.sleeps()).hasSize(2);
    }

    @Test
    void timeIsBounded() {
        RecordedTasks tasks = new RecordedTasks(Duration.ofSeconds(1));
        Backoff backoff = new Backoff(new RetryPolicy(1_000, BASE, BASE, Duration.ofSeconds(10)), tasks);
        int retries = 0;
        while (backoff.again()) {
            retries++;
        }
        assertThat(retries).isBetween(8, 10);
    }

    @Test
    void refusesSettingsOutOfRange() {
        assertThatThrownBy(() -> new RetryPolicy(0, BASE, BASE, BASE)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RetryPolicy(1, BASE, Duration.ZERO, BASE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(RetryPolicy.NONE.delay(1, new Random(1))).isZero();
    }
}
