package io.penstock.core.page;

import io.penstock.core.PageId;

/**
 * The page that another page was split from, and its version before the split. A page with an origin is reachable only
 * after its origin has moved past that version. So a reader that meets it knows that images of the origin up to that
 * version are outdated.
 *
 * @param page the number of the page, in the same tree; {@link PageId#NONE} when the page was not made by a split
 * @param version the page version of the origin before the split
 */
public record Origin(long page, long version) {
    public static final Origin NONE = new Origin(PageId.NONE, 0);
}
