package io.penstock.commit.checkpoint;

import io.penstock.core.queue.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The messages that a checkpoint cannot apply yet. It keeps them for its next plan, which may have what they lack, and
 * so gets past any number of them. Beyond a bound of bytes it keeps none; those stay hidden until the checkpoint ends.
 * Not safe for use by many threads.
 */
final class HeldBack {
    private final long bytesMax;
    private List<CheckpointPlan.Received> kept = new ArrayList<>();
    private long left;
    private long oldestMillis = Long.MAX_VALUE;

    HeldBack(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Takes those that were kept. */
    List<CheckpointPlan.Received> take() {
        List<CheckpointPlan.Received> taken = kept;
        kept = new ArrayList<>();
        return taken;
    }

    /** Keeps messages for the next plan, as far as there is room. */
    void keep(List<CheckpointPlan.Received> messages) {
        long bytes = 0;
        for (CheckpointPlan.Received message : messages) {
            bytes += message.delivery().body().length();
            if (bytes <= bytesMax) {
                kept.add(message);
            } else {
                leave(message.delivery());
            }
        }
    }

    /** Notes a message that this checkpoint has seen and leaves in the queue. */
    void leave(Delivery delivery) {
        left++;
        note(delivery.sentMillis());
    }

    /** Notes that messages are left which were sent after these: they were not reached. */
    void leaveThoseAfter(List<Delivery> last) {
        last.stream().mapToLong(Delivery::sentMillis).max().ifPresent(this::note);
    }

    private void note(long sentMillis) {
        oldestMillis = Math.min(oldestMillis, sentMillis);
    }

    /** What is left in the queue at the end. */
    CheckpointResult.Left left(boolean reached, boolean emptied) {
        kept.forEach(message -> note(message.delivery().sentMillis()));
        OptionalLong oldest = oldestMillis == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(oldestMillis);
        return new CheckpointResult.Left(reached, emptied, left + kept.size(), oldest);
    }
}
