package io.penstock.commit;

import io.penstock.commit.session.LiveRecords;
import io.penstock.core.Bytes;
import io.penstock.core.TreeId;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What all scans of typed records have in common: the limit and the token. */
abstract class TypedScan<T> implements Scan<T> {
    private final LiveRecords records;
    private final TreeId tree;
    private final @Nullable String after;
    private long left;

    /** Whether the next record was found, and not taken yet. */
    private boolean found;

    /** @param tree that {@code records} come from */
    TypedScan(LiveRecords records, TreeId tree, KeySpan<?> span) {
        this.records = records;
        this.tree = tree;
        this.after = span.after();
        this.left = span.limit() == 0 ? Long.MAX_VALUE : span.limit();
        if (span.limit() > 0) {
            records.expect(left);
        }
    }

    /** Goes to the next record; false when there is none. */
    abstract boolean toNext();

    /** The record that it went to. */
    abstract T take();

    /** The key, in {@code tree}, of the record that was taken last; null before the first. */
    abstract @Nullable Bytes lastKey();

    /** How many records may still be asked for. */
    final long left() {
        return left;
    }

    @Override
    public final boolean hasNext() {
        if (!found && left > 0) {
            found = toNext();
        }
        return found;
    }

    @Override
    public final T next() {
        // Callers have asked hasNext as a rule, and then all this is small enough to become a part of their loops.
        if (!found) {
            find();
        }
        found = false;
        left--;
        return take();
    }

    private void find() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
    }

    @Override
    public final Optional<String> token() {
        Bytes last = lastKey();
        return Optional.ofNullable(last == null ? after : ResumeToken.encode(tree, last));
    }

    @Override
    public final void close() {
        left = 0;
        found = false;
        records.close();
    }
}
