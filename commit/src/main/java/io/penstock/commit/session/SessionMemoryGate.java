package io.penstock.commit.session;

import io.penstock.commit.queue.PuQueueId;
import io.penstock.core.ErrorCode;
import io.penstock.core.RefusedException;
import io.penstock.core.memory.ByteBudget;
import io.penstock.core.task.Permits;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The way of commits into the memory of their sessions. From half of it on, queues are checkpointed early, and what is
 * applied leaves early. A commit that finds no room waits for some time, first come, first served, and is then refused.
 * Safe for use by many threads.
 */
public final class SessionMemoryGate {
    /** The pause between two looks for room. */
    private static final Duration LOOK_EVERY = Duration.ofMillis(50);

    /** The least time between two sweeps of all overlays, which look at every transaction in them. */
    private static final Duration RELIEVE_EVERY = Duration.ofMillis(250);

    private final Tasks tasks;
    private final Overlays overlays;
    private final ByteBudget budget;
    private final Consumer<Set<PuQueueId>> hurry;
    private final Duration waitMax;
    private final Permits line;
    private final AtomicLong inLine = new AtomicLong();
    private final AtomicLong relievedNanos;

    /**
     * @param hurry schedules early checkpoints of queues
     * @param waitMax the longest that a commit waits for room
     */
    public SessionMemoryGate(Tasks tasks, Overlays overlays, Consumer<Set<PuQueueId>> hurry, Duration waitMax) {
        this.tasks = tasks;
        this.overlays = overlays;
        this.budget = overlays.budget();
        this.hurry = hurry;
        this.waitMax = waitMax;
        this.line = new Permits(tasks, 1);
        this.relievedNanos = new AtomicLong(tasks.nanoTime() - RELIEVE_EVERY.toNanos());
    }

    /**
     * Takes room for a transaction of {@code bytes} bytes. The overlay gives it back; if the commit fails, the caller
     * does.
     *
     * @throws RefusedException when there is none for long
     */
    public void admit(long bytes) {
        if (budget.isHalfTaken()) {
            relieve();
        }
        if (inLine.get() == 0 && budget.tryTake(bytes)) {
            return;
        }
        long deadline = tasks.nanoTime() + waitMax.toNanos();
        inLine.incrementAndGet();
        try {
            line.run(() -> await(bytes, deadline));
        } finally {
            inLine.decrementAndGet();
        }
    }

    /** Gives back the room of a commit that has failed. */
    public void give(long bytes) {
        budget.give(bytes);
    }

    private void await(long bytes, long deadline) {
        while (!budget.tryTake(bytes)) {
            if (tasks.nanoTime() - deadline >= 0) {
                throw new RefusedException(
                        ErrorCode.BACKLOG_FULL,
                        "what is committed and not yet applied fills the memory for it, and checkpoints do not make"
                                + " room; nothing was committed, see that checkpoints run, or raise sessionBytes",
                        "bytes",
                        budget.used(),
                        "bytesMax",
                        budget.bytesMax(),
                        "waitedSeconds",
                        waitMax.toSeconds());
            }
            tasks.sleep(LOOK_EVERY);
            relieve();
        }
    }

    private void relieve() {
        long last = relievedNanos.get();
        long now = tasks.nanoTime();
        if (now - last >= RELIEVE_EVERY.toNanos() && relievedNanos.compareAndSet(last, now)) {
            hurry.accept(overlays.awaitedEarly());
        }
    }
}
