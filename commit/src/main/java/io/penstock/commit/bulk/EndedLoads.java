package io.penstock.commit.bulk;

import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The bulk loads that this client knows to have ended well. The records of a load appear all at once, with one stamp,
 * so a single one proves it. Until one was seen, an index entry of the load stands for nothing without its record. Safe
 * for use by many threads.
 */
public final class EndedLoads {
    private final BulkLoad.Parts parts;
    private final Set<Stamp> known = ConcurrentHashMap.newKeySet();

    public EndedLoads(BulkLoad.Parts parts) {
        this.parts = parts;
    }

    /** Whether the load with this stamp is known to have ended. */
    public boolean contains(Stamp load) {
        return known.contains(load);
    }

    /** Looks at a record that was just read, so that its page costs no request: one of the load proves its end. */
    public void learn(Stamp load, TreeId collection, Bytes key) {
        if (!known.contains(load)
                && parts.stamp(collection, key).filter(load::equals).isPresent()) {
            known.add(load);
        }
    }
}
