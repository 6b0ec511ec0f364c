package io.penstock.commit.queue;

import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.core.task.Timekeeper;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transactions of dead clients that are larger than this client may hold in memory. They stay in their queues for a
 * client that may hold more. Safe for use by many threads.
 */
public final class OversizedTransactions {
    private static final Logger LOG = LoggerFactory.getLogger(OversizedTransactions.class);

    /** The time after a look for which its findings count: later, others may have finished the transactions. */
    private static final Duration KNOWN_FOR = Duration.ofHours(1);

    private final Timekeeper time;
    private final LongSupplier serverMillis;
    private final long bytesMax;
    private final Map<ClientId, Known> clients = new ConcurrentHashMap<>();

    /** @param messages that its queue is known to hold */
    private record Known(long transactions, long messages, long oldestMillis, long nanos) {}

    /** @param bytesMax of one transaction */
    public OversizedTransactions(Timekeeper time, LongSupplier serverMillis, long bytesMax) {
        this.time = time;
        this.serverMillis = serverMillis;
        this.bytesMax = bytesMax;
    }

    public long bytesMax() {
        return bytesMax;
    }

    /**
     * The number of such transactions of a client that was looked at before; 0 when none are known, or when its queue
     * counts more messages than that look has seen: others may have been hidden, or have come since.
     */
    public long of(ClientId client, long counted) {
        Known known = clients.computeIfPresent(
                client, (id, seen) -> new Known(seen.transactions, seen.messages, seen.oldestMillis, time.nanoTime()));
        return known == null || counted > known.messages ? 0 : known.transactions;
    }

    /**
     * Notes what a look at the queue of a client has found; it is logged the first time.
     *
     * @param messages that stay in the queue, those of other transactions included
     */
    public void note(ClientId client, Set<Stamp> transactions, long messages) {
        if (transactions.isEmpty()) {
            clients.remove(client);
            return;
        }
        long oldest = transactions.stream().mapToLong(Stamp::millis).min().orElseThrow();
        Known before = clients.put(client, new Known(transactions.size(), messages, oldest, time.nanoTime()));
        if (before == null) {
            LOG.warn(
                    "transactions of a dead client are larger than this one may hold in memory and stay in their queue,"
                            + " which forgets them 14 days after they were sent; have a client with a larger"
                            + " transactionBytesMax recover them client={} transactions={} transactionBytesMax={}",
                    client,
                    transactions.size(),
                    bytesMax);
        }
    }

    /** The number of them in all queues that were looked at. */
    public long count() {
        forgetOld();
        return clients.values().stream().mapToLong(Known::transactions).sum();
    }

    /** The age of the oldest of them; empty when none are known. */
    public Optional<Duration> age() {
        forgetOld();
        return clients.values().stream()
                .map(known -> Duration.ofMillis(serverMillis.getAsLong() - known.oldestMillis))
                .max(Comparator.naturalOrder());
    }

    private void forgetOld() {
        long now = time.nanoTime();
        clients.values().removeIf(known -> now - known.nanos > KNOWN_FOR.toNanos());
    }
}
