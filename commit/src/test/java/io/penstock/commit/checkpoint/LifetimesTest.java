package io.penstock.commit.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.btree.TreeSettings;
import io.penstock.core.queue.QueueAttributes;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LifetimesTest {
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration SKEW = Duration.ofMinutes(5);

    @Test
    void recordsAreRefusedBeforeTombstonesArePurgedAndAfterQueuesForgetThem() {
        Lifetimes lifetimes = Lifetimes.of(LEASE, SKEW, false);
        assertThat(QueueAttributes.RETENTION_MAX).isLessThan(lifetimes.ledgerEntry());
        assertThat(lifetimes.ledgerEntry()).isLessThan(lifetimes.record());
        assertThat(lifetimes.record()).isLessThan(lifetimes.recordApplied());
        assertThat(lifetimes.recordApplied()).isLessThan(TreeSettings.DEFAULT.tombstoneLife());
    }

    @Test
    void missingRecordsAreAwaitedForTenLeasesAndAnHour() {
        assertThat(Lifetimes.of(LEASE, SKEW, false).heldBackMax()).isEqualTo(Duration.ofHours(1));
        assertThat(Lifetimes.of(Duration.ofHours(1), SKEW, false).heldBackMax()).isEqualTo(Duration.ofHours(10));
    }

    @Test
    void aloneNoRecordIsTooOldOrAhead() {
        Lifetimes alone = Lifetimes.of(LEASE, SKEW, true);
        assertThat(alone.record()).isGreaterThan(Duration.ofDays(3_650));
        assertThat(alone.aheadMax()).isGreaterThan(Duration.ofDays(3_650));
    }
}
