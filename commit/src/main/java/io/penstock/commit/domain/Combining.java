package io.penstock.commit.domain;

import io.penstock.commit.domain.Intent.HandedIn;
import io.penstock.commit.log.LogRecordCodec;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.StoreException;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.Receipt;
import io.penstock.core.task.MemoryLock;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The intake queue of a domain, as one client uses it: who has lost a race hands its transactions in, and who puts the
 * next segment includes what it finds there. It only saves work: messages may be lost, repeated or late. Safe for many
 * threads.
 */
final class Combining {
    private static final Duration HIDDEN = Duration.ofSeconds(5);
    private static final int BATCH = 10;
    private static final int WIDTH_MAX = 8;
    private static final int MESSAGE_BYTES_MAX = 200 << 10; // well below what every queue takes

    /** How long a client that puts for others waits for more, in one call. */
    private static final Duration LISTEN = Duration.ofSeconds(1);

    /** Calls that wait for more: while one brings what it has found, the other waits. */
    private static final int LISTENERS_MAX = 2;

    /** Empty receives after which a client stops to look for transactions of others. */
    private static final int EMPTY_MAX = 3;

    /** The time after a lost race, or a segment of somebody else, for which a client hands in at once. */
    private static final Duration RIVALS = Duration.ofSeconds(1);

    /** The least time between two looks at the intake of a client that has found nothing. */
    private static final Duration LOOK_EVERY = Duration.ofMillis(50);

    /** Puts for others, until somebody else seems to do it. */
    private static final int TRIES_MAX = 3;

    /** The part of a put for which a client waits for its own threads that were answered together. */
    private static final int GATHER_PART = 32;

    /** How long a receive takes at least, by the middle. */
    private static final long RECEIVE_NANOS = 15_000_000;

    private final Tasks tasks;
    private final String domain;
    private final Optional<Supplier<MessageQueue>> queue;
    private final MemoryLock lock = new MemoryLock();

    // Guarded by lock:
    private List<InHand> inHand = new ArrayList<>();
    private final List<Receipt> included = new ArrayList<>();
    private long rivalsUntilNanos;
    private long lookedNanos;
    private long putNanos;
    private boolean combining;
    private int looking;
    private int emptyReceives;
    private int width = 1;

    /** A message that this client has received. */
    record InHand(Delivery delivery, List<HandedIn> transactions) {}

    Combining(Tasks tasks, String domain, Optional<Supplier<MessageQueue>> queue) {
        this.tasks = tasks;
        this.domain = domain;
        this.queue = queue;
        this.rivalsUntilNanos = tasks.nanoTime();
        this.lookedNanos = tasks.nanoTime();
    }

    private <T> T locked(Supplier<T> read) {
        lock.lock();
        try {
            return read.get();
        } finally {
            lock.unlock();
        }
    }

    boolean isOff() {
        return queue.isEmpty();
    }

    /** Whether another client seems to be putting segments, so that it is better to hand in than to race. */
    boolean isRivalled() {
        return locked(() -> inHand.isEmpty() && hasRival());
    }

    private boolean hasRival() {
        return locked(() -> !combining && tasks.nanoTime() < rivalsUntilNanos);
    }

    /** Whether there is something in hand to be put for others. */
    boolean isAsked() {
        return locked(() -> !inHand.isEmpty());
    }

    void sawRival() {
        lock.lock();
        try {
            rivalsUntilNanos = tasks.nanoTime() + RIVALS.toNanos();
        } finally {
            lock.unlock();
        }
    }

    /** The puts that a client tries in a row. */
    int tries() {
        return locked(() -> combining ? TRIES_MAX : 1);
    }

    /** Notes how long a put takes. */
    void took(long nanos) {
        lock.lock();
        try {
            putNanos = putNanos == 0 ? nanos : putNanos + (nanos - putNanos) / 8;
        } finally {
            lock.unlock();
        }
    }

    /** The longest wait for those who were answered together: clients read it in the log, and send what comes next. */
    Duration gatherFor() {
        return locked(() -> Duration.ofNanos(combining ? putNanos : putNanos / GATHER_PART));
    }

    /**
     * How many are waited for of those who were answered together: of those of other clients nine in ten, for the last
     * ones would have all wait that are there.
     */
    int enough(int answered) {
        return isCombining() ? Math.ceilDiv(answered * 9, 10) : answered;
    }

    /** How long a put takes, by the last ones. */
    long putNanos() {
        return locked(() -> putNanos);
    }

    /** The transactions of others in hand. */
    int held() {
        return locked(
                () -> inHand.stream().mapToInt(one -> one.transactions.size()).sum());
    }

    /** The time without a new segment after which a client puts for all: nobody seems to. */
    long patienceNanos() {
        lock.lock();
        try {
            long unit = Math.max(putNanos, RECEIVE_NANOS);
            return unit * 3 + (long) (tasks.random().nextDouble() * 2 * unit);
        } finally {
            lock.unlock();
        }
    }

