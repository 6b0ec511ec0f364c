package io.penstock.core.page;

import io.penstock.core.PageId;

/**
 * Which page a page was split from, and at which version of it. A page with an origin is reachable only if its origin
 * has moved past that version; so a reader that meets it knows that an image of the origin up to that version is old.
 *
 * @param page the number of the page, in the same tree; {@link PageId#NONE} when the page was not made by a split
 * @param version the page version of the origin before the split
 */
public record Origin(long page, long version) {
    public static final Origin NONE = new Origin(PageId.NONE, 0);
}
