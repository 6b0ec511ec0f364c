package io.penstock.commit.domain;

import io.penstock.commit.domain.IntakeQueue.InHand;
import io.penstock.core.queue.Receipt;
import io.penstock.core.task.MemoryLock;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One client's part in combined commits: it decides the client's {@link Mode}, and holds the transactions that others
 * have handed in. All of it only saves work: messages of the intake queue may be lost, repeated or late. Safe for many
 * threads.
 *
 * <table>
 * <caption>Changes of mode</caption>
 * <tr><th>from</th><th>to</th><th>when</th></tr>
 * <tr><td>racing</td><td>handing in</td><td>a put was lost, or a rival's segment seen, and nothing is in hand</td></tr>
 * <tr><td>racing</td><td>combining</td><td>transactions of others were received, or put</td></tr>
 * <tr><td>handing in</td><td>racing</td><td>no rival was seen for a second</td></tr>
 * <tr><td>combining</td><td>handing in</td><td>a put was lost</td></tr>
 * <tr><td>combining</td><td>racing</td><td>three receives in a row were empty</td></tr>
 * </table>
 */
final class IntakeCombiner {
    private static final int WIDTH_MAX = 8;

    /** The bytes in hand above which a client receives no more. */
    private static final long IN_HAND_BYTES_MAX = 16 << 20;

    /** The number of empty receives after which a client stops looking for transactions of others. */
    private static final int EMPTY_MAX = 3;

    /** The time after a lost race, or a segment of another client, for which a client hands in at once. */
    private static final Duration RIVALS = Duration.ofSeconds(1);

    /** The number of puts for others, until another client seems to do it. */
    private static final int TRIES_MAX = 3;

    /** The part of a put for which a client waits for its own threads that were answered together. */
    private static final int GATHER_PART = 32;

    /** The assumed minimum of a receive's median duration, in nanoseconds. */
    private static final long RECEIVE_NANOS = 15_000_000;

    /** The way in which a client gets its transactions into the log. */
    enum Mode {
        /** The client puts segments, and wins or loses each slot. */
        RACING,
        /** The client sends its transactions to the intake queue, for the rival that puts segments. */
        HANDING_IN,
        /** The client puts segments, with the transactions of others in them. */
        COMBINING
    }

    private final Tasks tasks;
    private final IntakeQueue intake;
    private final MemoryLock lock = new MemoryLock();

    // Guarded by lock:
    private List<InHand> inHand = new ArrayList<>();
    private final List<Receipt> included = new ArrayList<>();
    private long rivalsUntilNanos;
    private long lookedNanos;
    private long putNanos;
    private boolean combining;
    private boolean contradicted;
    private int looking;
    private int emptyReceives;
    private int width = 1;

    IntakeCombiner(Tasks tasks, IntakeQueue intake) {
        this.tasks = tasks;
        this.intake = intake;
        this.rivalsUntilNanos = tasks.nanoTime();
        this.lookedNanos = tasks.nanoTime();
    }

    boolean isOff() {
        return intake.isOff();
    }

    /** Returns the present mode. Without an intake queue clients always race. */
    Mode mode() {
        return lock.with(() -> {
            if (combining) {
                return Mode.COMBINING;
            }
            return !isOff() && inHand.isEmpty() && hasRival() ? Mode.HANDING_IN : Mode.RACING;
        });
    }

    private boolean hasRival() {
        return lock.with(() -> !combining && tasks.nanoTime() < rivalsUntilNanos);
    }

    /** Whether there is something in hand to be put for others. */
    boolean isAsked() {
        return lock.with(() -> !inHand.isEmpty());
    }

    void sawRival() {
        lock.run(() -> rivalsUntilNanos = tasks.nanoTime() + RIVALS.toNanos());
    }

    /** The puts that a client tries in a row. */
    int tries() {
        return lock.with(() -> combining ? TRIES_MAX : intake.handover().tries());
    }

    /** Notes how long a put takes. */
    void took(long nanos) {
        lock.run(() -> putNanos = putNanos == 0 ? nanos : putNanos + (nanos - putNanos) / 8);
    }

    /** The longest wait for those who were answered together: clients read it in the log, and send what comes next. */
    Duration gatherFor() {
        return lock.with(() -> Duration.ofNanos(combining ? putNanos : putNanos / GATHER_PART));
    }

    /**
     * Returns the number of transactions to wait for after so many were answered together: nine in ten when they come
     * from other clients, since waiting for the last ones would delay all others.
     */
    int enough(int answered) {
        return isCombining() ? Math.ceilDiv(answered * 9, 10) : answered;
    }

    /** The duration of a put, in nanoseconds, estimated from the last ones. */
    long putNanos() {
        return lock.with(() -> putNanos);
    }

    /** Notes whether a transaction of others was contradicted. */
    void contradicted(boolean any) {
        lock.run(() -> contradicted |= any);
    }

    /**
     * Whether others should have the next segment: this client has put one, and contradicted others.
     *
     * @param shared whether others had a part of it
     */
    boolean owesTurn(boolean shared) {
        return lock.with(() -> {
            boolean owes = contradicted && !shared;
            contradicted = false;
            return owes;
        });
    }

    /** The longest wait for them: they see a segment, read again, send, and this client receives. */
    long turnNanos() {
        return lock.with(() -> Math.max(putNanos, RECEIVE_NANOS) + 3 * RECEIVE_NANOS);
    }

