package io.penstock.commit;

/**
 * What a recovery did for clients that had died.
 *
 * @param clients dead clients whose ATOMIC queue was drained
 * @param forwarded transactions that had been committed and were now forwarded
 * @param deleted transactions that had not been committed and were now removed
 * @param undecided transactions without a commit record that are too young to be removed
 * @param undecidedMessages in which their parts are, in the ATOMIC queues of their clients
 */
public record RecoveryReport(int clients, long forwarded, long deleted, long undecided, long undecidedMessages) {
    public static final RecoveryReport NONE = new RecoveryReport(0, 0, 0, 0, 0);

    public RecoveryReport plus(RecoveryReport other) {
        return new RecoveryReport(
                clients + other.clients,
                forwarded + other.forwarded,
                deleted + other.deleted,
                undecided + other.undecided,
                undecidedMessages + other.undecidedMessages);
    }
}
