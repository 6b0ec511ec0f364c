package io.penstock.commit.session;

import io.penstock.commit.checkpoint.LedgerStore;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.core.task.Timekeeper;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;

/** The overlays of all open sessions of one client. Safe for use by many threads. */
public final class Overlays {
    private final LedgerStore ledgers;
    private final Timekeeper time;
    private final Duration pageAgeMax;
    private final List<Overlay> overlays = new CopyOnWriteArrayList<>();

    /** @param pageAgeMax as of {@link Overlay} */
    public Overlays(LedgerStore ledgers, Timekeeper time, Duration pageAgeMax) {
        this.ledgers = ledgers;
        this.time = time;
        this.pageAgeMax = pageAgeMax;
    }

    Overlay open() {
        Overlay overlay = new Overlay(ledgers, pageAgeMax);
        overlays.add(overlay);
        return overlay;
    }

    void close(Overlay overlay) {
        overlays.remove(overlay);
    }

    /** The queues in whose ledgers sessions wait to find their log records. Sweeps the overlays first. */
    public Set<PuQueueId> awaited() {
        Set<PuQueueId> queues = new TreeSet<>();
        for (Overlay overlay : overlays) {
            overlay.sweep(time::nanoTime);
            queues.addAll(overlay.awaited());
        }
        return queues;
    }

    /** The number of committed transactions that the sessions still keep, for want of a checkpoint. */
    public int transactions() {
        return overlays.stream().mapToInt(Overlay::size).sum();
    }
}
