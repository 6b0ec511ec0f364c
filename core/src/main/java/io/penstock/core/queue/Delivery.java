package io.penstock.core.queue;

import io.penstock.core.Bytes;

/**
 * A message as it was received this time.
 *
 * @param messageId the same at every delivery of this message
 * @param receipt names this delivery: what deletes the message or changes its visibility
 * @param sentMillis when the queue took the message, by the server's clock, milliseconds since 1970
 * @param receiveCount how often it was received, this time included; approximate
 */
public record Delivery(String messageId, Receipt receipt, Bytes body, long sentMillis, int receiveCount) {}
