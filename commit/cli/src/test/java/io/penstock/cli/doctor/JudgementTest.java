package io.penstock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.doctor.Finding.Outcome;
import io.penstock.core.object.s3.BucketSettings;
import io.penstock.report.Backlog;
import io.penstock.report.LogStats;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What facts mean. */
class JudgementTest {
    @ParameterizedTest
    @CsvSource({"0, OK", "-4000, OK", "6000, WARNING", "-299000, WARNING", "301000, FAILED", "-301000, FAILED"})
    void clocksMayDifferALittle(long aheadMillis, Outcome outcome) {
        assertThat(Judgement.clock(Duration.ofMillis(aheadMillis)).outcome()).isEqualTo(outcome);
    }

    @ParameterizedTest
    @CsvSource({
        "'', expires them, FAILED",
        "pen, expires them, FAILED",
        "penstock/log/, expires them, FAILED",
        "penstock/, moves them to GLACIER, FAILED",
        "shop/, expires them, OK",
        "penstock2/, expires them, OK",
        "penstock/, , OK"
    })
    void rulesThatTakeObjectsOfTheStoreAreFailures(String prefix, String takes, Outcome outcome) {
        BucketSettings.Rule rule =
                new BucketSettings.Rule("r", prefix, takes == null ? List.of() : List.of(takes), false);
        BucketSettings.Rule uploads = new BucketSettings.Rule("u", "", List.of(), true);
        assertThat(lifecycle(List.of(rule, uploads)).outcome()).isEqualTo(outcome);
    }

    private static Finding lifecycle(List<BucketSettings.Rule> rules) {
        BucketSettings settings =
                new BucketSettings(Optional.of(false), Optional.of(false), Optional.of("none"), Optional.of(rules));
        return Judgement.bucket(settings, "penstock").getFirst();
    }

    @Test
    void uploadsThatNothingEndsAreAWarning() {
        assertThat(lifecycle(List.of()).outcome()).isEqualTo(Outcome.WARNING);
    }

    @Test
    void whatTheServerDoesNotTellIsNotChecked() {
        BucketSettings untold =
                new BucketSettings(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
        assertThat(Judgement.bucket(untold, "penstock"))
                .hasSize(4)
                .allMatch(found -> found.outcome() == Outcome.UNCHECKED);
        BucketSettings costly =
                new BucketSettings(Optional.of(true), Optional.of(true), Optional.of("aws:kms key"), Optional.empty());
        assertThat(Judgement.bucket(costly, "penstock").subList(1, 4))
                .allMatch(found -> found.outcome() == Outcome.WARNING);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, OK",
        "5, 1, 0, OK",
        "5, 0, 0, WARNING",
        "5, 1, 11, WARNING",
        "5, 1, 721, FAILED",
        "0, 1, 721, OK"
    })
    void aBacklogIsJudgedByItsAgeAndByWhoIsThere(long pending, long alive, long minutes, Outcome outcome) {
        Backlog backlog = new Backlog(
                pending, 0, 0, Optional.of(Duration.ofMinutes(minutes)).filter(age -> !age.isZero()));
        assertThat(Judgement.backlog(backlog, alive).outcome()).isEqualTo(outcome);
    }

    @ParameterizedTest
    @CsvSource({"10, 1, OK", "10, 11, WARNING", "100000000, 1, FAILED"})
    void aLogIsJudgedByItsTail(long bytes, long minutes, Outcome outcome) {
        LogStats log = new LogStats("shop", 9, bytes, 9, 8, 0, bytes, Optional.of(Duration.ofMinutes(minutes)));
        assertThat(Judgement.logs(List.of(log))).singleElement().matches(found -> found.outcome() == outcome);
    }

    @ParameterizedTest
    @CsvSource({"1, OK", "0, WARNING", "2, FAILED"})
    void aRaceHasOneWinner(long winners, Outcome outcome) {
        assertThat(Judgement.race(List.of(1L, winners)).outcome()).isEqualTo(outcome);
    }

    @Test
    void theRestIsTold() {
        assertThat(Judgement.answered("s", Duration.ofMillis(1500)).outcome()).isEqualTo(Outcome.WARNING);
        assertThat(Judgement.kept(1).outcome()).isEqualTo(Outcome.WARNING);
        assertThat(Judgement.formats(List.of("words")).outcome()).isEqualTo(Outcome.FAILED);
        List<String> clients = List.of("0a silent since x", "0b alive since x");
        assertThat(Judgement.clients(clients).line())
                .isEqualTo("warning: clients: 2 known, 1 silent; run sweep, which finishes what they committed");
        assertThat(Judgement.alive(clients)).isOne();
    }
}
