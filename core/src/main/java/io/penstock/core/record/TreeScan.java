package io.penstock.core.record;

import java.util.Iterator;

/**
 * A lazy scan of the records of a tree in the order of their keys. Each page it reads is as old as the pool's TTL
 * allows. There is no snapshot: a change made during the scan may be seen or not. For one thread; {@link #next} may
 * throw any {@link io.penstock.core.StoreException}. Closing ends it early; it holds no resource that must be released.
 */
public interface TreeScan extends Iterator<VersionedRecord>, AutoCloseable {
    @Override
    void close();
}