    /** The longest wait for an own caller that runs its transaction again: it has the last segment in memory. */
    long againNanos() {
        return lock.with(() -> Math.max(putNanos, RECEIVE_NANOS));
    }

    /** Whether there is a transaction in hand whose client has seen a segment. */
    boolean hasFresh(long position) {
        return lock.with(() ->
                inHand.stream().flatMap(one -> one.transactions().stream()).anyMatch(one -> one.born() >= position));
    }

    /** The transactions of others in hand. */
    int held() {
        return lock.with(
                () -> inHand.stream().mapToInt(one -> one.transactions().size()).sum());
    }

    /**
     * Returns the time without a new segment after which a client puts for all, since no other seems to; in
     * nanoseconds.
     */
    long patienceNanos() {
        return lock.with(() -> {
            long unit = Math.max(putNanos, 3 * RECEIVE_NANOS);
            return unit * 3 + (long) (tasks.random().nextDouble() * 2 * unit);
        });
    }

    /**
     * Takes the transactions in hand, up to {@code bytesMax} bytes.
     *
     * @param least messages that are taken whatever their size
     */
    List<InHand> take(long bytesMax, int least) {
        return lock.with(() -> {
            List<InHand> taken = new ArrayList<>();
            long bytes = 0;
            while (taken.size() < inHand.size()) {
                InHand next = inHand.get(taken.size());
                bytes += next.bytes();
                if (bytes > bytesMax && taken.size() >= least) {
                    break;
                }
                taken.add(next);
            }
            inHand = new ArrayList<>(inHand.subList(taken.size(), inHand.size()));
            return taken;
        });
    }

    /** Removes messages whose transactions are in the log, or cannot be. */
    void done(List<InHand> messages) {
        lock.lock();
        try {
            combining |= !messages.isEmpty();
            messages.forEach(one -> included.add(one.receipt()));
        } finally {
            lock.unlock();
        }
        delete(intake.handover().batch());
    }

    /**
     * Deletes messages whose transactions are included, if there are at least {@code least}; until then they are
     * hidden.
     */
    private void delete(int least) {
        List<Receipt> doomed;
        lock.lock();
        try {
            boolean few = looking > 0 && included.size() < least;
            doomed = few ? List.of() : List.copyOf(included);
            included.removeAll(doomed);
        } finally {
            lock.unlock();
        }
        int batch = intake.handover().batch();
        for (int from = 0; from < doomed.size(); from += batch) {
            intake.delete(doomed.subList(from, Math.min(doomed.size(), from + batch)));
        }
    }

    /** Leaves to others what this client could not put. */
    void lost(List<InHand> messages) {
        lock.lock();
        try {
            combining = false;
            rivalsUntilNanos = tasks.nanoTime() + RIVALS.toNanos();
        } finally {
            lock.unlock();
        }
        messages.forEach(intake::show);
    }

    /** Looks for transactions of others beside a put; as long as there are any, again and again. */
    void look(Runnable found) {
        lock.lock();
        try {
            long now = tasks.nanoTime();
            if (isOff()
                    || looking == (combining ? intake.handover().listeners() : 1)
                    || !combining && isLookedAt(now)) {
                return;
            }
            looking++;
            lookedNanos = now;
        } finally {
            lock.unlock();
        }
        intake.inBackground(() -> {
            try {
                do {
                    boolean any = receive(isCombining() ? intake.handover().listen() : Duration.ZERO);
                    if (hasRival()) {
                        lost(take(Long.MAX_VALUE, 0)); // who has won meanwhile looks for them too
                    } else if (any) {
                        found.run();
                    } else {
                        delete(1);
                    }
                } while (isLookingOn());
            } finally {
                lock.lock();
                try {
                    combining &= emptyReceives < EMPTY_MAX;
                    looking--;
                } finally {
                    lock.unlock();
                }
                delete(1);
            }
        });
    }

    private boolean isLookedAt(long now) {
        return now - lookedNanos < intake.handover().lookEvery().toNanos();
    }

    private boolean isLookingOn() {
        return lock.with(() -> combining
                && emptyReceives < EMPTY_MAX
                && inHand.size() < WIDTH_MAX * intake.handover().batch()
                && inHand.stream().mapToLong(InHand::bytes).sum() < IN_HAND_BYTES_MAX);
    }

    private boolean isCombining() {
        return lock.with(() -> combining);
    }

    /** Receives messages; false when there were none. */
    private boolean receive(Duration longest) {
        int calls = width;
        List<InHand> all = intake.receive(calls, longest);
        lock.lock();
        try {
            int batch = intake.handover().batch();
            boolean full = all.size() >= calls * batch * 3 / 4;
            width = full ? Math.min(WIDTH_MAX, calls * 2) : Math.max(1, Math.ceilDiv(all.size(), batch));
            emptyReceives = all.isEmpty() ? emptyReceives + 1 : 0;
            combining |= !all.isEmpty() && !hasRival();
            inHand.addAll(all);
        } finally {
            lock.unlock();
        }
        return !all.isEmpty();
    }

    /** Receives what is there, without waiting; a failure is ignored. For a client that can do without. */
    void receiveIfPossible() {
        if (!isOff()) {
            IntakeQueue.attempt(() -> {
                var unused = receive(Duration.ZERO);
            });
        }
    }
}
