package io.penstock.core.pool;

import io.penstock.core.PageId;
import io.penstock.core.task.SingleFlight;
import java.util.function.Predicate;

/**
 * An observer with reads under way, which may still return the content of before. It is called before any caller can
 * see what has changed.
 */
interface PoolWatcher {
    /** A page was read or written. */
    void seen(PageId page);

    /** Notes that these pages are invalidated: reads of them that began before now must not be used any more. */
    void onInvalidate(Predicate<PageId> pages);

    /** Keeps shared reads from callers that have seen something newer since they began. */
    static PoolWatcher detaching(SingleFlight<PageId, ?> reads) {
        return new PoolWatcher() {
            @Override
            public void seen(PageId page) {
                reads.detach(page);
            }

            @Override
            public void onInvalidate(Predicate<PageId> pages) {
                reads.detachAll(pages);
            }
        };
    }
}
