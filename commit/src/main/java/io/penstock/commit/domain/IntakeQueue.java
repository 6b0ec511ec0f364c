package io.penstock.commit.domain;

import io.penstock.commit.domain.Intent.HandedIn;
import io.penstock.commit.domain.Intent.TransactionId;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.StoreException;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.Receipt;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The intake of a domain, a queue or a folder: messages with transactions that were handed in. One that is too large
 * for a message lies in an object of the log, and a message refers to it. It only saves work: messages may be lost,
 * repeated or late, and objects too. Safe for many threads.
 */
final class IntakeQueue {
    private static final Duration HIDDEN = Duration.ofSeconds(5);

    /** The most bytes of a transaction that is handed in; others read it whole. */
    static final long TRANSACTION_BYTES_MAX = 16 << 20;

    private static final int OBJECTS_AT_ONCE = 4;

    private final Tasks tasks;
    private final String domain;
    private final LogObjects log;
    private final Handover handover;

    IntakeQueue(Tasks tasks, String domain, LogObjects log, Handover handover) {
        this.tasks = tasks;
        this.domain = domain;
        this.log = log;
        this.handover = handover;
    }

    /**
     * A message that this client has received.
     *
     * @param bytes about those of its transactions in a segment
     * @param nanos when it was received
     */
    record InHand(Receipt receipt, List<HandedIn> transactions, long bytes, long nanos) {}

    boolean isOff() {
        return handover == Handover.NONE;
    }

    private MessageQueue open() {
        return handover.queues().apply(domain);
    }

    /** The way to hand in. */
    Handover handover() {
        return handover;
    }

    void inBackground(Runnable call) {
        tasks.start("intake", () -> attempt(call));
    }

    static void attempt(Runnable call) {
        try {
            call.run();
        } catch (StoreException away) {
            // Messages only save work: they will be shown again, or time out.
        }
    }

    /** Sends transactions, as many as fit into messages, if the queue can be reached. */
    void handIn(List<HandedIn> transactions) {
        if (isOff()) {
            return;
        }
        int most = handover.messageBytes();
        List<HandedIn> next = new ArrayList<>();
        long bytes = 0;
        for (HandedIn one : transactions) {
            long size = one.bytesMax();
            if (size > most) {
                handInByReference(one, size);
                continue;
            }
            if (bytes + size > most) {
                send(next);
                next.clear();
                bytes = 0;
            }
            next.add(one);
            bytes += size;
        }
        send(next);
    }

    private void handInByReference(HandedIn large, long size) {
        if (size <= TRANSACTION_BYTES_MAX) {
            Bytes message = HandedIn.encode(domain, List.of(large.reference()));
            inBackground(() -> {
                log.putHandedIn(large);
                var unused = open().send(List.of(message));
            });
        }
    }

    private void send(List<HandedIn> transactions) {
        if (!transactions.isEmpty()) {
            Bytes message = HandedIn.encode(domain, transactions);
            inBackground(() -> {
                var unused = open().send(List.of(message));
            });
        }
    }

    /** Removes what was put beside the message of a transaction that has ended. */
    void forget(Intent ended) {
        if (!isOff() && HandedIn.at(ended, 0, Duration.ZERO).bytesMax() > handover.messageBytes()) {
            TransactionId id = ended.id();
            inBackground(() -> log.deleteHandedIn(id));
        }
    }

    /** Receives messages by {@code calls} calls at once. */
    List<InHand> receive(int calls, Duration longest) {
        MessageQueue from = open();
        Duration wait = calls == 1 ? longest : Duration.ZERO; // one that waits keeps back what the others have
        List<List<Delivery>> parts = Parallel.map(
                tasks, calls, Collections.nCopies(calls, handover.batch()), max -> from.receive(max, HIDDEN, wait));
        List<Delivery> all = parts.stream().flatMap(List::stream).toList();
        return Parallel.map(tasks, OBJECTS_AT_ONCE, all, this::read);
    }

    private InHand read(Delivery delivery) {
        List<HandedIn> whole = new ArrayList<>();
        long bytes = delivery.body().length();
        for (HandedIn one : decode(delivery)) {
            Optional<HandedIn> read = one.isReference() ? log.handedIn(one) : Optional.of(one);
            bytes += one.isReference() ? read.map(HandedIn::bytesMax).orElse(0L) : 0;
            read.ifPresent(whole::add);
        }
        return new InHand(delivery.receipt(), whole, bytes, tasks.nanoTime());
    }

    private List<HandedIn> decode(Delivery delivery) {
        try {
            return HandedIn.decode(delivery.body(), domain);
        } catch (CorruptDataException foreign) {
            return List.of(); // deleted with the others; its sender puts what it was itself
        }
    }

    void delete(List<Receipt> doomed) {
        inBackground(() -> {
            var unused = open().delete(doomed);
        });
    }

    /** Leaves a message to others. */
    void show(InHand message) {
        inBackground(() -> open().changeVisibility(message.receipt, Duration.ZERO));
    }
}
