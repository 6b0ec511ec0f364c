package io.penstock.commit.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.record.KeyRange;
import io.penstock.query.QueryPlan.Access;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The way that is taken, by what the others would cost. */
class CandidateTest {
    private static final List<KeyRange> ALL = List.of(KeyRange.all());
    private static final long LEAF = 64 << 10;

    @ParameterizedTest
    @CsvSource({
        // leaves of the range, skipped, pages, leaves of the index, its records, those of a covering one, expected
        "1, 0, 10, 1, 10, 1, KEYS",
        "100, 0, 100, 1, 10, 5, COVERING",
        "100, 0, 100, 1, 10, 20, INDEX",
        "100, 95, 100, 1, 30, 40, SUMMARIES",
        "100, 0, 100, 40, 100, 200, KEYS",
        "3000, 2999, 3000, 1, 60, 70, SUMMARIES",
        "3000, 2999, 3000, 1, 10, 20, INDEX",
        "3000, 2999, 30000, 1, 60, 70, INDEX",
        "3000, 2, 3000, 1000, 3000, 4000, KEYS",
        "0, 0, 3000, 1, 0, 1, KEYS"
    })
    void theCheapestWayIsTaken(
            long leaves, long skipped, long pages, long entries, long records, long covering, Access expected) {
        List<Candidate> candidates = List.of(
                Candidate.keys(ALL, leaves, LEAF),
                Candidate.index(Access.INDEX, "i", ALL, entries, records, LEAF),
                Candidate.index(Access.COVERING, "c", ALL, covering, 0, LEAF),
                Candidate.summaries(ALL, leaves, skipped, pages, LEAF));
        assertThat(Candidate.cheapest(candidates).plan().access()).isEqualTo(expected);
    }

    @Test
    void withoutRangesNothingIsRead() {
        assertThat(Candidate.keys(List.of(), 0, LEAF).plan().access()).isEqualTo(Access.NOTHING);
    }
}
