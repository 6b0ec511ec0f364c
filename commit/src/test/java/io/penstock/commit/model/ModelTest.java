package io.penstock.commit.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.commit.model.Scope.Rule;
import io.penstock.commit.model.Scope.Txn;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A search of the protocol's whole model: the promises hold in every state, and each rule is needed for one of them.
 */
class ModelTest {
    private static final Logger LOG = LoggerFactory.getLogger(ModelTest.class);
    private static final int STATES_MAX = 20_000_000;

    /** Client 0 writes two keys, then one of them again; client 1 writes, or deletes, that one in between. */
    private static final List<Txn> ORDERED = List.of(Txn.put(0, 1, 0, 1), Txn.delete(1, 0), Txn.put(0, 1, 0));

    /** The first message of client 0 can never be applied. */
    private static final List<Txn> STRANGE = List.of(Txn.strange(0, 0, 1), Txn.delete(1, 0), Txn.put(0, 1, 0));

    /** A transaction of one part, and a newer one of two parts, the last of which is its commit record. */
    private static final List<Txn> WHOLE = List.of(Txn.put(1, 1, 0, 1), Txn.put(0, 2, 0, 1));

    /** MONOTONIC: messages of one queue, every call of two checkpointers who both believe to have the lease. */
    private static Scope checkpoints(boolean leafPerKey, int recordsPerMessage) {
        return new Scope(false, ORDERED, 1, leafPerKey, recordsPerMessage, 2, true, 0, false, 0, 0, 0, 0, 0, Set.of());
    }

    /** MONOTONIC: a checkpoint is one step. */
    private static Scope forgetful(List<Txn> transactions, int recordsPerMessage) {
        return new Scope(false, transactions, 1, false, recordsPerMessage, 2, false, 0, false, 0, 0, 0, 0, 0, Set.of());
    }

    /** ATOMIC: two PU queues, so that a transaction can be torn; a checkpoint is one step. */
    private static Scope commits(int adopters, boolean suspicion) {
        return new Scope(true, WHOLE, 2, false, 1, 1, false, adopters, suspicion, 0, 0, 0, 0, 0, Set.of());
    }

    /** ATOMIC with one PU queue, and every call of the checkpointers too. */
    private static Scope everything(int checkpointers) {
        return new Scope(true, WHOLE, 1, false, 2, checkpointers, true, 1, false, 0, 0, 0, 0, 0, Set.of());
    }

    private static Explorer.Found search(Scope scope) {
        Explorer.Found found = new Explorer<>(new ProtocolState(new World(scope)), STATES_MAX).run();
        LOG.info("{}\n  {}", scope, found);
        return found;
    }

    private static void holds(Scope scope) {
        Explorer.Found found = search(scope);
        assertThat(found.broken()).as("%s", found).isNull();
        assertThat(found.ends()).isPositive();
    }

    @Test
    void checkpointsKeepEveryRecordAndItsOrder() {
        holds(checkpoints(false, 2).faults(1, 0, 1));
    }

    /** A queue forgets a message of a client that lives or dies, or one that goes into quarantine is before others. */
    @Test
    void whatIsForgottenOrRefusedHoldsNobodyBack() {
        holds(checkpoints(false, 2).faults(0, 0, 1).forgetting(1, 0));
        holds(forgetful(STRANGE, 1).faults(1, 0, 1).forgetting(1, 0));
    }

    /** Entries of ledgers go, of the dead and of clients that live and were idle. */
    @Test
    void aLedgerThatForgetsHoldsNobodyBack() {
        holds(forgetful(ORDERED, 1).faults(1, 0, 1).forgetting(1, 2));
    }

    @Test
    void commitsAreWholeWhateverCrashes() {
        holds(commits(2, false).faults(0, 0, 1));
        holds(everything(2).faults(0, 0, 1));
    }

    @ParameterizedTest
    @CsvSource({"true, 2, 1, 0, 1", "true, 1, 0, 1, 0", "false, 1, 0, 0, 1"})
    @Tag("long")
    void checkpointsInLargerScopes(boolean leafPerKey, int records, int redeliveries, int lost, int crashes) {
        holds(checkpoints(leafPerKey, records).faults(redeliveries, lost, crashes));
    }

