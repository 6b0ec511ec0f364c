package io.penstock.commit.protocol;

import io.penstock.commit.log.AtomicMessage;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.queue.DeadLetterStore;
import io.penstock.core.CorruptDataException;
import io.penstock.core.Stamp;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.Receipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A step of emptying an ATOMIC queue: it receives messages, forwards transactions that are committed and not yet
 * forwarded, and then deletes the messages. A client drains its own queue and a dead client's in the same way:
 * forwarding twice is harmless.
 */
public record AtomicDrain(OrderedSenders senders, SendContext lane, DeadLetterStore quarantine, int batchEntries) {
    /** The time that received messages stay hidden: long enough to forward what one receive returns. */
    static final Duration VISIBILITY = Duration.ofSeconds(30);

    /** The counts of one step. */
    record Step(int received, int forwarded, int deleted) {}

    /**
     * Runs one step.
     *
     * @param elsewhere transactions that another task of this client is about to forward: they and their messages are
     *     left alone
     */
    Step run(MessageQueue queue, AtomicAssembly assembly, Predicate<Stamp> elsewhere, Duration wait) {
        List<Delivery> deliveries = queue.receive(batchEntries, VISIBILITY, wait);
        List<Receipt> undecodable = new ArrayList<>();
        for (Delivery delivery : deliveries) {
            try {
                assembly.add(delivery, AtomicMessage.decode(delivery.body(), queue.name()));
            } catch (CorruptDataException e) {
                quarantine.keepMessage(
                        queue.name(), delivery.messageId(), delivery.body(), String.valueOf(e.getMessage()));
                undecodable.add(delivery.receipt());
            }
        }
        int forwarded = forward(queue, assembly, elsewhere);
        delete(queue, undecodable);
        return new Step(deliveries.size(), forwarded, undecodable.size() + deleteSettled(queue, assembly));
    }

    /**
     * Sends all of them at once: one message holds many transactions, and its visibility is short. What fails keeps its
     * own transactions alone in the queue.
     */
    private int forward(MessageQueue queue, AtomicAssembly assembly, Predicate<Stamp> elsewhere) {
        List<AtomicAssembly.Winner> winners = assembly.winners().stream()
                .filter(winner -> !elsewhere.test(winner.stamp()))
                .toList();
        if (!winners.isEmpty()) {
            List<PuSenders.Share> shares = senders.attempt(
                    lane,
                    winners.stream()
                            .flatMap(winner -> winner.records().stream())
                            .toList());
            Set<Stamp> left = shares.stream()
                    .filter(share -> share.failure() != null)
                    .flatMap(share -> LogRecord.byStamp(share.records()).keySet().stream())
                    .collect(Collectors.toSet());
            winners.stream()
                    .map(AtomicAssembly.Winner::stamp)
                    .filter(stamp -> !left.contains(stamp))
                    .forEach(assembly::settle);
            if (!left.isEmpty()) {
                deleteSettled(queue, assembly);
                var unused = PuSenders.positions(shares); // throws
            }
        }
        return winners.size();
    }

    /** Deletes the messages of which every transaction is settled, and returns their number. */
    int deleteSettled(MessageQueue queue, AtomicAssembly assembly) {
        List<Receipt> deletable = assembly.takeDeletable();
        delete(queue, deletable);
        return deletable.size();
    }

    /** Makes the messages of transactions that are not settled visible again, for the next receiver. */
    void show(MessageQueue queue, AtomicAssembly assembly) {
        assembly.held().forEach(receipt -> queue.changeVisibility(receipt, Duration.ZERO));
    }

    private void delete(MessageQueue queue, List<Receipt> receipts) {
        for (int from = 0; from < receipts.size(); from += batchEntries) {
            // A message that could not be deleted is delivered again, and its transactions are forwarded again.
            queue.delete(receipts.subList(from, Math.min(from + batchEntries, receipts.size())));
        }
    }
}
