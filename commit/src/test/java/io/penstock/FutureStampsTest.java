package io.penstock;

import static io.penstock.SimulatedStore.words;
import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ErrorCode;
import io.penstock.core.UnavailableException;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A client of an older program, which did not look at its clock, stamps a month ahead. Whoever read that used to stamp
 * a month ahead as well, and so did all who read from them.
 */
class FutureStampsTest {
    private static final Duration MONTH = Duration.ofDays(30);

    /** A client that believes its clock. */
    private static Settings older(SimulatedStore cloud) {
        cloud.machine("older").skewClock(MONTH);
        return cloud.settings("older").advanced(advanced -> advanced.clockSkewMax(Duration.ofDays(365)));
    }

    static List<ConsistencyLevel> queued() {
        return Levels.except(ConsistencyLevel.NAIVE, ConsistencyLevel.SNAPSHOT, ConsistencyLevel.SERIALIZABLE);
    }

    @ParameterizedTest
    @MethodSource("queued")
    void itsMessagesGoIntoQuarantine(ConsistencyLevel level) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock older = Penstock.open(older(cloud).level(level).checkpointing(false));
                    Penstock other = Penstock.open(cloud.settings("other").level(level))) {
                words(older).put("k", "future");
                older.flush();
                assertThat(other.admin().checkpoint().quarantined()).isEqualTo(1);
                words(other).put("k", "now");
                words(other).put("l", "now");
                other.flush();
                other.admin().checkpoint();
                assertThat(SimulatedStore.content(other))
                        .containsOnlyKeys("k", "l")
                        .containsEntry("k", "now");
            }
        });
    }

    /** What an older checkpoint has let through stays where it is until its time has come. */
    @Test
    void whatIsOnAPageIsNotSpread() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock reader = cloud.open("reader")) {
                try (Penstock older = Penstock.open(older(cloud));
                        Penstock other = cloud.open("other")) {
                    words(older).put("k", "future");
                    older.admin().checkpoint();
                    assertThat(words(reader).get("k")).contains("future");
                    words(reader).put("l", "reader");
                    words(other).put("l", "other");
                    reader.admin().checkpoint();
                    other.admin().checkpoint();
                    cloud.sleep(Duration.ofMinutes(1));
                    assertThat(words(reader).get("l")).contains("other");
                    assertThatThrownBy(() -> replace(reader))
                            .isInstanceOf(UnavailableException.class)
                            .is(code(ErrorCode.CLOCK_SKEW));
                }
                cloud.sleep(MONTH);
                replace(reader);
                reader.admin().checkpoint();
                assertThat(words(reader).get("k")).contains("future and more");
            }
        });
    }

    private static void replace(Penstock store) {
        store.transact(tx -> {
            tx.put(words(store), "k", tx.get(words(store), "k").orElseThrow() + " and more");
            return true;
        });
    }
}
