package io.penstock.commit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.core.task.ThreadTasks;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OversizedTransactionsTest {
    private final ClientId client = new ClientId(7);
    private final OversizedTransactions leftAlone = new OversizedTransactions(new ThreadTasks(), () -> 0, 1000);

    @Test
    void aQueueThatHoldsMoreThanWasSeenIsLookedAtAgain() {
        assertThat(leftAlone.of(client, 3)).isZero();
        leftAlone.note(client, Set.of(new Stamp(1, client)), 3);
        assertThat(leftAlone.of(client, 2)).isEqualTo(1);
        assertThat(leftAlone.of(client, 3)).isEqualTo(1);
        assertThat(leftAlone.of(client, 4))
                .as("one was hidden, or has come since")
                .isZero();
        leftAlone.note(client, Set.of(), 0);
        assertThat(leftAlone.of(client, 3)).isZero();
        assertThat(leftAlone.count()).isZero();
    }
}
