package io.penstock.bench.tpcw.anomaly;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The memory of what one session has seen and written, as far as it bears on what the session may expect to see. For
 * one thread.
 */
public final class SessionMemory {
    /** The change of each item that was seen, or made, last. */
    final Map<Long, Long> lastSeen = new HashMap<>();

    /** The changes that this session made itself. */
    final Set<Long> own = new HashSet<>();

    /** The version of the cart that was stored last. */
    long cartVersion;

    /** The cart that the version is of. */
    long cartId;

    /** The newest order of this session, 0 for none. */
    long lastOrder;
}
