package io.penstock.core.queue.local;

/**
 * The name of a message: its queue, and its number in it.
 *
 * @param queue the queue's number, not negative
 * @param number counts the queue's messages, not negative
 */
record MessageKey(long queue, long number) implements Comparable<MessageKey> {
    @Override
    public int compareTo(MessageKey other) {
        int byQueue = Long.compare(queue, other.queue);
        return byQueue != 0 ? byQueue : Long.compare(number, other.number);
    }
}
