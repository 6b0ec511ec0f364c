package io.penstock.bench.tpcw.anomaly;

import io.penstock.bench.tpcw.figures.StockChains;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The history of a run, of all sessions together: what was written, what was acknowledged, what was read. Every row of
 * an item names the change that wrote it, so reads can be put in order by which change built on which, without
 * trusting any clock or stamp of the store. Safe for use by many threads.
 */
public final class History implements Consumer<SessionEvent> {
    /** A state of an item, by the change that made it. */
    private record Version(long item, long change) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final StockChains chains = new StockChains();
    private final Map<Version, Long> replacedAt = new HashMap<>();
    private final Map<Long, Integer> linesOfOrder = new HashMap<>();
    private final Set<Long> acknowledgedOrders = new HashSet<>();
    private final Map<Long, Long> stockDelta = new HashMap<>();
    private final Set<Long> uncertainItems = new HashSet<>();
    private final Map<Long, SessionMemory> sessions = new HashMap<>();
    private final List<Long> staleNanos = new ArrayList<>();
    private long reads;
    private long readsBack;
    private long ownWritesUnseen;
    private long ordersWithoutLines;

    /** Takes down what happened. Events of one process come in their order; of several, sorted by time. */
    @Override
    public void accept(SessionEvent event) {
        lock.lock();
        try {
            switch (event) {
                case SessionEvent.Attempted attempt -> attempted(attempt.page());
                case SessionEvent.Answered answer -> {
                    SessionMemory session = sessions.computeIfAbsent(answer.session(), id -> new SessionMemory());
                    read(session, answer.page(), answer.startNanos());
                    acknowledged(session, answer.page(), answer.nanos());
                }
                case SessionEvent.Refused refusal -> ownWritesUnseen += refusal.own() ? 1 : 0;
                case SessionEvent.Failed failure -> {}
                case SessionEvent.Unknown unknown ->
                    unknown.attempts()
                            .forEach(page -> page.changes().forEach(change -> uncertainItems.add(change.item())));
                case SessionEvent.Bought bought -> {}
                case SessionEvent.PerhapsBought perhaps -> {}
                case SessionEvent.OrderSeen seen -> seenOrder(seen.order(), seen.lines());
            }
        } finally {
            lock.unlock();
        }
    }

    private void attempted(PageFacts page) {
        page.changes().forEach(change -> chains.link(change.item(), change.change(), change.previous()));
        if (page.ordered() != null) {
            linesOfOrder.put(page.ordered().order(), page.ordered().lines());
        }
    }

    private void acknowledged(SessionMemory session, PageFacts page, long nanos) {
        for (PageFacts.Change change : page.changes()) {
            replacedAt.putIfAbsent(new Version(change.item(), change.previous()), nanos);
            session.lastSeen.put(change.item(), change.change());
            session.own.add(change.change());
        }
        if (page.ordered() != null) {
            bought(session, page, page.ordered().order());
        }
        if (page.cartStored() != null) {
            session.cartId = page.cartStored().cart();
            session.cartVersion = page.cartStored().version();
        }
    }

    private void bought(SessionMemory session, PageFacts page, long order) {
        for (PageFacts.Change change : page.changes()) {
            chains.acknowledge(change.item(), change.change(), change.previous());
            stockDelta.merge(change.item(), (long) change.delta(), Long::sum);
        }
        acknowledgedOrders.add(order);
        session.lastOrder = order;
        session.cartVersion = 0;
        session.cartId = 0;
    }

    private void read(SessionMemory session, PageFacts page, long nanos) {
        page.items().forEach(item -> item(session, item, nanos));
        PageFacts.CartState cart = page.cartRead();
        if (cart != null && cart.cart() == session.cartId && cart.version() < session.cartVersion) {
            ownWritesUnseen++;
        }
        PageFacts.Ordered last = page.lastOrder();
        if (last != null) {
            ownWritesUnseen += last.order() < session.lastOrder ? 1 : 0;
            seenOrder(last.order(), last.lines());
        }
    }

    private void item(SessionMemory session, PageFacts.Seen item, long nanos) {
        long seen = item.change();
        reads++;
        Long replaced = replacedAt.get(new Version(item.item(), seen));
        if (replaced != null && replaced < nanos) {
            staleNanos.add(nanos - replaced);
        }
        Long before = session.lastSeen.put(item.item(), seen);
        if (before != null && before != seen && chains.precedes(item.item(), seen, before)) {
            if (session.own.contains(before)) {
                ownWritesUnseen++;
            } else {
                readsBack++;
            }
        }
    }

    private void seenOrder(long order, int lines) {
        Integer wanted = linesOfOrder.get(order);
        if (wanted != null && lines < wanted) {
            ordersWithoutLines++;
        }
    }

    /** The lines of each order that was acknowledged. */
    Map<Long, Integer> acknowledgedOrders() {
        Map<Long, Integer> lines = new HashMap<>();
        acknowledgedOrders.forEach(order -> lines.put(order, linesOfOrder.getOrDefault(order, 0)));
        return lines;
    }

    /** Returns the sum of the changes that acknowledged orders made to the stock of an item. */
    long stockDelta(long item) {
        return stockDelta.getOrDefault(item, 0L);
    }

    boolean isCertain(long item) {
        return !uncertainItems.contains(item);
    }

    StockChains chains() {
        return chains;
    }

    /** The counts, with those that the final state of the store shows. */
    Anomalies with(FinalState state) {
        return new Anomalies(
                state.lostStockUpdates(),
                state.oversold(),
                ordersWithoutLines,
                state.ordersWithoutLines(),
                readsBack,
                ownWritesUnseen,
                state.indexFaults(),
                staleness());
    }

    private Anomalies.Staleness staleness() {
        List<Long> sorted = staleNanos.stream().sorted().toList();
        return new Anomalies.Staleness(reads, sorted.size(), rank(sorted, 50), rank(sorted, 99));
    }

    /**
     * Returns a percentile of the staleness, in seconds, by nearest rank among all reads; those that missed nothing
     * come first.
     */
    private double rank(List<Long> sorted, int percent) {
        long rank = (reads * percent + 99) / 100 - (reads - sorted.size());
        return rank <= 0 ? 0 : sorted.get((int) rank - 1) / 1e9;
    }
}
