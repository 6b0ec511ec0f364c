package io.penstock.commit.session;

import io.penstock.core.TreeId;
import io.penstock.core.pool.BufferPool;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The times from which on the pages of trees may be read together with a commit log: an older one, however young, may
 * lack what the log's tail has no more. Safe for use by many threads.
 */
public final class PagesSince {
    private final BufferPool pool;
    private final Map<TreeId, Long> required = new ConcurrentHashMap<>();

    public PagesSince(BufferPool pool) {
        this.pool = pool;
    }

    /** Has the pages of a tree that were checked before a time checked again before they are read. */
    void require(TreeId tree, long nanos) {
        Long known = required.get(tree);
        if (known == null || nanos - known > 0) {
            pool.checkAgain(tree, nanos);
            required.put(tree, nanos);
        }
    }
}
