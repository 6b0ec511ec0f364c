package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Calls with a deadline, by the clock of the simulation. */
class DeadlineTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static void inTime(SimulatedClient machine, Runnable body) {
        long start = machine.nanoTime();
        body.run();
        assertThat(Duration.ofNanos(machine.nanoTime() - start)).isLessThanOrEqualTo(TIMEOUT);
    }

    @Test
    void callsThatEndInTimeTellWhatTheyDid() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = cloud.open("a");
                    Session session = store.newSession()) {
                RecordCollection<String, String> words = SimulatedStore.words(store);
                session.withDeadline(TIMEOUT, () -> {
                    words.put("k", "v");
                    return true;
                });
                assertThat(session.withDeadline(TIMEOUT, () -> words.get("k"))).contains("v");
                assertThatThrownBy(() -> session.withDeadline(TIMEOUT, () -> {
                            throw new IllegalStateException("of the caller");
                        }))
                        .isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(() -> session.withDeadline(Duration.ZERO, () -> true))
                        .isInstanceOf(InvalidRequestException.class)
                        .is(code(ErrorCode.INVALID_SETTING));
                session.close();
                assertThatThrownBy(() -> session.withDeadline(TIMEOUT, () -> true))
                        .is(code(ErrorCode.CLOSED));
            }
        });
    }

    /** Requests alone would be retried for a minute each. */
    @Test
    void callsThatServersHoldUpEndForTheirCaller() {
        new SimulatedStore(2, World.CALM).run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                RecordCollection<String, String> words = SimulatedStore.words(store);
                words.put("k", "v");
                store.admin().checkpoint();
                SimulatedClient machine = cloud.machine("main");
                cloud.machine("a").cutOff(Duration.ofSeconds(20));
                inTime(
                        machine,
                        () -> assertThatThrownBy(() -> store.session().withDeadline(TIMEOUT, () -> {
                                    words.put("k2", "v");
                                    return true;
                                }))
                                .isInstanceOf(OutcomeUnknownException.class)
                                .hasMessageContaining("timeout=PT2S"));
                inTime(
                        machine,
                        () -> assertThatThrownBy(() -> store.session().withDeadline(TIMEOUT, store.admin()::backlog))
                                .isInstanceOf(OutcomeUnknownException.class));
                cloud.sleep(Duration.ofMinutes(2));
                assertThat(words.get("k2"))
                        .as("it went on, and the servers came back")
                        .contains("v");
            }
        });
    }
}
