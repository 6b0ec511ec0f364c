package io.penstock.bench.experiment.candidates;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.program.Shell;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CandidatesTest {
    private static final Setup AWS = Setup.ALL.getFirst();

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... arguments) {
        return new CandidatesBench(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(arguments);
    }

    @ParameterizedTest
    @EnumSource
    void everyCandidateCommitsAndIsAFunctionOfItsSeed(Candidate candidate) {
        Trial trial = new Trial(candidate, AWS, 4, 2, KeyDraw.ZIPF, 5);
        Row row = trial.run();
        assertThat(row.commitsPerSecond()).isPositive();
        assertThat(row).isEqualTo(trial.run());
    }

    @Test
    void keysOfTheirOwnNeverConflict() {
        for (Candidate candidate : Candidate.values()) {
            assertThat(new Trial(candidate, AWS, 4, 2, KeyDraw.DISJOINT, 5)
                            .run()
                            .conflictsPerCommit())
                    .as("%s", candidate)
                    .isZero();
        }
    }

    @Test
    void losersThatCombineNeedFewerPuts() {
        Row race = new Trial(Candidate.RACE, AWS, 8, 2, KeyDraw.DISJOINT, 5).run();
        Row combine = new Trial(Candidate.COMBINE, AWS, 8, 2, KeyDraw.DISJOINT, 5).run();
        assertThat(combine.putsPerCommit()).isLessThan(race.putsPerCommit() / 4);
    }

    @Test
    void theFirstVerdictCounts() {
        Tail tail = new Tail();
        Intent first = new Intent(1, 7, 0);
        Intent rival = new Intent(2, 7, 0);
        Segment segment = tail.next(0, List.of(first, rival));
        assertThat(segment.committed()).containsExactly(first);
        assertThat(segment.refused()).containsExactly(rival.id());
        tail.add(Segment.decode(segment.encode()));
        tail.add(new Segment(2, 1, List.of(rival), List.of()));
        assertThat(tail.verdict(first)).hasValue(true);
        assertThat(tail.verdict(rival)).hasValue(false);
    }

    @Test
    void theTableIsMarkdown() {
        assertThat(run("--clients", "1", "--seconds", "1", "--candidates", "RACE"))
                .isEqualTo(Shell.DONE);
        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .hasSize(8)
                .allMatch(line -> line.startsWith("|") && line.endsWith("|"));
    }

    @ParameterizedTest
    @CsvSource({"--clients 0,--clients is out of range", "--seconds 0,--seconds is out of range"})
    void badOptionsAreOneLine(String arguments, String told) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(told).hasLineCount(1);
    }
}
