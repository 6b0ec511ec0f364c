package io.penstock.commit.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.commit.domain.SegmentPut.Found;
import io.penstock.commit.domain.SegmentPut.Outcome;
import io.penstock.commit.domain.SegmentPut.Trimmed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SegmentPutTest {
    @ParameterizedTest
    @CsvSource({
        "OURS, NO, false, OURS",
        "OURS, NO, true, OURS",
        "OURS, BEFORE, false, STALE",
        "OURS, BEFORE, true, UNKNOWN",
        "OURS, PERHAPS_AFTER, false, UNKNOWN",
        "OURS, PERHAPS_AFTER, true, UNKNOWN",
        "THEIRS, NO, true, THEIRS",
        "THEIRS, BEFORE, true, UNKNOWN",
        "THEIRS, PERHAPS_AFTER, true, UNKNOWN",
        "NOTHING, NO, true, AGAIN",
        "NOTHING, BEFORE, true, UNKNOWN",
        "NOTHING, PERHAPS_AFTER, true, UNKNOWN",
    })
    void answersDecideTheOutcome(Found found, Trimmed trimmed, boolean doubt, Outcome outcome) {
        assertThat(SegmentPut.outcome(found, trimmed, doubt)).isEqualTo(outcome);
    }

    /** Nobody is told that nothing was committed while the segment may be, or may have been, in the log. */
    @ParameterizedTest
    @EnumSource(Found.class)
    void doubtAboutATrimmedSlotIsNeverDecided(Found found) {
        for (Trimmed trimmed : new Trimmed[] {Trimmed.BEFORE, Trimmed.PERHAPS_AFTER}) {
            assertThat(SegmentPut.outcome(found, trimmed, true)).isEqualTo(Outcome.UNKNOWN);
        }
    }

    @Test
    void segmentSeenInItsSlotIsCommittedWhereNothingWasTrimmed() {
        assertThat(SegmentPut.outcome(Found.OURS, Trimmed.NO, true)).isEqualTo(Outcome.OURS);
    }
}