    /** Takes what is in hand, up to so many bytes of messages. */
    List<InHand> take(long bytesMax) {
        lock.lock();
        try {
            List<InHand> taken = new ArrayList<>();
            long bytes = 0;
            while (taken.size() < inHand.size()) {
                InHand next = inHand.get(taken.size());
                bytes += next.delivery.body().length();
                if (bytes > bytesMax && !taken.isEmpty()) {
                    break;
                }
                taken.add(next);
            }
            inHand = new ArrayList<>(inHand.subList(taken.size(), inHand.size()));
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Removes messages whose transactions are in the log, or cannot be. */
    void done(List<InHand> messages) {
        lock.lock();
        try {
            combining |= !messages.isEmpty();
            messages.forEach(one -> included.add(one.delivery.receipt()));
        } finally {
            lock.unlock();
        }
        delete(BATCH);
    }

    /** Deletes messages whose transactions are included, if there are so many; until then they are hidden. */
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
        for (int from = 0; from < doomed.size(); from += BATCH) {
            List<Receipt> part = doomed.subList(from, Math.min(doomed.size(), from + BATCH));
            inBackground(() -> {
                var unused = open().delete(part);
            });
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
        messages.forEach(one -> inBackground(() -> open().changeVisibility(one.delivery.receipt(), Duration.ZERO)));
    }

    private void inBackground(Runnable call) {
        tasks.start("intake", () -> attempt(call));
    }

    private static void attempt(Runnable call) {
        try {
            call.run();
        } catch (StoreException away) {
            // Messages only save work: they will be shown again, or time out.
        }
    }

    private MessageQueue open() {
        return queue.orElseThrow().get();
    }

    /** Sends transactions to the intake, as many as fit into messages, if it can be reached. */
    void handIn(List<HandedIn> transactions) {
        List<HandedIn> next = new ArrayList<>();
        long bytes = 0;
        for (HandedIn one : transactions) {
            long size = bytesMax(one.intent());
            if (bytes + size > MESSAGE_BYTES_MAX) {
                send(next);
                next.clear();
                bytes = 0;
            }
            if (size <= MESSAGE_BYTES_MAX) {
                next.add(one);
                bytes += size;
            }
        }
        send(next);
    }

    private void send(List<HandedIn> transactions) {
        if (!isOff() && !transactions.isEmpty()) {
            Bytes message = HandedIn.encode(domain, transactions);
            inBackground(() -> {
                var unused = open().send(List.of(message));
            });
        }
    }

    private static long bytesMax(Intent intent) {
        return Segment.TRANSACTION_BYTES_MAX
                + intent.validated().bytes()
                + intent.writes().stream().mapToLong(LogRecordCodec::sizeMax).sum();
    }

    /** Looks for transactions of others beside a put; as long as there are any, again and again. */
    void look(Runnable found) {
        lock.lock();
        try {
            long now = tasks.nanoTime();
            if (isOff() || looking == (combining ? LISTENERS_MAX : 1) || !combining && isLookedAt(now)) {
                return;
            }
            looking++;
            lookedNanos = now;
        } finally {
            lock.unlock();
        }
        inBackground(() -> {
            try {
                do {
                    boolean any = receive(isCombining() ? LISTEN : Duration.ZERO);
                    if (hasRival()) {
                        lost(take(Long.MAX_VALUE)); // who has won meanwhile looks for them too
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
        return now - lookedNanos < LOOK_EVERY.toNanos();
    }

    private boolean isLookingOn() {
        lock.lock();
        try {
            return combining && emptyReceives < EMPTY_MAX && inHand.size() < WIDTH_MAX * BATCH;
        } finally {
            lock.unlock();
        }
    }

    private boolean isCombining() {
        return locked(() -> combining);
    }

    /** Receives messages; false when there were none. */
    private boolean receive(Duration longest) {
        MessageQueue from = open();
        int calls = width;
        Duration wait = calls == 1 ? longest : Duration.ZERO; // one that waits keeps back what the others have
        List<List<Delivery>> parts =
                Parallel.map(tasks, calls, Collections.nCopies(calls, BATCH), max -> from.receive(max, HIDDEN, wait));
        List<Delivery> all = parts.stream().flatMap(List::stream).toList();
        lock.lock();
        try {
            boolean full = all.size() >= calls * BATCH * 3 / 4;
            width = full ? Math.min(WIDTH_MAX, calls * 2) : Math.max(1, Math.ceilDiv(all.size(), BATCH));
            emptyReceives = all.isEmpty() ? emptyReceives + 1 : 0;
            combining |= !all.isEmpty() && !hasRival();
            all.forEach(delivery -> inHand.add(new InHand(delivery, decode(delivery))));
        } finally {
            lock.unlock();
        }
        return !all.isEmpty();
    }

    /** The same for a client that can do without. */
    void receiveIfPossible() {
        if (!isOff()) {
            attempt(() -> {
                var unused = receive(Duration.ZERO);
            });
        }
    }

    private List<HandedIn> decode(Delivery delivery) {
        try {
            return HandedIn.decode(delivery.body(), domain);
        } catch (CorruptDataException foreign) {
            return List.of(); // deleted with the others; its sender puts what it was itself
        }
    }
}
