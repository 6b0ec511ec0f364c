package io.penstock.core.queue;

/** The result for one message of a batch. */
public sealed interface SendResult {
    /** The queue has the message, and keeps it for its retention. */
    record Sent(String messageId) implements SendResult {}

    /**
     * The queue refused the message.
     *
     * @param senderFault true when sending the same again will fail again
     * @param reason the server's code
     */
    record NotSent(boolean senderFault, String reason) implements SendResult {}
}
