package io.penstock.commit.domain;

import io.penstock.commit.log.Frame;
import io.penstock.commit.log.LogRecordCodec;
import io.penstock.commit.log.WireReader;
import io.penstock.commit.log.WireWriter;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.StoreException;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The intake queue of a domain, as one client uses it: who has lost a race hands its transactions in, and who puts the
 * next segment includes what it finds there. It only saves work: messages may be lost, repeated or late. Safe for many
 * threads.
 */
final class Combining {
    private static final int KIND = 'I';
    private static final Duration HIDDEN = Duration.ofSeconds(5);
    private static final int BATCH = 10;
    private static final int WIDTH_MAX = 8;
    private static final int MESSAGE_BYTES_MAX = 200 << 10; // well below what every queue takes

    /** The segments after a transaction was handed in that may include it. */
    private static final long LIFE = 1_000;

    /** Empty receives after which a client stops to look for transactions of others. */
    private static final int EMPTY_MAX = 4;

    /** The time after a lost race, or a segment of somebody else, for which a client hands in at once. */
    private static final Duration RIVALS = Duration.ofSeconds(1);

    /** The least time between two looks at the intake of a client that has found nothing. */
    private static final Duration LOOK_EVERY = Duration.ofMillis(50);

    /** Puts for others, until somebody else seems to do it. */
    private static final int TRIES_MAX = 3;

    /** The part of a put for which a client waits for those who were answered together. */
    private static final int GATHER_PART = 32;

    /** How long a receive takes at least, by the middle. */
    private static final long RECEIVE_NANOS = 15_000_000;

    private final Tasks tasks;
    private final String domain;
    private final Optional<Supplier<MessageQueue>> queue;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by lock:
    private List<InHand> inHand = new ArrayList<>();
    private long rivalsUntilNanos;
    private long lookedNanos;
    private long putNanos;
    private boolean combining;
    private boolean looking;
    private int emptyReceives;
    private int width = 1;

    /**
     * A transaction that was handed in.
     *
     * @param born the tip of its client when it did so: it is in no segment up to it
     * @param until the last segment that may include it
     */
    record HandedIn(Intent intent, long born, long until) {
        static HandedIn at(Intent intent, long tip) {
            return new HandedIn(intent, tip, tip + LIFE);
        }

        /** Whether a client may include it after {@code tip}, if it is not in any segment after {@code base}. */
        boolean mayFollow(long base, long tip) {
            return born >= base && born <= tip && intent.snapshot() <= tip && tip < until;
        }
    }

    /** A message that this client has received. */
    record InHand(Delivery delivery, List<HandedIn> transactions) {}

    Combining(Tasks tasks, String domain, Optional<Supplier<MessageQueue>> queue) {
        this.tasks = tasks;
        this.domain = domain;
        this.queue = queue;
        this.rivalsUntilNanos = tasks.nanoTime();
        this.lookedNanos = tasks.nanoTime();
    }

    boolean isOff() {
        return queue.isEmpty();
    }

    /** Whether another client seems to be putting segments, so that it is better to hand in than to race. */
    boolean isRivalled() {
        lock.lock();
        try {
            return inHand.isEmpty() && hasRival();
        } finally {
            lock.unlock();
        }
    }

    private boolean hasRival() {
        lock.lock();
        try {
            return !combining && tasks.nanoTime() < rivalsUntilNanos;
        } finally {
            lock.unlock();
        }
    }

