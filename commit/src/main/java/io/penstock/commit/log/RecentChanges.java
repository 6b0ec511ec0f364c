package io.penstock.commit.log;

import io.penstock.core.Bytes;
import io.penstock.core.TreeId;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Log records that pages may not show yet. */
public interface RecentChanges {
    /** The newest change of a key; null when there is none. */
    @Nullable
    RecordChange find(TreeId tree, Bytes key);

    /** Whether what {@link #find} finds is what the reader is to see, whatever the page shows. */
    default boolean isAhead() {
        return false;
    }

    /** The newest change of each key in a range, in the order of the keys; a stable copy. */
    Iterator<RecordChange> iterate(TreeId tree, KeyRange range, Direction direction);

    /** The keys whose newest change is by a writer that knew no index of this epoch. */
    List<Bytes> writtenBefore(TreeId tree, long epoch);
}
