package io.penstock.commit.simulation.surface;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.ConsistencyLevel;
import io.penstock.commit.simulation.surface.Attempt.End;
import io.penstock.commit.simulation.surface.Judge.Commit;
import io.penstock.commit.simulation.surface.Proposals.Proposed;
import io.penstock.commit.simulation.surface.Proposals.Settling;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The judge of reviews tells each way in which a proposal may come to nothing, too early, or twice. */
class ProposalsTest {
    private static final String VALUE = Item.of("w1", 0, "", 0, 3);
    private static final Proposed PROPOSED = new Proposed("w2", "a/k1", VALUE);
    private static final Map<String, Optional<String>> PROPOSES = Map.of("r/w2", Optional.of(PROPOSED.waiting()));
    private static final Map<String, Optional<String>> APPLIES =
            Map.of("a/k1", Optional.of(VALUE), "r/w2", Optional.empty());
    private static final Map<String, Optional<String>> REMOVES = Map.of("r/w2", Optional.empty());
    private static final Map<String, Optional<String>> PUTS = Map.of("a/k1", Optional.of(VALUE));
    private static final Map<String, Optional<String>> REJECTS = Map.of("r/w2", Optional.of(PROPOSED.rejected("w3")));

    private final Log log = new Log(false);

    private Attempt attempt(End end) {
        Attempt attempt = new Attempt(
                "u",
                "s",
                "REVIEW in session s",
                ConsistencyLevel.SERIALIZABLE,
                Duration.ZERO,
                log.attempts.size() * 1_000L);
        attempt.proposed = PROPOSED;
        attempt.end(end, attempt.beginNanos + 500);
        log.attempts.add(attempt);
        return attempt;
    }

    private Attempt settles(Settling how, End end) {
        Attempt attempt = attempt(end);
        attempt.settling = how;
        return attempt;
    }

    private void proposes() {
        attempt(End.COMMITTED).put("r/w2", PROPOSED.waiting());
    }

    private void rejects() {
        attempt(End.COMMITTED).put("r/w2", PROPOSED.rejected("w3"));
    }

    @SafeVarargs
    private List<Log.Broken> judged(Map<String, Optional<String>>... commits) {
        List<Commit> all = new ArrayList<>();
        for (Map<String, Optional<String>> changes : commits) {
            all.add(new Commit(Stamp.of(5 + all.size(), 0, new ClientId(1)), changes));
        }
        Proposals.attribute(log, all);
        Proposals.judge(log, all);
        return log.broken;
    }

    @Test
    void anApprovalIsOfWhoWasToldSo() {
        proposes();
        Attempt killed = settles(Settling.APPROVES, End.OPEN);
        Attempt told = settles(Settling.APPROVES, End.COMMITTED);
        assertThat(judged(PROPOSES, APPLIES)).isEmpty();
        assertThat(told.stamp).isNotEqualTo(Stamp.ZERO);
        assertThat(killed.stamp).isEqualTo(Stamp.ZERO);
    }

    @Test
    void anApprovalIsOfWhoWasKilledIfNobodyWasToldSo() {
        proposes();
        Attempt withdraws = settles(Settling.WITHDRAWS, End.UNKNOWN);
        Attempt killed = settles(Settling.APPROVES, End.OPEN);
        assertThat(judged(PROPOSES, APPLIES)).isEmpty();
        assertThat(killed.puts).containsEntry("a/k1", Optional.of(VALUE));
        assertThat(withdraws.puts).isEmpty();
    }

    @Test
    void anApprovalOfNobodyIsTold() {
        proposes();
        settles(Settling.APPROVES, End.FAILED);
        settles(Settling.WITHDRAWS, End.OPEN);
        assertThat(judged(PROPOSES, APPLIES)).hasSize(1);
    }

    @Test
    void anApprovalThatIsNotInTheLogIsTold() {
        proposes();
        settles(Settling.APPROVES, End.COMMITTED);
        assertThat(judged(PROPOSES)).hasSize(1);
    }

    @Test
    void ofTwoWhoWereToldOneHasNotDoneIt() {
        proposes();
        settles(Settling.APPROVES, End.COMMITTED);
        settles(Settling.APPROVES, End.COMMITTED);
        assertThat(judged(PROPOSES, APPLIES)).hasSize(1);
    }

    @Test
    void whatIsAppliedTwiceIsTold() {
        proposes();
        settles(Settling.APPROVES, End.COMMITTED);
        assertThat(judged(PROPOSES, APPLIES, PUTS)).hasSize(1);
    }

    @Test
    void whatIsAppliedBeforeItsApprovalIsTold() {
        proposes();
        settles(Settling.APPROVES, End.COMMITTED);
        assertThat(judged(PROPOSES, PUTS, APPLIES)).hasSize(1);
    }

    @Test
    void whatIsRemovedByAnotherTransactionIsTold() {
        proposes();
        settles(Settling.WITHDRAWS, End.COMMITTED);
        assertThat(judged(PROPOSES, PUTS, REMOVES)).hasSize(1);
    }

    @Test
    void whatWasRejectedIsNotApplied() {
        proposes();
        rejects();
        settles(Settling.APPROVES, End.OPEN);
        assertThat(judged(PROPOSES, REJECTS, APPLIES)).hasSize(1);
    }

    @Test
    void aRejectionOfNobodyIsTold() {
        proposes();
        assertThat(judged(PROPOSES, REJECTS)).hasSize(1);
    }

    @Test
    void aRejectedOneMayBeWithdrawn() {
        proposes();
        rejects();
        settles(Settling.WITHDRAWS, End.COMMITTED);
        assertThat(judged(PROPOSES, REJECTS, REMOVES)).isEmpty();
    }
}
