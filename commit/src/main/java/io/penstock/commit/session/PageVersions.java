package io.penstock.commit.session;

import io.penstock.core.TreeId;
import io.penstock.core.object.ObjectVersion;
import java.util.Map;
import java.util.function.Supplier;

/** The versions of the pages of trees that count now. */
interface PageVersions {
    /**
     * Begins to find out the versions of the pages of a tree.
     *
     * @param expected the number of its pages, roughly; 0 when it is not known
     * @return waits for them; by the numbers of pages
     */
    Supplier<Map<Long, ObjectVersion>> begin(TreeId tree, long expected);

    /** Whether they are known without a request. */
    default boolean areKnown(TreeId tree) {
        return false;
    }
}
