package io.penstock.core.queue;

/** What became of one message of a batch. */
public sealed interface SendResult {
    /** The queue has it, and will keep it for its retention. */
    record Sent(String messageId) implements SendResult {}

    /**
     * The queue did not take it.
     *
     * @param senderFault true when sending the same again will fail again
     * @param reason the server's code
     */
    record NotSent(boolean senderFault, String reason) implements SendResult {}
}
