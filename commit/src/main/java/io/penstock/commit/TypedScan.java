package io.penstock.commit;

import io.penstock.commit.session.LayeredScan;
import io.penstock.core.Bytes;
import io.penstock.core.TreeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A scan of records in their typed form; leaves out what {@code decode} has no answer for. It reads in batches, which
 * begin with one record and double, so that what a batch has to read it reads at a time; but large payloads one by one,
 * as they are asked for.
 */
final class TypedScan<T> implements Scan<T> {
    private final LayeredScan records;
    private final Function<List<LayeredScan.Live>, List<Supplier<Optional<T>>>> decode;
    private final TreeId tree;
    private final int batchMax;
    private final ArrayDeque<Found<T>> found = new ArrayDeque<>();
    private @Nullable T next;
    private @Nullable Bytes nextKey;
    private @Nullable String token;
    private @Nullable Bytes last;
    private long left;
    private int batch = 1;

    private record Found<T>(Bytes key, Supplier<Optional<T>> value) {}

    /**
     * @param tree that {@code records} come from
     * @param batchMax records that are decoded at a time
     * @param decode gives an answer for each record, in order
     */
    TypedScan(
            LayeredScan records,
            TreeId tree,
            KeySpan<?> span,
            int batchMax,
            Function<List<LayeredScan.Live>, List<Supplier<Optional<T>>>> decode) {
        this.records = records;
        this.tree = tree;
        this.batchMax = batchMax;
        this.decode = decode;
        this.token = span.after();
        this.left = span.limit() == 0 ? Long.MAX_VALUE : span.limit();
    }

    @Override
    public boolean hasNext() {
        while (left > 0 && next == null) {
            Found<T> first = found.poll();
            if (first != null) {
                next = first.value.get().orElse(null);
                nextKey = first.key;
            } else if (records.hasNext()) {
                decodeBatch();
            } else {
                return false;
            }
        }
        return left > 0;
    }

    private void decodeBatch() {
        List<LayeredScan.Live> taken = new ArrayList<>();
        long wanted = Math.min(batch, left);
        while (taken.size() < wanted && records.hasNext()) {
            taken.add(records.next());
        }
        batch = Math.min(batchMax, batch * 2);
        List<Supplier<Optional<T>>> decoded = decode.apply(taken);
        for (int i = 0; i < taken.size(); i++) {
            found.add(new Found<>(taken.get(i).key(), decoded.get(i)));
        }
    }

    @Override
    public T next() {
        if (!hasNext() || next == null) {
            throw new NoSuchElementException();
        }
        T value = next;
        next = null;
        last = nextKey;
        left--;
        return value;
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