    /** Whether there is something in hand to be put for others. */
    boolean isAsked() {
        lock.lock();
        try {
            return !inHand.isEmpty();
        } finally {
            lock.unlock();
        }
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
        lock.lock();
        try {
            return combining ? TRIES_MAX : 1;
        } finally {
            lock.unlock();
        }
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

    /** The time in which those who were answered together come again, a small part of a put. */
    Duration gatherFor() {
        lock.lock();
        try {
            return Duration.ofNanos(putNanos / GATHER_PART);
        } finally {
            lock.unlock();
        }
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
        } finally {
            lock.unlock();
        }
        for (int from = 0; from < messages.size(); from += BATCH) {
            List<InHand> part = messages.subList(from, Math.min(messages.size(), from + BATCH));
            inBackground(() -> {
                var unused = open().delete(
                                part.stream().map(one -> one.delivery.receipt()).toList());
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
            long size = bytesMax(one.intent);
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
            Bytes message = encode(domain, transactions);
            attempt(() -> {
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
            if (isOff() || looking || !combining && now - lookedNanos < LOOK_EVERY.toNanos()) {
                return;
            }
            looking = true;
            lookedNanos = now;
        } finally {
            lock.unlock();
        }
        inBackground(() -> {
            try {
                do {
                    boolean any = receive();
                    if (hasRival()) {
                        lost(take(Long.MAX_VALUE)); // who has won meanwhile looks for them too
                    } else if (any) {
                        found.run();
                    }
                } while (isLookingOn());
            } finally {
                lock.lock();
                try {
                    combining &= emptyReceives < EMPTY_MAX;
                    looking = false;
                } finally {
                    lock.unlock();
                }
            }
        });
    }

    private boolean isLookingOn() {
        lock.lock();
        try {
            return combining && emptyReceives < EMPTY_MAX && inHand.size() < WIDTH_MAX * BATCH;
        } finally {
            lock.unlock();
        }
    }

    /** Receives messages; false when there were none. */
    boolean receive() {
        MessageQueue from = open();
        int calls = width;
        List<List<Delivery>> parts = Parallel.map(
                tasks, calls, Collections.nCopies(calls, BATCH), max -> from.receive(max, HIDDEN, Duration.ZERO));
        List<Delivery> all = parts.stream().flatMap(List::stream).toList();
        lock.lock();
        try {
            boolean full = all.size() >= calls * BATCH * 3 / 4;
            width = full ? Math.min(WIDTH_MAX, calls * 2) : Math.max(1, Math.ceilDiv(all.size(), BATCH));
            emptyReceives = all.isEmpty() ? emptyReceives + 1 : 0;
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
                var unused = receive();
            });
        }
    }

    private List<HandedIn> decode(Delivery delivery) {
        try {
            return decode(delivery.body(), domain);
        } catch (CorruptDataException foreign) {
            return List.of(); // deleted with the others; its sender puts what it was itself
        }
    }

    /**
     * Encodes a message as {@code bytes(domain) | varint(count) (u64 client | u64 nonce | varint snapshot | varint born
     * | varint until | read set | run of log records)*} behind a frame.
     */
    static Bytes encode(String domain, List<HandedIn> transactions) {
        WireWriter out = new WireWriter(1024).bytes(Bytes.utf8(domain)).varint(transactions.size());
        for (HandedIn one : transactions) {
            Segment.write(out, one.intent.id())
                    .varint(one.intent.snapshot())
                    .varint(one.born)
                    .varint(one.until);
            one.intent.validated().write(out);
            LogRecordCodec.write(out, one.intent.writes());
        }
        return Frame.wrap(KIND, Frame.VERSION, out.toBytes());
    }

    static List<HandedIn> decode(Bytes message, String wanted) {
        WireReader in =
                Frame.unwrap(KIND, Frame.VERSION, message, "an intake queue").rest();
        if (!in.bytes().toUtf8().equals(wanted)) {
            throw in.corrupt("it is of another domain");
        }
        List<HandedIn> transactions = new ArrayList<>();
        for (int left = in.count(22); left > 0; left--) {
            TransactionId id = Segment.readId(in);
            long snapshot = in.varint();
            long born = in.varint();
            long until = in.varint();
            ReadSet validated = ReadSet.read(in);
            Intent intent = new Intent(id, snapshot, validated, LogRecordCodec.read(in));
            if (snapshot < 0 || born < snapshot || intent.writes().isEmpty()) {
                throw in.corrupt("a transaction has impossible numbers, or writes nothing");
            }
            transactions.add(new HandedIn(intent, born, until));
        }
        in.end();
        return transactions;
    }
}
