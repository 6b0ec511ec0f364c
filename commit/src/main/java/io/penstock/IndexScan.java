package io.penstock;

import io.penstock.commit.index.IndexEntry;
import io.penstock.commit.session.EntryScan;
import io.penstock.core.Bytes;
import io.penstock.core.TreeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A scan of an index. It reads the records of its entries in batches, which begin with one and double, so that the
 * pages of a batch are read at a time, but large payloads one by one, as they are asked for; it leaves out entries
 * without a record.
 */
final class IndexScan<T> extends TypedScan<T> {
    /** Index entries whose records are read at a time. */
    private static final int BATCH_MAX = 256;

    private final EntryScan entries;
    private final Function<List<IndexEntry>, List<Supplier<Optional<T>>>> read;
    private final ArrayDeque<Found<T>> found = new ArrayDeque<>();
    private @Nullable T next;
    private Bytes nextKey = Bytes.EMPTY;
    private int batch = 1;

    private record Found<T>(Bytes key, Supplier<Optional<T>> value) {}

    /**
     * @param tree that {@code entries} come from
     * @param read gives an answer for each entry, in order
     */
    IndexScan(EntryScan entries, TreeId tree, KeySpan<?> span, Function<List<IndexEntry>, List<Supplier<Optional<T>>>> read) {
        super(tree, span);
        this.entries = entries;
        this.read = read;
    }

    @Override
    int fetch() {
        boolean more = true;
        next = null;
        while (next == null && (more || !found.isEmpty())) {
            Found<T> first = found.poll();
            if (first == null) {
                more = readBatch();
            } else {
                next = first.value.get().orElse(null);
                nextKey = first.key;
            }
        }
        return next == null ? 0 : 1;
    }

    @Override
    void expectAll() {
        batch = BATCH_MAX;
    }

    @Override
    T take() {
        return Objects.requireNonNull(next);
    }

    @Override
    Bytes key() {
        return nextKey;
    }

    @Override
    void release() {
        entries.close();
    }

    /** False when the entries are at their end. */
    private boolean readBatch() {
        List<IndexEntry> taken = new ArrayList<>();
        long wanted = Math.min(batch, left());
        boolean more = true;
        while (taken.size() < wanted && more) {
            more = entries.hasNext();
            if (more) {
                taken.add(entries.next());
            }
        }
        batch = Math.min(BATCH_MAX, batch * 2);
        List<Supplier<Optional<T>>> values = read.apply(taken);
        for (int i = 0; i < taken.size(); i++) {
            found.add(new Found<>(taken.get(i).key(), values.get(i)));
        }
        return more;
    }
}
