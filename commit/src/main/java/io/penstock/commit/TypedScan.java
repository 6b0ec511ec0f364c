package io.penstock.commit;

import io.penstock.commit.session.LiveRecords;
import io.penstock.core.Bytes;
import io.penstock.core.TreeId;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What all scans of typed records have in common: the limit and the token. */
abstract class TypedScan<T> implements Scan<T> {
    final LiveRecords records;
    private final TreeId tree;
    private @Nullable String token;
    private @Nullable T ready;
    private Bytes readyKey = Bytes.EMPTY;
    private @Nullable Bytes last;
    private long left;

    /** @param tree that {@code records} come from */
    TypedScan(LiveRecords records, TreeId tree, KeySpan<?> span) {
        this.records = records;
        this.tree = tree;
        this.token = span.after();
        this.left = span.limit() == 0 ? Long.MAX_VALUE : span.limit();
    }

    /** The next record, after it was told to {@link #at}; null when there is none. */
    abstract @Nullable T take();

    /** Takes notice of the key that the record to be taken has in {@code tree}. */
    final void at(Bytes key) {
        readyKey = key;
    }

    /** How many records may still be asked for. */
    final long left() {
        return left;
    }

    @Override
    public final boolean hasNext() {
        if (ready == null && left > 0) {
            ready = take();
        }
        return ready != null;
    }

    @Override
    public final T next() {
        if (!hasNext() || ready == null) {
            throw new NoSuchElementException();
        }
        T first = ready;
        ready = null;
        last = readyKey;
        left--;
        return first;
    }

    @Override
    public final Optional<String> token() {
        if (last != null) {
            token = ResumeToken.encode(tree, last);
        }
        return Optional.ofNullable(token);
    }

    @Override
    public final void close() {
        left = 0;
        ready = null;
        records.close();
    }
}
