package io.penstock.commit.checkpoint;

import io.penstock.commit.client.ServerClock;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.core.task.Timekeeper;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The oldest messages that this client's last checkpoints have left in their queues, whoever sent them. Safe for use by
 * many threads.
 */
final class LeftBehind {
    /** After this time without another look, others may have applied what was left. */
    private static final Duration KNOWN_FOR = Duration.ofMinutes(10);

    private final Timekeeper time;
    private final ServerClock serverClock;
    private final Map<PuQueueId, Seen> seen = new ConcurrentHashMap<>();

    private record Seen(long oldestMillis, long nanos) {}

    LeftBehind(Timekeeper time, ServerClock serverClock) {
        this.time = time;
        this.serverClock = serverClock;
    }

    /** Notes what a checkpoint that had the lease has done and left. */
    void note(PuQueueId queue, Checkpointer.Outcome left) {
        if (left.oldestMillis().isPresent()) {
            seen.put(queue, new Seen(left.oldestMillis().getAsLong(), time.nanoTime()));
        } else {
            seen.remove(queue);
        }
    }

    void forget(PuQueueId queue) {
        seen.remove(queue);
    }

    /** The age of the oldest message that was left; empty when none is known. */
    Optional<Duration> age() {
        long now = time.nanoTime();
        seen.values().removeIf(left -> now - left.nanos > KNOWN_FOR.toNanos());
        return seen.values().stream()
                .map(left -> Duration.ofMillis(serverClock.nowMillis() - left.oldestMillis))
                .max(Comparator.naturalOrder());
    }
}
