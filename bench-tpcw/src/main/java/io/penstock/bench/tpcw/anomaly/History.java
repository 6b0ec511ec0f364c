package io.penstock.bench.tpcw.anomaly;

import io.penstock.bench.tpcw.bookstore.Item;
import io.penstock.bench.tpcw.bookstore.Purchase;
import io.penstock.bench.tpcw.bookstore.Purchase.StockChange;
import io.penstock.bench.tpcw.figures.StockChains;
import io.penstock.bench.tpcw.interaction.AdminConfirm;
import io.penstock.bench.tpcw.interaction.BuyConfirm;
import io.penstock.bench.tpcw.interaction.BuyRequest;
import io.penstock.bench.tpcw.interaction.Interaction;
import io.penstock.bench.tpcw.interaction.OrderDisplay;
import io.penstock.bench.tpcw.interaction.ShoppingCart;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The history of a run, of all sessions together: what was written, what was acknowledged, what was read. Every row of
 * an item names the change that wrote it, so reads can be put in order by which change built on which, without
 * trusting any clock or stamp of the store. Safe for use by many threads.
 */
public final class History {
    /** A state of an item, by the change that made it. */
    private record Version(long item, long change) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final StockChains chains = new StockChains();
    private final Map<Version, Long> replacedAt = new HashMap<>();
    private final Map<Long, Integer> linesOfOrder = new HashMap<>();
    private final Set<Long> acknowledgedOrders = new HashSet<>();
    private final Map<Long, Long> stockDelta = new HashMap<>();
    private final Set<Long> uncertainItems = new HashSet<>();
    private final List<Long> staleNanos = new ArrayList<>();
    private long reads;
    private long readsBack;
    private long ownWritesUnseen;
    private long ordersWithoutLines;

    /** What an attempt is about to commit: others may see it from now on, acknowledged or not. */
    public void attempt(Interaction.Shown shown) {
        locked(() -> {
            changes(shown).forEach(chains::link);
            if (shown instanceof BuyConfirm.Shown bought) {
                Purchase purchase = bought.purchase();
                linesOfOrder.put(purchase.order().id(), purchase.lines().size());
            }
        });
    }

    /** A commit that was acknowledged at {@code nanos}. */
    public void acknowledge(SessionMemory session, Interaction.Shown shown, long nanos) {
        locked(() -> {
            for (StockChange change : changes(shown)) {
                replacedAt.putIfAbsent(new Version(change.itemId(), change.previousOrder()), nanos);
                session.lastSeen.put(change.itemId(), change.order());
                session.own.add(change.order());
            }
            switch (shown) {
                case BuyConfirm.Shown bought -> bought(session, bought.purchase());
                case ShoppingCart.Shown cart -> {
                    session.cartId = cart.cart().id();
                    session.cartVersion = cart.cart().version();
                }
                case Interaction.Shown other -> {}
            }
        });
    }

    private void bought(SessionMemory session, Purchase purchase) {
        purchase.stock().forEach(change -> {
            chains.acknowledge(change);
            stockDelta.merge(change.itemId(), (long) change.delta(), Long::sum);
        });
        acknowledgedOrders.add(purchase.order().id());
        session.lastOrder = purchase.order().id();
        session.cartVersion = 0;
        session.cartId = 0;
    }

    /** A commit of unknown outcome: the stock of its items may be one or the other. */
    public void unknown(Interaction.Shown shown) {
        locked(() -> changes(shown).forEach(change -> uncertainItems.add(change.itemId())));
    }

    /** A page that was asked for at {@code nanos}. */
    public void read(SessionMemory session, Interaction.Shown shown, long nanos) {
        locked(() -> {
            shown.items().forEach(item -> item(session, item, nanos));
            switch (shown) {
                case ShoppingCart.Shown cart -> cart(session, cart.cart().id(), cart.versionRead());
                case BuyRequest.Shown request ->
                    cart(session, request.cart().id(), request.cart().version());
                case OrderDisplay.Shown display -> order(session, display);
                case Interaction.Shown other -> {}
            }
        });
    }

    /** A request that was refused although it would be right if the session saw what it has written. */
    public void refused(Interaction<?> interaction) {
        boolean own = switch (interaction) {
            case BuyRequest request -> true;
            case BuyConfirm confirm -> confirm.customerId() != 0;
            case OrderDisplay display -> true;
            case Interaction<?> other -> false;
        };
        if (own) {
            locked(() -> ownWritesUnseen++);
        }
    }

    private void item(SessionMemory session, Item item, long nanos) {
        long seen = item.stockOrder();
        reads++;
        Long replaced = replacedAt.get(new Version(item.id(), seen));
        if (replaced != null && replaced < nanos) {
            staleNanos.add(nanos - replaced);
        }
        Long before = session.lastSeen.put(item.id(), seen);
        if (before != null && before != seen && chains.precedes(item.id(), seen, before)) {
            if (session.own.contains(before)) {
                ownWritesUnseen++;
            } else {
                readsBack++;
            }
        }
    }

    private void cart(SessionMemory session, long id, long version) {
        if (id == session.cartId && version < session.cartVersion) {
            ownWritesUnseen++;
        }
    }

    private void order(SessionMemory session, OrderDisplay.Shown display) {
        OrderDisplay.Last last = display.last();
        if (session.lastOrder != 0 && (last == null || last.order().id() < session.lastOrder)) {
            ownWritesUnseen++;
        }
        if (last != null) {
            seenOrder(last.order().id(), last.lines().size());
        }
    }

    /** An order that somebody saw with so many lines. */
    void seenOrder(long order, int lines) {
        locked(() -> {
            Integer wanted = linesOfOrder.get(order);
            if (wanted != null && lines < wanted) {
                ordersWithoutLines++;
            }
        });
    }

    /** The lines of each order that was acknowledged. */
    Map<Long, Integer> acknowledgedOrders() {
        Map<Long, Integer> lines = new HashMap<>();
        acknowledgedOrders.forEach(order -> lines.put(order, linesOfOrder.getOrDefault(order, 0)));
        return lines;
    }

    /** By how much acknowledged orders have changed the stock of an item. */
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

    /** By nearest rank among all reads; those that missed nothing come first. */
    private double rank(List<Long> sorted, int percent) {
        long rank = (reads * percent + 99) / 100 - (reads - sorted.size());
        return rank <= 0 ? 0 : sorted.get((int) rank - 1) / 1e9;
    }

    private static List<StockChange> changes(Interaction.Shown shown) {
        return switch (shown) {
            case BuyConfirm.Shown bought -> bought.purchase().stock();
            case AdminConfirm.Shown admin -> List.of(admin.change());
            case Interaction.Shown other -> List.of();
        };
    }

    private void locked(Runnable body) {
        lock.lock();
        try {
            body.run();
        } finally {
            lock.unlock();
        }
    }
}
