package io.penstock.commit.session;

import io.penstock.core.Stamp;
import io.penstock.core.record.RecordChange;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The one comparison of a session's change with what the page has of the same key: the newer stamp wins. */
final class Newer {
    private Newer() {}

    /**
     * Whether the session's change is the newer one.
     *
     * @param change of the session's overlay; null when it has none
     * @param pageIsOlder whether what the page has, if anything, is older than a stamp
     */
    static boolean isOverlay(@Nullable RecordChange change, Predicate<Stamp> pageIsOlder) {
        return change != null && pageIsOlder.test(change.stamp());
    }
}
