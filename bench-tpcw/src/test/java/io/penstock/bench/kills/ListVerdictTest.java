package io.penstock.bench.kills;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.ConsistencyLevel;
import io.penstock.bench.kills.ListHistory.Attempt;
import io.penstock.bench.kills.ListHistory.Step;
import io.penstock.bench.kills.ListHistory.What;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The judge of lists, on small histories. */
class ListVerdictTest {
    private static final long X = 0;
    private static final long Y = 1;

    @TempDir
    private Path directory;

    private final List<Attempt> attempts = new ArrayList<>();

    /** At the same time as all the others. */
    private void add(What outcome, Step... steps) {
        addAt(0, 1_000_000, outcome, steps);
    }

    private void addAt(long begin, long end, What outcome, Step... steps) {
        String name = "t" + (attempts.size() + 1);
        attempts.add(new Attempt(name, outcome, begin, end, List.of(steps)));
    }

    private static Step append(long list, long number, Long... before) {
        return new Step(list, List.of(before), number);
    }

    private static Step read(long list, Long... numbers) {
        return new Step(list, List.of(numbers), 0);
    }

    private ListVerdict.Result judge(ConsistencyLevel level, List<Long> x, List<Long> y) {
        return ListVerdict.judge(level, attempts, Map.of(X, x, Y, y));
    }

    private List<String> violations(List<Long> x, List<Long> y) {
        return judge(ConsistencyLevel.SNAPSHOT, x, y).violations();
    }

    @Test
    void oneAfterTheOtherIsSound() {
        addAt(0, 10, What.OK, append(X, 1), read(X, 1L), append(X, 2, 1L));
        addAt(100, 110, What.UNKNOWN, append(X, 3, 1L, 2L), append(Y, 4));
        addAt(200, 210, What.OK, read(X, 1L, 2L, 3L), read(Y, 4L));
        addAt(200, 210, What.UNKNOWN, append(Y, 5, 4L));
        addAt(200, 210, What.FAILED, append(Y, 6));
        ListVerdict.Result result = judge(ConsistencyLevel.SERIALIZABLE, List.of(1L, 2L, 3L), List.of(4L));
        assertThat(result).isEqualTo(new ListVerdict.Result(2, 1, 2, 1, 0, List.of()));
    }

    @Test
    void anAcknowledgedAppendThatIsLost() {
        add(What.OK, append(X, 1), append(Y, 2));
        assertThat(violations(List.of(1L), List.of()))
                .singleElement()
                .asString()
                .startsWith("acknowledged and not");
    }

    @Test
    void aPartOfAnUnknownTransaction() {
        add(What.UNKNOWN, append(X, 1), append(Y, 2));
        assertThat(violations(List.of(1L), List.of()))
                .singleElement()
                .asString()
                .startsWith("there in part");
    }

    @Test
    void aFailedAppendThatIsThereANumberTwiceAndANumberOfNobody() {
        add(What.FAILED, append(X, 1));
        add(What.OK, append(Y, 2));
        assertThat(violations(List.of(1L, 9L), List.of(2L, 2L)))
                .anyMatch(line -> line.startsWith("told that nothing"))
                .anyMatch(line -> line.startsWith("there twice: 2"))
                .anyMatch(line -> line.startsWith("nobody has appended 9"));
    }

    @Test
    void aReadOfWhatNeverWas() {
        add(What.OK, append(X, 1));
        add(What.OK, append(X, 2, 1L));
        add(What.OK, read(X, 2L));
        assertThat(violations(List.of(1L, 2L), List.of()))
                .singleElement()
                .asString()
                .startsWith("read what list 0");
    }

    @Test
    void anOwnAppendThatIsNotSeen() {
        add(What.OK, append(X, 1), read(X));
        assertThat(violations(List.of(1L), List.of()))
                .singleElement()
                .asString()
                .startsWith("read what list 0");
    }

