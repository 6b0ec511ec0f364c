package io.penstock.core.pool;

import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.task.SingleFlight;

/**
 * Someone with reads under way, which may still return the content of before. It is told before any caller can see what
 * has changed.
 */
interface PoolWatcher {
    /** A page was read or written. */
    void seen(PageId page);

    /** What was read of this tree before now must not be used any more. */
    void distrusted(TreeId tree);

    /** Keeps shared reads from callers that have seen something newer since they began. */
    static PoolWatcher detaching(SingleFlight<PageId, ?> reads) {
        return new PoolWatcher() {
            @Override
            public void seen(PageId page) {
                reads.detach(page);
            }

            @Override
            public void distrusted(TreeId tree) {
                reads.detachAll(page -> page.tree().equals(tree));
            }
        };
    }
}
