package io.penstock.commit.domain;

import io.penstock.core.queue.MessageQueue;
import java.time.Duration;
import java.util.function.Function;

/**
 * The way in which clients that lose races for the next segment hand their transactions to the winner. Decision 0035
 * has the figures behind the numbers.
 *
 * @param queues finds or makes the intake of a domain, asked for at each use
 * @param batch the most messages of a call
 * @param messageBytes the most bytes of transactions in a message
 * @param tries the puts that a client loses in a row before it hands in
 * @param lookEvery the least time between two looks at the intake of a client that has found nothing there
 * @param listen the longest wait of one receive by a client that puts for others
 * @param listeners the most receives at a time of such a client: while one brings what it has found, another waits
 */
public record Handover(
        Function<String, MessageQueue> queues,
        int batch,
        int messageBytes,
        int tries,
        Duration lookEvery,
        Duration listen,
        int listeners) {
    /** By no way: losers race again. */
    public static final Handover NONE = new Handover(
            domain -> {
                throw new IllegalStateException("there is no intake");
            },
            1,
            0,
            1,
            Duration.ZERO,
            Duration.ZERO,
            0);

    /** By a queue: to hand in takes a sixth of a put, and a look costs a tenth of one. */
    public static Handover byQueue(Function<String, MessageQueue> queues) {
        int messageBytes = 200 << 10; // well below what every queue takes
        return new Handover(queues, 10, messageBytes, 1, Duration.ofMillis(50), Duration.ofSeconds(1), 2);
    }

    /** By a folder of objects: to hand in takes a put, and a look costs as much, so both are for lasting contention. */
    public static Handover byFolder(Function<String, MessageQueue> folders) {
        int messageBytes = (int) IntakeQueue.TRANSACTION_BYTES_MAX;
        return new Handover(folders, 100, messageBytes, 4, Duration.ofSeconds(1), Duration.ofMillis(200), 1);
    }
}
