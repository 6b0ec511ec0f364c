package io.penstock.commit;

import io.penstock.commit.session.LiveRecords;
import io.penstock.core.Bytes;
import io.penstock.core.TreeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A scan of records in their typed form; leaves out what {@code decode} has no answer for. It decodes in batches, which
 * begin with one record and double, so that what a batch has to read it reads at a time.
 */
final class TypedScan<T> implements Scan<T> {
    private final LiveRecords records;
    private final Function<List<LiveRecords.Live>, List<Optional<T>>> decode;
    private final TreeId tree;
    private final int batchMax;
    private final ArrayDeque<Found<T>> found = new ArrayDeque<>();
    private @Nullable String token;
    private @Nullable Bytes last;
    private long left;
    private int batch = 1;

    private record Found<T>(Bytes key, T value) {}

    /**
     * @param tree that {@code records} come from
     * @param batchMax records that are decoded at a time
     * @param decode gives an answer for each record, in order
     */
    TypedScan(
            LiveRecords records,
            TreeId tree,
            KeySpan<?> span,
            int batchMax,
            Function<List<LiveRecords.Live>, List<Optional<T>>> decode) {
        this.records = records;
        this.tree = tree;
        this.batchMax = batchMax;
        this.decode = decode;
        this.token = span.after();
        this.left = span.limit() == 0 ? Long.MAX_VALUE : span.limit();
    }

    @Override
    public boolean hasNext() {
        while (left > 0 && found.isEmpty() && records.hasNext()) {
            decodeBatch();
        }
        return left > 0 && !found.isEmpty();
    }

    private void decodeBatch() {
        List<LiveRecords.Live> taken = new ArrayList<>();
        long wanted = Math.min(batch, left);
        while (taken.size() < wanted && records.hasNext()) {
            taken.add(records.next());
        }
        batch = Math.min(batchMax, batch * 2);
        List<Optional<T>> decoded = decode.apply(taken);
        for (int i = 0; i < taken.size(); i++) {
            Bytes key = taken.get(i).key();
            decoded.get(i).ifPresent(value -> found.add(new Found<>(key, value)));
        }
    }

    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        Found<T> first = found.remove();
        last = first.key;
        left--;
        return first.value;
    }

    @Override
    public Optional<String> token() {
        if (last != null) {
            token = ResumeToken.encode(tree, last);
        }
        return Optional.ofNullable(token);
    }

    @Override
    public void close() {
        left = 0;
        records.close();
    }
}
