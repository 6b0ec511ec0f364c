package io.penstock.commit.protocol;

import io.penstock.commit.log.AtomicMessage;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.Stamp;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.Receipt;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * An assembler of transactions from the messages of an ATOMIC queue. It takes messages in any order and any number of
 * times, and separates winners (transactions whose commit record and other parts are all there) from the rest. Pure;
 * for one thread.
 */
final class AtomicAssembly {
    /** A committed transaction, which must be forwarded. */
    record Winner(Stamp stamp, List<LogRecord> records) {}

    /** The name of one part of a transaction. */
    record PartId(Stamp stamp, int index, int count) {}

    private static final class Gathering {
        final TreeMap<Integer, List<LogRecord>> parts = new TreeMap<>();
        final int count;
        long bytes;

        Gathering(int count) {
            this.count = count;
        }

        boolean isComplete() {
            return parts.size() == count;
        }

        void add(AtomicMessage.Part part) {
            if (parts.putIfAbsent(part.index(), part.records()) == null) {
                bytes += part.records().stream()
                        .mapToLong(record -> record.change().bytes())
                        .sum();
            }
        }
    }

    private static final class Held {
        Receipt receipt;
        final Set<Stamp> transactions = new HashSet<>();
        final Set<PartId> parts = new HashSet<>();

        Held(Receipt receipt) {
            this.receipt = receipt;
        }
    }

    private final Map<Stamp, Gathering> gathering = new TreeMap<>();
    private final Map<String, Held> messages = new LinkedHashMap<>();
    private final Set<Stamp> settled = new HashSet<>();
    private final Set<PartId> deleted = new HashSet<>();
    private final Set<Stamp> tooLarge = new TreeSet<>();
    private final long bytesMax;

    /** @param bytesMax of one transaction; the records of a larger one are not kept, and it never wins */
    AtomicAssembly(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    void add(Delivery delivery, AtomicMessage message) {
        Held held = messages.computeIfAbsent(delivery.messageId(), id -> new Held(delivery.receipt()));
        held.receipt = delivery.receipt();
        for (AtomicMessage.Part part : message.parts()) {
            held.transactions.add(part.stamp());
            held.parts.add(new PartId(part.stamp(), part.index(), part.count()));
            if (!settled.contains(part.stamp()) && !tooLarge.contains(part.stamp())) {
                gather(part);
            }
        }
    }

    private void gather(AtomicMessage.Part part) {
        Gathering transaction = gathering.computeIfAbsent(part.stamp(), stamp -> new Gathering(part.count()));
        transaction.add(part);
        if (transaction.bytes > bytesMax) {
            gathering.remove(part.stamp());
            tooLarge.add(part.stamp());
        }
    }

    /** The transactions that are larger than one may be, whether or not they are complete. */
    Set<Stamp> tooLarge() {
        return tooLarge;
    }

    /** The complete transactions that are not yet settled, oldest first. */
    List<Winner> winners() {
        List<Winner> winners = new ArrayList<>();
        gathering.forEach((stamp, parts) -> {
            if (parts.isComplete()) {
                List<LogRecord> records = new ArrayList<>();
                parts.parts.values().forEach(records::addAll);
                winners.add(new Winner(stamp, records));
            }
        });
        return winners;
    }

    /** Records that a transaction needs no more work: it was forwarded, or given up. */
    void settle(Stamp stamp) {
        settled.add(stamp);
        gathering.remove(stamp);
    }

    /** The parts in all messages that {@link #takeDeletable} has returned. */
    Set<PartId> deleted() {
        return deleted;
    }

    /** The number of messages that hold parts of those. */
    long messagesTooLarge() {
        return messages.values().stream()
                .filter(held -> held.transactions.stream().anyMatch(tooLarge::contains))
                .count();
    }

    /** The messages of which some transaction is not settled. */
    List<Receipt> held() {
        return messages.values().stream().map(held -> held.receipt).toList();
    }

    /**
     * Begins a new round with the messages that are still held: forgets which transactions were settled and which parts
     * deleted.
     */
    void turnOver() {
        settled.clear();
        deleted.clear();
    }

    /** Returns the messages of which every transaction is settled, and forgets them. */
    List<Receipt> takeDeletable() {
        List<Receipt> deletable = new ArrayList<>();
        messages.values().removeIf(held -> {
            boolean done = settled.containsAll(held.transactions);
            if (done) {
                deletable.add(held.receipt);
                deleted.addAll(held.parts);
            }
            return done;
        });
        return deletable;
    }

    /**
     * The transactions that are not settled. Once all {@link #winners} are settled, these are the ones that lack parts.
     */
    Set<Stamp> undecided() {
        return Set.copyOf(gathering.keySet());
    }
}
