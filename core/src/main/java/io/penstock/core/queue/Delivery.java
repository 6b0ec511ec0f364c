package io.penstock.core.queue;

import io.penstock.core.Bytes;

/**
 * One delivery of a message.
 *
 * @param messageId the id of the message, equal at each of its deliveries
 * @param receipt names this delivery, for deleting the message or changing its visibility
 * @param sentMillis when the queue took the message, by the server's clock, milliseconds since 1970
 * @param receiveCount the number of deliveries so far, this one included; approximate
 */
public record Delivery(String messageId, Receipt receipt, Bytes body, long sentMillis, int receiveCount) {}
