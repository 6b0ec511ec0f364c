package io.penstock;

import static io.penstock.ConsistencyLevel.ATOMIC;
import static io.penstock.SimulatedStore.words;
import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ErrorCode;
import io.penstock.core.UnavailableException;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A wall clock that steps between two heartbeats. It used to stamp a commit a month ahead, which then won over every
 * later one, and to put acknowledged messages of others into quarantine as too old.
 */
class ClockStepTest {
    private static final Duration MONTH = Duration.ofDays(31);

    @ParameterizedTest
    @ValueSource(longs = {31, -31, 365})
    void aCommitAfterAStepIsRefused(long days) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = cloud.open("a");
                    Penstock other = cloud.open("b")) {
                words(store).put("k", "before");
                cloud.sleep(Duration.ofSeconds(2));
                cloud.machine("a").skewClock(Duration.ofDays(days));
                assertThatThrownBy(() -> words(store).put("k", "stepped"))
                        .isInstanceOf(UnavailableException.class)
                        .is(code(ErrorCode.CLOCK_SKEW));
                cloud.machine("a").skewClock(Duration.ZERO);
                words(other).put("k", "other");
                words(store).put("l", "after");
                store.admin().checkpoint();
                other.admin().checkpoint();
                cloud.sleep(Duration.ofMinutes(1));
                assertThat(words(store).get("k")).contains("other");
                assertThat(words(store).get("l")).contains("after");
            }
        });
    }

    /** The first heartbeat arrives and its answer is lost: that it is there tells nothing of the time. */
    @ParameterizedTest
    @ValueSource(longs = {31, -31})
    void aClockThatNoServerHasConfirmedStampsNothing(long days) {
        new SimulatedStore(3, World.CALM).run(cloud -> {
            SimulatedClient machine = cloud.machine("a");
            boolean[] lost = new boolean[1];
            cloud.cloud.watch((step, client, call, on, outcome) -> {
                boolean beat = step == CallWatcher.Step.DONE && call.equals("put") && on.contains("/clients/");
                if (beat && !lost[0]) {
                    lost[0] = true;
                    machine.cutOff(Duration.ofSeconds(1));
                }
            });
            machine.skewClock(Duration.ofDays(days));
            try (Penstock store = cloud.open("a")) {
                assertThatThrownBy(() -> words(store).put("k", "v"))
                        .isInstanceOf(UnavailableException.class)
                        .is(code(ErrorCode.CLOCK_SKEW));
                assertThat(lost[0]).isTrue();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {31, -31})
    void aCheckpointAfterAStepTouchesNothing(long days) {
        new SimulatedStore(2, World.CALM).run(cloud -> {
            try (Penstock writer = Penstock.open(cloud.settings("a").checkpointing(false));
                    Penstock stepping = Penstock.open(cloud.settings("b").checkpointing(false))) {
                words(stepping).put("own", "x");
                IntStream.range(0, 5).forEach(i -> words(writer).put("k" + i, "v"));
                cloud.machine("b").skewClock(Duration.ofDays(days));
                assertThatThrownBy(stepping.admin()::checkpoint).isInstanceOf(UnavailableException.class);
                cloud.machine("b").skewClock(Duration.ZERO);
                stepping.admin().checkpoint();
                writer.admin().checkpoint();
                assertThat(SimulatedStore.content(writer)).hasSize(6);
                assertThat(cloud.keys("quarantine/")).isEmpty();
            }
        });
    }

    /** The step comes in the middle of a checkpoint: the ages of messages are bounded by the servers' own times. */
    @Test
    void aStepInTheMiddleOfACheckpointPutsNothingIntoQuarantine() {
        for (long seed = 1; seed <= 20; seed++) {
            long moment = seed * 7;
            new SimulatedStore(seed, World.CALM).run(cloud -> {
                try (Penstock writer = Penstock.open(cloud.settings("a").checkpointing(false));
                        Penstock stepping = Penstock.open(cloud.settings("b").checkpointing(false))) {
                    words(stepping).put("own", "x");
                    IntStream.range(0, 5).forEach(i -> words(writer).put("k" + i, "v"));
                    cloud.machine("main").start("step", () -> {
                        cloud.sleep(Duration.ofMillis(moment));
                        cloud.machine("b").skewClock(MONTH);
                    });
                    try {
                        stepping.admin().checkpoint();
                    } catch (UnavailableException stepped) {
                        assertThat(stepped).is(code(ErrorCode.CLOCK_SKEW));
                    }
                    cloud.sleep(Duration.ofSeconds(1));
                    cloud.machine("b").skewClock(Duration.ZERO);
                    writer.admin().checkpoint();
                    cloud.sleep(Duration.ofMinutes(2));
                    writer.admin().checkpoint();
                    assertThat(SimulatedStore.content(writer)).hasSize(6);
                    assertThat(cloud.keys("quarantine/")).isEmpty();
                }
            });
        }
    }

    /** A client died with a put that is older than a delete: when others find it, the tombstone must be there still. */
    @Test
    void aStepInTheMiddleOfACheckpointPurgesNoTombstone() {
        for (long seed = 1; seed <= 20; seed++) {
            Duration moment = Duration.ofMillis(seed * 15);
            new SimulatedStore(seed, World.CALM).run(cloud -> {
                Penstock dead =
                        Penstock.open(cloud.settings("dead").level(ATOMIC).checkpointing(false));
                words(dead).put("k", "late");
                cloud.machine("dead").crash();
                try (Penstock writer = Penstock.open(cloud.settings("a").checkpointing(false));
                        Penstock stepping = Penstock.open(cloud.settings("b").checkpointing(false))) {
                    words(stepping).put("own", "x");
                    words(writer).delete("k");
                    writer.admin().checkpoint();
                    words(writer).put("l", "v");
                    cloud.machine("main").start("step", () -> {
                        cloud.sleep(moment);
                        cloud.machine("b").skewClock(MONTH);
                    });
                    try {
                        stepping.admin().checkpoint();
                    } catch (UnavailableException stepped) {
                        assertThat(stepped).is(code(ErrorCode.CLOCK_SKEW));
                    }
                    cloud.machine("b").skewClock(Duration.ZERO);
                    cloud.sleep(Duration.ofHours(1));
                    assertThat(writer.admin().recover().forwarded()).isPositive();
                    writer.admin().checkpoint();
                    cloud.sleep(Duration.ofMinutes(2));
                    assertThat(words(writer).get("k")).isEmpty();
                    assertThat(words(writer).get("l")).contains("v");
                }
            });
        }
    }
}
