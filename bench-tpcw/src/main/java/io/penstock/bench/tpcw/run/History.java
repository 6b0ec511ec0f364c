package io.penstock.bench.tpcw.run;

import io.penstock.Entry;
import io.penstock.KeySpan;
import io.penstock.Keys.Pair;
import io.penstock.Penstock;
import io.penstock.Scan;
import io.penstock.bench.tpcw.bookstore.Item;
import io.penstock.bench.tpcw.bookstore.Order;
import io.penstock.bench.tpcw.bookstore.OrderLine;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.bookstore.Purchase.StockChange;
import io.penstock.bench.tpcw.bookstore.Storefront;
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

    /** The part of a session's reads and writes that bears on what it may expect to see. */
    private static final class Memory {
        /** The change of each item that was seen, or made, last. */
        private final Map<Long, Long> lastSeen = new HashMap<>();

        /** The changes that this session made itself. */
        private final Set<Long> own = new HashSet<>();

        /** The version of the cart that was stored last, and the cart that it is of. */
        private long cartVersion;

        private long cartId;

        /** The newest order of this session, 0 for none. */
        private long lastOrder;
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final StockChains chains = new StockChains();
    private final Map<Version, Long> replacedAt = new HashMap<>();
    private final Map<Long, Integer> linesOfOrder = new HashMap<>();
    private final Set<Long> acknowledgedOrders = new HashSet<>();
    private final Map<Long, Long> stockDelta = new HashMap<>();
    private final Set<Long> uncertainItems = new HashSet<>();
    private final Map<Long, Memory> sessions = new HashMap<>();
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
            switch (event.fact()) {
                case SessionEvent.Attempted attempt -> attempted(attempt.page());
                case SessionEvent.Answered answer -> {
                    Memory session = sessions.computeIfAbsent(answer.session(), id -> new Memory());
                    read(session, answer.page(), event.nanos() - answer.tookNanos());
                    acknowledged(session, answer.page(), event.nanos());
                }
                case SessionEvent.Refused refusal -> ownWritesUnseen += refusal.own() ? 1 : 0;
                case SessionEvent.Failed failure -> {}
                case SessionEvent.Unknown unknown ->
                    unknown.attempts()
                            .forEach(page -> page.changes().forEach(change -> uncertainItems.add(change.itemId())));
                case SessionEvent.Bought bought -> {}
                case SessionEvent.PerhapsBought perhaps -> {}
                case SessionEvent.OrderSeen seen -> seenOrder(seen.order(), seen.lines());
            }
        } finally {
            lock.unlock();
        }
    }

    private void attempted(PageFacts page) {
        page.changes().forEach(chains::link);
        if (page.ordered() != null) {
            linesOfOrder.put(page.ordered().order(), page.ordered().lines());
        }
    }

    private void acknowledged(Memory session, PageFacts page, long nanos) {
        for (StockChange change : page.changes()) {
            replacedAt.putIfAbsent(new Version(change.itemId(), change.previousOrder()), nanos);
            session.lastSeen.put(change.itemId(), change.order());
            session.own.add(change.order());
        }
        if (page.ordered() != null) {
            bought(session, page, page.ordered().order());
        }
        if (page.cartStored() != null) {
            session.cartId = page.cartStored().cart();
            session.cartVersion = page.cartStored().version();
        }
    }

    private void bought(Memory session, PageFacts page, long order) {
        for (StockChange change : page.changes()) {
            chains.acknowledge(change);
            stockDelta.merge(change.itemId(), (long) change.delta(), Long::sum);
        }
        acknowledgedOrders.add(order);
        session.lastOrder = order;
        session.cartVersion = 0;
        session.cartId = 0;
    }

    private void read(Memory session, PageFacts page, long nanos) {
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

    private void item(Memory session, PageFacts.Seen item, long nanos) {
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

    /**
     * The counts of a run, at its end: with the differences between the acknowledged changes and the content of the
     * store. All clients have left, and nothing is pending.
     */
    Anomalies judge(Penstock store, Population population) {
        Storefront shop = Storefront.open(store);
        Map<Long, Long> lastChanges = new HashMap<>();
        long oversold = 0;
        try (Scan<Entry<Long, Item>> items = shop.tables().items().scan(KeySpan.all())) {
            while (items.hasNext()) {
                Item item = items.next().value();
                lastChanges.put(item.id(), item.stockOrder());
                if (!uncertainItems.contains(item.id())) {
                    long expected = population.item(item.id()).stock() + stockDelta.getOrDefault(item.id(), 0L);
                    oversold += item.stock() < 0 || item.stock() != expected ? 1 : 0;
                }
            }
        }
        return new Anomalies(
                chains.lost(item -> lastChanges.getOrDefault(item, Item.FROM_POPULATION)),
                oversold,
                ordersWithoutLines,
                ordersWithoutLines(shop, population.scale().orders() + 1),
                readsBack,
                ownWritesUnseen,
                shop.indexes().stream()
                        .map(index -> store.admin().check(index))
                        .mapToLong(report -> report.leftOver() + report.missing())
                        .sum(),
                staleness());
    }

    /** Counts the acknowledged orders, from {@code first} on, that are not there, or not with all lines. */
    private long ordersWithoutLines(Storefront shop, long first) {
        Map<Long, Integer> missing = new HashMap<>();
        acknowledgedOrders.forEach(order -> missing.put(order, linesOfOrder.getOrDefault(order, 0)));
        try (Scan<Entry<Pair<Long, Long>, OrderLine>> lines =
                shop.tables().orderLines().scan(KeySpan.from(new Pair<>(first, 0L)))) {
            lines.forEachRemaining(line -> missing.computeIfPresent(line.key().first(), (order, left) -> left - 1));
        }
        long without = 0;
        try (Scan<Entry<Long, Order>> orders = shop.tables().orders().scan(KeySpan.from(first))) {
            while (orders.hasNext()) {
                Integer left = missing.remove(orders.next().key());
                without += left != null && left > 0 ? 1 : 0;
            }
        }
        return without + missing.size();
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