    @Test
    void g0() {
        add(What.OK, append(X, 1), append(Y, 4));
        add(What.OK, append(X, 2), append(Y, 3));
        assertThat(violations(List.of(1L, 2L), List.of(3L, 4L))).anyMatch(line -> line.startsWith("G0 of"));
    }

    @Test
    void g1c() {
        add(What.OK, append(X, 1), read(Y, 2L));
        add(What.OK, append(Y, 2), read(X, 1L));
        assertThat(violations(List.of(1L), List.of(2L))).containsExactly("G1C of [t2, t1]");
    }

    @Test
    void gSingle() {
        add(What.OK, append(X, 1), append(Y, 2));
        add(What.OK, read(X, 1L), read(Y));
        assertThat(violations(List.of(1L), List.of(2L))).containsExactly("G_SINGLE of [t1, t2]");
    }

    @Test
    void aReadOfAnOldState() {
        addAt(0, 10, What.OK, append(X, 1));
        addAt(100, 110, What.OK, read(X));
        assertThat(violations(List.of(1L), List.of()))
                .singleElement()
                .asString()
                .startsWith("G_SINGLE_IN_TIME of");
        attempts.removeLast();
        addAt(20, 110, What.OK, read(X));
        assertThat(violations(List.of(1L), List.of())).as("clocks differ").isEmpty();
    }

    /** A long fork: each reader is of one state, and no order of states has both. */
    @Test
    void twoReadersOfTwoOrders() {
        add(What.OK, append(X, 1));
        add(What.OK, append(Y, 2));
        add(What.OK, read(X, 1L), read(Y));
        add(What.OK, read(X), read(Y, 2L));
        assertThat(judge(ConsistencyLevel.SNAPSHOT, List.of(1L), List.of(2L)).violations())
                .singleElement()
                .asString()
                .startsWith("G_NONADJACENT of");
    }

    @Test
    void writeSkewIsForSnapshotAlone() {
        add(What.OK, read(X), append(Y, 2));
        add(What.OK, read(Y), append(X, 1));
        assertThat(judge(ConsistencyLevel.SNAPSHOT, List.of(1L), List.of(2L)))
                .isEqualTo(new ListVerdict.Result(2, 0, 0, 0, 1, List.of()));
        assertThat(judge(ConsistencyLevel.SERIALIZABLE, List.of(1L), List.of(2L))
                        .violations())
                .singleElement()
                .asString()
                .startsWith("G2 of");
    }

    /** Its cycle has an edge that real time alone gives: the second was acknowledged before the third began. */
    @Test
    void skewInTimeIsForSnapshotAlone() {
        addAt(0, 200, What.OK, read(Y), append(X, 1));
        addAt(0, 10, What.OK, append(Y, 2));
        addAt(100, 110, What.OK, read(X));
        assertThat(violations(List.of(1L), List.of(2L))).isEmpty();
        assertThat(judge(ConsistencyLevel.SERIALIZABLE, List.of(1L), List.of(2L))
                        .violations())
                .singleElement()
                .asString()
                .startsWith("G2_IN_TIME of");
    }

    @Test
    void aHistoryThatIsCutShort() throws Exception {
        Path path = directory.resolve("history");
        Step step = append(X, 1, 7L);
        try (ListHistory history = new ListHistory(path)) {
            history.write(What.BEGUN, 1, 10, List.of());
            history.write(What.DONE, 1, 11, List.of(step));
            history.write(What.OK, 1, 12, List.of());
            history.write(What.BEGUN, 2, 20, List.of());
            history.write(What.DONE, 2, 21, List.of(step));
        }
        Files.writeString(path, "{\"what\":\"OK\"", StandardOpenOption.APPEND);
        assertThat(ListHistory.acknowledged(path)).isEqualTo(1);
        assertThat(ListHistory.read(path))
                .containsExactly(
                        new Attempt("history#1", What.OK, 10, 12, List.of(step)),
                        new Attempt("history#2", What.UNKNOWN, 20, 21, List.of(step)));
    }
}
