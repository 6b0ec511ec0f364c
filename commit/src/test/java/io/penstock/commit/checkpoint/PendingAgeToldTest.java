package io.penstock.commit.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.UnavailableException;
import io.penstock.testing.InlineTasks;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What waits in a queue whatever commits do, such as a transaction that is too large to be recovered here. */
class PendingAgeToldTest {
    private static final Duration OLD = Duration.ofDays(3);

    private final InlineTasks time = new InlineTasks(1);
    private final PendingAge age =
            new PendingAge(time, PendingAge.Limits.of(Duration.ofHours(12), Duration.ofMinutes(1)));

    @Test
    void isToldAndHoldsUpNoCommit() {
        age.tellOf(() -> Optional.of(OLD));
        long before = time.nanoTime();
        age.admit();
        assertThat(time.nanoTime() - before).isLessThan(PendingAge.SLOWED_BY.toNanos());
        assertThat(age.age()).isEqualTo(OLD);
    }

    @Test
    void whatCommitsCanHelpIsWaitedFor() {
        age.tellOf(() -> Optional.of(Duration.ofMinutes(1)));
        age.include(() -> Optional.of(OLD));
        assertThatThrownBy(age::admit).isInstanceOf(UnavailableException.class);
    }
}
