package io.penstock.core.pool;

import io.penstock.core.object.ObjectVersion;
import io.penstock.core.page.PageImage;

/**
 * A page as it was read from or written to the object store. Immutable.
 *
 * @param image the page
 * @param version names the stored object, for {@link io.penstock.core.object.WriteCondition#ifVersion}
 * @param checkedNanos the time just before the store was last asked whether this is current, by {@link
 *     PageManager#nanoTime}
 */
public record PageFrame(PageImage image, ObjectVersion version, long checkedNanos) {
    /** Returns this page as found current at another time. */
    public PageFrame checkedAt(long nanos) {
        return new PageFrame(image, version, nanos);
    }
}
