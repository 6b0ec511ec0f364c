package io.penstock;

import io.penstock.core.pool.PageTier;
import io.penstock.core.pool.PoolStats;
import io.penstock.report.CompactionReport;
import java.util.ArrayList;
import java.util.List;

/** Behind the front door: what an open store keeps in memory, for checks of its bounds; a tier that is no disk. */
public final class StoreProbe {
    private StoreProbe() {}

    /** Bounds that are exceeded, a line each. */
    public static List<String> excess(RecordCollection<?, ?> of) {
        Engine engine = of.engine();
        List<String> lines = new ArrayList<>();
        PoolStats pool = engine.pool.stats();
        if (pool.bytes() > engine.settings.poolBytes()) {
            lines.add("the pool holds " + pool.bytes() + " bytes of at most " + engine.settings.poolBytes());
        }
        return lines;
    }

    /** As {@link Penstock#compact}, of leaves that are fuller. */
    public static CompactionReport compact(Penstock store, int joinedPercentMax) {
        return store.compact(joinedPercentMax);
    }

    /** What callers have handed in to be sent and wait for: nothing when nobody commits. */
    public static long sendingBytes(RecordCollection<?, ?> of) {
        return of.engine().protocols.sendingBytes();
    }

    /** The same settings with a second level of the pool. */
    public static Settings withTier(Settings settings, PageTier tier) {
        return settings.pageTier(tasks -> tier);
    }

    /** Committed transactions that are kept until pages are sure to show them, over all sessions. */
    public static int unapplied(RecordCollection<?, ?> of) {
        return of.engine().unapplied();
    }
}