    @ParameterizedTest
    @CsvSource({"1, false, 1, 0, 1", "1, true, 0, 0, 0"})
    @Tag("long")
    void commitsInLargerScopes(int adopters, boolean suspicion, int redeliveries, int lost, int crashes) {
        holds(commits(adopters, suspicion).faults(redeliveries, lost, crashes));
    }

    /** Minutes: by hand, see docs/MODEL.md. */
    @ParameterizedTest
    @CsvSource({
        "checkpoints, 0, 1, 1",
        "adopters, 1, 0, 1",
        "commits, 0, 0, 1",
        "commits, 0, 1, 0",
        "commits, 1, 0, 1",
        "everything, 1, 0, 1",
        "everything, 0, 1, 1"
    })
    @EnabledIfSystemProperty(named = "model", matches = "large")
    void everythingInTheLargestScopes(String of, int redeliveries, int lost, int crashes) {
        Scope scope = switch (of) {
            case "checkpoints" -> checkpoints(false, 1);
            case "adopters" -> commits(2, false);
            case "commits" -> commits(1, true);
            default -> everything(2);
        };
        holds(scope.faults(redeliveries, lost, crashes));
    }

    /**
     * The promise that each rule is for: without the rule, this is the first that is broken, in a scope in which all
     * promises hold with it.
     */
    private static String lostWithout(Rule rule) {
        return switch (rule) {
            case MESSAGES_ARE_DELETED_LAST, PARTS_ARE_DELETED_WHEN_FORWARDED, PARTS_WITHOUT_THE_OTHERS_ARE_KEPT ->
                "acknowledged writes survive";
            case PAGES_ARE_PUT_BEFORE_THE_LEDGER, THE_NEWEST_STAMP_WINS, HOLES_STAY_ON_RECORD ->
                "what the ledger covers is on the pages";
            case PAGES_ARE_PUT_IF_UNCHANGED -> "a page never goes back to an older record";
            case RECORDS_BEHIND_A_HOLE_ARE_HELD_BACK,
                    A_FAILED_SENDER_GETS_A_NEW_ID,
                    NUMBERS_OF_REFUSED_MESSAGES_ARE_SPENT,
                    ONLY_THE_DEAD_ARE_FORGOTTEN -> "records of a living client are applied in order";
            case ORDER_IS_GIVEN_UP_IN_THE_END -> "the backlog drains: no end can be reached any more";
            case ONLY_A_COMMIT_RECORD_COMMITS -> "all or nothing";
        };
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"A_FAILED_SENDER_GETS_A_NEW_ID"})
    void withoutARuleAPromiseIsBroken(Rule rule) {
        Scope scope = switch (rule) {
            case ONLY_A_COMMIT_RECORD_COMMITS, PARTS_ARE_DELETED_WHEN_FORWARDED, PARTS_WITHOUT_THE_OTHERS_ARE_KEPT ->
                commits(2, false).faults(0, 0, 1);
            case HOLES_STAY_ON_RECORD -> checkpoints(false, 1).faults(0, 0, 1);
            case ORDER_IS_GIVEN_UP_IN_THE_END ->
                forgetful(ORDERED, 2).faults(0, 0, 1).forgetting(1, 0);
            case NUMBERS_OF_REFUSED_MESSAGES_ARE_SPENT -> forgetful(STRANGE, 2).faults(0, 0, 1);
            case ONLY_THE_DEAD_ARE_FORGOTTEN ->
                forgetful(ORDERED, 2).faults(0, 0, 1).forgetting(0, 2);
            default -> checkpoints(false, 2).faults(1, 0, 1);
        };
        assertThat(search(scope.without(rule)).broken()).isEqualTo(lostWithout(rule));
    }

    @Test
    @Tag("long")
    void withoutANewIdOrderIsLost() {
        Scope scope = checkpoints(true, 1).faults(0, 1, 0);
        Rule rule = Rule.A_FAILED_SENDER_GETS_A_NEW_ID;
        assertThat(search(scope.without(rule)).broken()).isEqualTo(lostWithout(rule));
    }
}
