package io.penstock.commit.token;

import io.penstock.commit.checkpoint.Ledger;
import io.penstock.commit.checkpoint.LedgerStore;
import io.penstock.commit.queue.Position;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.core.StoreException;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Promise;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The wait until log records of a session are applied, wherever it has sent them. Safe for use by many threads.
 *
 * @param checkpoint applies a queue, unless another client does, if this client may
 */
record CatchUp(Tasks tasks, LedgerStore ledgers, Consumer<PuQueueId> checkpoint) {
    private static final Logger LOG = LoggerFactory.getLogger(CatchUp.class);

    private static final int QUEUES_AT_ONCE = 8;

    /** The first pause before a ledger is read again, less and less often: others may be checkpointing the queue. */
    private static final Duration PAUSE_MIN = Duration.ofMillis(100);

    private static final Duration PAUSE_MAX = Duration.ofSeconds(1);

    /** Returns the parts of the places that the ledgers do not have. Pure. */
    static List<Position> remaining(List<Position> places, Function<PuQueueId, Ledger> ledgers) {
        return places.stream()
                .filter(place -> !ledgers.apply(place.queue()).covers(place.client(), place.first(), place.last()))
                .toList();
    }

    /** Returns the places that the ledgers, as they are now, do not have. Asks for each ledger only if it must. */
    List<Position> look(List<Position> places) {
        List<Position> left = remaining(places, ledgers::lastSeen);
        each(left, ledgers::refresh);
        return remaining(left, ledgers::lastSeen);
    }

    /** Returns true as soon as all is applied; false when it is not within this time. Checkpoints the queues. */
    boolean await(List<Position> places, Duration within) {
        List<Position> left = look(places);
        if (left.isEmpty() || !within.isPositive()) {
            return left.isEmpty();
        }
        Promise<Boolean> done = tasks.promise();
        AtomicBoolean over = new AtomicBoolean();
        tasks.start("catch up", () -> {
            boolean applied = false;
            try {
                applied = work(left, tasks.nanoTime() + within.toNanos(), over);
            } finally {
                done.complete(applied);
            }
        });
        // In a task of its own, since one request may last longer than the caller has.
        boolean ended = done.awaitFor(within);
        over.set(true);
        return ended && done.await();
    }

    private boolean work(List<Position> places, long deadline, AtomicBoolean over) {
        List<Position> left = places;
        Duration pause = PAUSE_MIN;
        while (!over.get()) {
            each(left, queue -> {
                checkpoint.accept(queue);
                ledgers.refresh(queue);
            });
            left = remaining(left, ledgers::lastSeen);
            if (left.isEmpty()) {
                return true;
            }
            if (tasks.nanoTime() - deadline >= 0) {
                return false;
            }
            tasks.sleep(pause);
            pause = pause.multipliedBy(2).compareTo(PAUSE_MAX) < 0 ? pause.multipliedBy(2) : PAUSE_MAX;
        }
        return false;
    }

    private void each(List<Position> places, Consumer<PuQueueId> work) {
        List<PuQueueId> queues = places.stream().map(Position::queue).distinct().toList();
        var unused = Parallel.map(tasks, QUEUES_AT_ONCE, queues, queue -> attempt(queue, work));
    }

    private static boolean attempt(PuQueueId queue, Consumer<PuQueueId> work) {
        try {
            work.accept(queue);
            return true;
        } catch (StoreException failure) {
            LOG.debug("a session waits for a queue that fails queue={} why={}", queue, failure.getMessage());
            return false;
        }
    }
}
