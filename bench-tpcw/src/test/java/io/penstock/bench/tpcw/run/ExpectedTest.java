package io.penstock.bench.tpcw.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Entry;
import io.penstock.bench.tpcw.run.Verification.Expected;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ExpectedTest {
    private static final Map<Long, String> POPULATION = Map.of(1L, "one", 2L, "two", 3L, "three");

    private final Expected<Long, String> expected = new Expected<>(POPULATION::get, POPULATION.size());
    private final TreeMap<Long, String> found = new TreeMap<>(POPULATION);

    private static Stamp at(long millis) {
        return Stamp.of(millis, 0, new ClientId(1));
    }

    private long lost() {
        List<Entry<Long, String>> entries = new ArrayList<>();
        found.forEach((key, value) -> entries.add(new Entry<>(key, value)));
        return expected.lost(entries.iterator());
    }

    @Test
    void theNewestStampWinsInWhateverOrderItIsTold() {
        expected.acknowledge(1L, "newest", at(3));
        expected.acknowledge(1L, "old", at(2));
        expected.acknowledge(4L, "new row", at(1));
        found.put(1L, "newest");
        found.put(4L, "new row");
        assertThat(lost()).isZero();
        found.put(1L, "old");
        assertThat(lost()).isEqualTo(1);
    }

    @Test
    void rowsOfThePopulationCountToo() {
        found.put(2L, "changed by nobody");
        found.remove(3L);
        assertThat(lost()).isEqualTo(2);
    }

    @Test
    void aMissingNewRowIsLostAndAStrangeOneIsNot() {
        expected.acknowledge(4L, "new row", at(1));
        found.put(5L, "of a transaction that was not acknowledged");
        assertThat(lost()).isEqualTo(1);
    }

    @Test
    void aWriteOfUnknownOutcomeMayBeThere() {
        expected.acknowledge(1L, "acknowledged", at(1));
        expected.tolerate(1L, "perhaps");
        expected.tolerate(2L, "perhaps too");
        found.put(1L, "perhaps");
        found.put(2L, "perhaps too");
        assertThat(lost()).isZero();
    }
}
