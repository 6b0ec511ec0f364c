package io.penstock.commit.model;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The scope of a search: its processes, and the faults that may happen. Transactions are in the order of their stamps.
 *
 * @param atomic whether transactions go through ATOMIC queues first (ATOMIC) or straight to the PU queues (MONOTONIC)
 * @param queues PU queues; key {@code k} belongs to queue {@code k % queues}
 * @param leafPerKey whether each key has a leaf of its own, or all share one
 * @param recordsPerMessage of PU messages
 * @param checkpointers the number that may be at work at the same time; number {@code i} crashes with client {@code i},
 *     and another takes its place. The lease is not modelled: it may always be lost
 * @param fine whether a checkpoint takes a step for each call, or one for all that it does
 * @param adopters the number that may recover the ATOMIC queue of a client at the same time
 * @param suspicion whether they may take a living client for dead
 * @param redeliveries how often a hidden or deleted message may be redelivered
 * @param lostAnswers how often a client may not learn the outcome of a send
 * @param crashes how many clients may stop for good
 * @param retentions how many PU messages may be forgotten by their queue, applied or not
 * @param prunings how many entries of ledgers may be dropped, of senders that are dead or were idle for long
 * @param off rules that the model leaves out, to see what they are for
 */
record Scope(
        boolean atomic,
        List<Txn> transactions,
        int queues,
        boolean leafPerKey,
        int recordsPerMessage,
        int checkpointers,
        boolean fine,
        int adopters,
        boolean suspicion,
        int redeliveries,
        int lostAnswers,
        int crashes,
        int retentions,
        int prunings,
        Set<Rule> off) {
    static final int CLIENTS = 2;
    static final int KEYS = 2;

    /**
     * One transaction: who commits it, which keys it writes, in how many messages of the ATOMIC queue.
     *
     * @param strange whether its log records can never be applied, so that its PU messages go into quarantine
     */
    record Txn(int client, List<Integer> keys, int parts, boolean deletes, boolean strange) {
        static Txn put(int client, int parts, Integer... keys) {
            return new Txn(client, List.of(keys), parts, false, false);
        }

        static Txn delete(int client, Integer... keys) {
            return new Txn(client, List.of(keys), 1, true, false);
        }

        static Txn strange(int client, Integer... keys) {
            return new Txn(client, List.of(keys), 1, false, true);
        }
    }

    /** A rule of the protocol that keeps a promise, to be left out once. */
    enum Rule {
        PAGES_ARE_PUT_IF_UNCHANGED,
        PAGES_ARE_PUT_BEFORE_THE_LEDGER,
        MESSAGES_ARE_DELETED_LAST,
        THE_NEWEST_STAMP_WINS,
        RECORDS_BEHIND_A_HOLE_ARE_HELD_BACK,
        HOLES_STAY_ON_RECORD,
        A_FAILED_SENDER_GETS_A_NEW_ID,
        ONLY_A_COMMIT_RECORD_COMMITS,
        PARTS_ARE_DELETED_WHEN_FORWARDED,
        PARTS_WITHOUT_THE_OTHERS_ARE_KEPT,
        NUMBERS_OF_REFUSED_MESSAGES_ARE_SPENT,
        ORDER_IS_GIVEN_UP_IN_THE_END,
        ONLY_THE_DEAD_ARE_FORGOTTEN
    }

    Scope without(Rule rule) {
        return new Scope(
                atomic,
                transactions,
                queues,
                leafPerKey,
                recordsPerMessage,
                checkpointers,
                fine,
                adopters,
                suspicion,
                redeliveries,
                lostAnswers,
                crashes,
                retentions,
                prunings,
                EnumSet.of(rule));
    }

    Scope faults(int redeliveriesNow, int lostAnswersNow, int crashesNow) {
        return new Scope(
                atomic,
                transactions,
                queues,
                leafPerKey,
                recordsPerMessage,
                checkpointers,
                fine,
                adopters,
                suspicion,
                redeliveriesNow,
                lostAnswersNow,
                crashesNow,
                retentions,
                prunings,
                off);
    }

    Scope forgetting(int retentionsNow, int pruningsNow) {
        return new Scope(
                atomic,
                transactions,
                queues,
                leafPerKey,
                recordsPerMessage,
                checkpointers,
                fine,
                adopters,
                suspicion,
                redeliveries,
                lostAnswers,
                crashes,
                retentionsNow,
                pruningsNow,
                off);
    }

    boolean holds(Rule rule) {
        return !off.contains(rule);
    }
}
