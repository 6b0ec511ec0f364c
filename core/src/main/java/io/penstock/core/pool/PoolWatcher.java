package io.penstock.core.pool;

import io.penstock.core.PageId;
import io.penstock.core.TreeId;

/**
 * Someone with reads under way, which may still return the content of before. It is told before any caller can see what
 * has changed.
 */
interface PoolWatcher {
    /** A page was read or written. */
    void seen(PageId page);

    /** What was read of this tree before now must not be used any more. */
    void distrusted(TreeId tree);
}
