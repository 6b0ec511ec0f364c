package io.penstock.commit;

import io.penstock.core.Bytes;
import io.penstock.core.TreeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A scan of an index. It reads the records of its entries in batches, which begin with one and double, so that the
 * pages of a batch are read at a time; it leaves out entries without a record.
 */
final class IndexScan<T> extends TypedScan<T> {
    /** Index entries whose records are read at a time. */
    private static final int BATCH_MAX = 256;

    private final WithPending entries;
    private final Function<List<Bytes>, List<Optional<T>>> read;
    private final ArrayDeque<Found<T>> found = new ArrayDeque<>();
    private int batch = 1;

    private record Found<T>(Bytes key, T value) {}

    /**
     * @param tree that {@code entries} come from
     * @param read gives an answer for the key of each entry, in order
     */
    IndexScan(WithPending entries, TreeId tree, KeySpan<?> span, Function<List<Bytes>, List<Optional<T>>> read) {
        super(entries.stored(), tree, span);
        this.entries = entries;
        this.read = read;
    }

    @Override
    @Nullable
    T take() {
        boolean more = true;
        while (found.isEmpty() && more) {
            more = readBatch();
        }
        if (found.isEmpty()) {
            return null;
        }
        Found<T> first = found.remove();
        at(first.key);
        return first.value;
    }

    /** False when the entries are at their end. */
    private boolean readBatch() {
        List<Bytes> keys = new ArrayList<>();
        long wanted = Math.min(batch, left());
        boolean more = true;
        while (keys.size() < wanted && more) {
            more = entries.advance();
            if (more) {
                keys.add(entries.key());
            }
        }
        batch = Math.min(BATCH_MAX, batch * 2);
        List<Optional<T>> values = read.apply(keys);
        for (int i = 0; i < keys.size(); i++) {
            Bytes key = keys.get(i);
            values.get(i).ifPresent(value -> found.add(new Found<>(key, value)));
        }
        return more;
    }
}
