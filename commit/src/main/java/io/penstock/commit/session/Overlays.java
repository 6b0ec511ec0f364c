package io.penstock.commit.session;

import io.penstock.commit.checkpoint.LedgerStore;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.core.TreeId;
import io.penstock.core.memory.ByteBudget;
import io.penstock.core.pool.PageManager;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** The overlays of all open sessions of one client, which share its memory. Safe for use by many threads. */
public final class Overlays {
    private final LedgerStore ledgers;
    private final PageManager pages;
    private final ByteBudget budget;
    private final Function<TreeId, Stream<TreeId>> readWith;
    private final List<Overlay> overlays = new CopyOnWriteArrayList<>();

    /**
     * @param pages that sessions read
     * @param budget the budget of each {@link Overlay}
     * @param readWith the trees read along with a tree, see {@link Overlay}
     */
    public Overlays(
            LedgerStore ledgers, PageManager pages, ByteBudget budget, Function<TreeId, Stream<TreeId>> readWith) {
        this.ledgers = ledgers;
        this.pages = pages;
        this.budget = budget;
        this.readWith = readWith;
    }

    Overlay open() {
        Overlay overlay = new Overlay(ledgers, pages.pool(), budget, readWith);
        overlays.add(overlay);
        return overlay;
    }

    void close(Overlay overlay) {
        overlays.remove(overlay);
        overlay.close();
    }

    /** The bytes that the overlays hold, of those that they may. */
    public ByteBudget budget() {
        return budget;
    }

    /** The queues in whose ledgers sessions wait to find their log records. Sweeps the overlays first. */
    public Set<PuQueueId> awaited() {
        return awaited(overlay -> overlay.sweep(pages::nanoTime));
    }

    /**
     * Returns the queues that {@link #awaited()} does, after an early sweep: records that ledgers have leave at once,
     * at the price of asking for pages again.
     */
    Set<PuQueueId> awaitedEarly() {
        return awaited(overlay -> overlay.sweepEarly(pages::nanoTime));
    }

    private Set<PuQueueId> awaited(Consumer<Overlay> sweep) {
        Set<PuQueueId> queues = new TreeSet<>();
        for (Overlay overlay : overlays) {
            sweep.accept(overlay);
            queues.addAll(overlay.awaited());
        }
        return queues;
    }

    /** The number of committed transactions that the sessions still keep, for want of a checkpoint. */
    public int transactions() {
        return overlays.stream().mapToInt(Overlay::size).sum();
    }
}
