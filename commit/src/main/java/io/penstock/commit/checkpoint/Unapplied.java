package io.penstock.commit.checkpoint;

import io.penstock.commit.queue.Position;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.core.ClientId;
import io.penstock.core.task.MemoryLock;
import io.penstock.core.task.Timekeeper;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;

/**
 * The log records that this client has in PU queues and has not seen applied, with the times when they were sent. Those
 * that have an order are applied when a ledger says so; all are when a checkpoint that began later has emptied the
 * queue. Safe for use by many threads.
 */
public final class Unapplied {
    /** The time within which records of one sender count as one, so that a long wait needs no memory. */
    private static final Duration GRAIN = Duration.ofSeconds(10);

    /** The maximum number of runs kept for one sender and queue; then the last one grows. */
    private static final int RUNS_MAX = 10_000;

    /**
     * The number of checkpoints that have taken all that a queue showed, after which records without an order count as
     * applied.
     */
    private static final int LOOKS = 5;

    private final Timekeeper time;
    private final MemoryLock lock = new MemoryLock();

    /** The runs of records not known to be applied, by queue and sender; no entry is empty. Guarded by lock. */
    private final Map<PuQueueId, Map<ClientId, ArrayDeque<Run>>> queues = new TreeMap<>();

    /**
     * Records that were sent one after another.
     *
     * @param last their highest number; 0 if they have no order
     * @param looks the checkpoints that began later and took all that the queue showed
     */
    private record Run(long last, long sinceNanos, long untilNanos, int looks) {
        Run lookedAt(long startNanos) {
            return untilNanos - startNanos <= 0 ? new Run(last, sinceNanos, untilNanos, looks + 1) : this;
        }
    }

    Unapplied(Timekeeper time) {
        this.time = time;
    }

    /** Records that log records have arrived in a queue. */
    void sent(Position position) {
        long now = time.nanoTime();
        lock.run(() -> {
            ArrayDeque<Run> runs = queues.computeIfAbsent(position.queue(), queue -> new TreeMap<>())
                    .computeIfAbsent(position.client(), client -> new ArrayDeque<>());
            Run open = runs.peekLast();
            if (open != null && (now - open.sinceNanos < GRAIN.toNanos() || runs.size() == RUNS_MAX)) {
                runs.removeLast();
                runs.add(new Run(Math.max(open.last, position.last()), open.sinceNanos, now, 0));
            } else {
                runs.add(new Run(position.last(), now, now, 0));
            }
        });
    }

    /** Drops the records that a ledger has, as applied or given up: the ledger covers later ones. */
    void applied(PuQueueId queue, Ledger ledger) {
        lock.run(() -> drop(
                queue,
                (client, run) -> run.last > 0 && run.last <= ledger.of(client).highest()));
    }

    /** Drops the records sent before the start of a checkpoint that emptied the queue. */
    void emptied(PuQueueId queue, long startNanos) {
        lock.run(() -> drop(queue, (client, run) -> run.untilNanos - startNanos <= 0));
    }

    /**
     * Notes a checkpoint that has taken all that the queue showed. A queue that is busy always shows something, so it
     * is not emptied; but a record without an order that several of them have not met is not there.
     */
    void looked(PuQueueId queue, long startNanos) {
        lock.run(() -> {
            queues.getOrDefault(queue, Map.of())
                    .values()
                    .forEach(runs -> runs.addAll(takeAll(runs).stream()
                            .map(run -> run.lookedAt(startNanos))
                            .toList()));
            drop(queue, (client, run) -> run.last == 0 && run.looks >= LOOKS);
        });
    }

    private static List<Run> takeAll(ArrayDeque<Run> runs) {
        List<Run> all = List.copyOf(runs);
        runs.clear();
        return all;
    }

    /** Forgets a queue that is gone, with what was in it. */
    void forget(PuQueueId queue) {
        lock.run(() -> queues.remove(queue));
    }

    private void drop(PuQueueId queue, BiPredicate<ClientId, Run> which) {
        queues.computeIfPresent(queue, (id, senders) -> {
            senders.forEach((client, runs) -> runs.removeIf(run -> which.test(client, run)));
            senders.values().removeIf(ArrayDeque::isEmpty);
            return senders.isEmpty() ? null : senders;
        });
    }

    /** Whether anything of this client is not known to be applied from a queue. */
    boolean isAwaited(PuQueueId queue) {
        return lock.with(() -> queues.containsKey(queue));
    }

    /**
     * Whether records are awaited from a queue, all of them with an order, so that its ledger will show when they are
     * applied.
     */
    public boolean isTold(PuQueueId queue) {
        return lock.with(() -> {
            Map<ClientId, ArrayDeque<Run>> senders = queues.getOrDefault(queue, Map.of());
            return !senders.isEmpty()
                    && senders.values().stream().allMatch(runs -> runs.stream().allMatch(run -> run.last > 0));
        });
    }

    /** The queues from which something of this client is not known to be applied. */
    Set<PuQueueId> queues() {
        return lock.with(() -> new TreeSet<>(queues.keySet()));
    }

    /** The age of the oldest of it; empty when there is none. */
    Optional<Duration> age() {
        return queues().stream().map(this::age).max(Comparator.naturalOrder());
    }

    /** The age of the oldest of it in one queue; zero when there is none. */
    Duration age(PuQueueId queue) {
        long now = time.nanoTime();
        return lock.with(() -> Duration.ofNanos(queues.getOrDefault(queue, Map.of()).values().stream()
                .mapToLong(runs -> now - runs.getFirst().sinceNanos)
                .max()
                .orElse(0)));
    }
}
