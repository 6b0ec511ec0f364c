package io.penstock.commit.simulation.anomaly;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.commit.simulation.anomaly.Anomalies.Access;
import io.penstock.commit.simulation.anomaly.Anomalies.Kind;
import io.penstock.commit.simulation.anomaly.Anomalies.Txn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Histories by hand, each with one anomaly and no worse one. Operations are written {@code r:key=value}. */
class AnomaliesTest {
    private static Txn committed(int id, String... operations) {
        return txn(id, true, operations);
    }

    private static Txn txn(int id, boolean committed, String... operations) {
        List<Access> reads = new ArrayList<>();
        List<Access> writes = new ArrayList<>();
        for (String operation : operations) {
            String[] sides = operation.substring(2).split("=");
            Access access = new Access(sides[0], sides[1].equals("none") ? null : sides[1]);
            (operation.startsWith("r:") ? reads : writes).add(access);
        }
        return new Txn(id, committed, reads, writes);
    }

    private static List<Kind> kinds(Map<String, List<String>> versions, Txn... transactions) {
        return Anomalies.of(List.of(transactions), versions).stream()
                .map(Anomalies.Found::kind)
                .distinct()
                .sorted()
                .toList();
    }

    @Test
    void oneAfterTheOtherIsFine() {
        assertThat(kinds(
                        Map.of("x", List.of("x1", "x2"), "y", List.of("y1", "y3")),
                        committed(1, "r:x=none", "w:x=x1", "w:y=y1"),
                        committed(2, "r:x=x1", "w:x=x2"),
                        committed(3, "r:x=x2", "r:y=y1", "w:y=y3")))
                .isEmpty();
    }

    @Test
    void writesInOppositeOrdersAreG0() {
        assertThat(kinds(
                        Map.of("x", List.of("x1", "x2"), "y", List.of("y2", "y1")),
                        committed(1, "w:x=x1", "w:y=y1"),
                        committed(2, "w:x=x2", "w:y=y2")))
                .containsExactly(Kind.G0);
    }

    @Test
    void aReadOfWhatWasAbortedIsG1a() {
        assertThat(kinds(Map.of(), txn(1, false, "w:x=x1"), committed(2, "r:x=x1")))
                .containsExactly(Kind.G1A);
        assertThat(kinds(Map.of(), txn(1, false, "w:x=x1"), txn(2, false, "r:x=x1")))
                .as("whoever was aborted himself may have read anything")
                .isEmpty();
    }

    @Test
    void aReadOfAWriteInBetweenIsG1b() {
        assertThat(kinds(Map.of("x", List.of("x2")), committed(1, "w:x=x1", "w:x=x2"), committed(2, "r:x=x1")))
                .containsExactly(Kind.G1B);
        assertThat(kinds(Map.of("x", List.of("x2")), committed(1, "w:x=x1", "w:x=x2", "r:x=x1")))
                .as("of its own")
                .isEmpty();
    }

    @Test
    void readsOfEachOtherAreG1c() {
        assertThat(kinds(
                        Map.of("x", List.of("x1"), "y", List.of("y2")),
                        committed(1, "w:x=x1", "r:y=y2"),
                        committed(2, "w:y=y2", "r:x=x1")))
                .containsExactly(Kind.G1C);
    }

    @Test
    void twoUpdatesOfOneVersionAreALostUpdate() {
        assertThat(kinds(
                        Map.of("x", List.of("x0", "x1", "x2")),
                        committed(0, "w:x=x0"),
                        committed(1, "r:x=x0", "w:x=x1"),
                        committed(2, "r:x=x0", "w:x=x2")))
                // The same cycle, seen as one of dependencies: 2 read what 1 replaced, and then replaced 1's.
                .containsExactly(Kind.LOST_UPDATE, Kind.G_SINGLE);
    }

    @Test
    void twoInsertsOfOneKeyAreALostUpdateToo() {
        assertThat(kinds(
                        Map.of("x", List.of("x1", "x2")),
                        committed(1, "r:x=none", "w:x=x1"),
                        committed(2, "r:x=none", "w:x=x2")))
                .contains(Kind.LOST_UPDATE);
    }

    @Test
    void halfOfATransactionReadIsGSingle() {
        assertThat(kinds(
                        Map.of("x", List.of("x1"), "y", List.of("y1")),
                        committed(1, "w:x=x1", "w:y=y1"),
                        committed(2, "r:x=x1", "r:y=none")))
                .containsExactly(Kind.G_SINGLE);
    }

    /** A long fork: each reader is of one state, and no order of states has both. */
    @Test
    void twoReadersOfTwoOrdersAreGNonadjacent() {
        assertThat(kinds(
                        Map.of("x", List.of("x1"), "y", List.of("y2")),
                        committed(1, "w:x=x1"),
                        committed(2, "w:y=y2"),
                        committed(3, "r:x=x1", "r:y=none"),
                        committed(4, "r:x=none", "r:y=y2")))
                .containsExactly(Kind.G_NONADJACENT);
    }

    @Test
    void writeSkewIsG2() {
        assertThat(kinds(
                        Map.of("x", List.of("x0", "x1"), "y", List.of("y0", "y2")),
                        committed(0, "w:x=x0", "w:y=y0"),
                        committed(1, "r:x=x0", "r:y=y0", "w:x=x1"),
                        committed(2, "r:x=x0", "r:y=y0", "w:y=y2")))
                .containsExactly(Kind.G2);
    }

    @Test
    void aCycleNamesItsTransactions() {
        List<Anomalies.Found> found = Anomalies.of(
                List.of(
                        committed(1, "w:x=x1", "r:z=z3"),
                        committed(2, "r:x=x1", "w:y=y2"),
                        committed(3, "r:y=y2", "w:z=z3"),
                        committed(4, "r:z=z3")),
                Map.of("x", List.of("x1"), "y", List.of("y2"), "z", List.of("z3")));
        assertThat(found).hasSize(1);
        assertThat(found.getFirst().transactions()).containsExactlyInAnyOrder(1, 2, 3);
    }
}
