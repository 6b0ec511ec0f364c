package io.penstock.report;

/**
 * The outcome of a recovery of dead clients.
 *
 * @param clients dead clients whose ATOMIC queue was drained
 * @param forwarded transactions that had been committed and were now forwarded
 * @param undecided transactions of which not all parts were found: mostly those that their client did not finish. They
 *     stay where they are until the queue forgets them, 14 days after they were sent
 * @param undecidedMessages in which their parts are, in the ATOMIC queues of their clients
 * @param tooLarge transactions that are larger than {@link io.penstock.Settings.Advanced#transactionBytesMax} of this
 *     client. They stay in their queues for one that may hold more in memory; {@link Backlog} counts their messages
 * @param failed dead clients that could not be recovered this time, each with its reason in the log; the next recovery
 *     tries again
 */
public record RecoveryReport(
        int clients, long forwarded, long undecided, long undecidedMessages, long tooLarge, int failed) {
    public static final RecoveryReport NONE = new RecoveryReport(0, 0, 0, 0, 0, 0);

    /** The sum of two reports. */
    public RecoveryReport plus(RecoveryReport other) {
        return new RecoveryReport(
                clients + other.clients,
                forwarded + other.forwarded,
                undecided + other.undecided,
                undecidedMessages + other.undecidedMessages,
                tooLarge + other.tooLarge,
                failed + other.failed);
    }
}
