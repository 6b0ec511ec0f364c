package io.penstock.commit;

import io.penstock.commit.session.LayeredScan;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A scan of records in their typed form; leaves out what {@code decode} has no answer for. */
final class TypedScan<T> implements Scan<T> {
    private final LayeredScan records;
    private final Function<LayeredScan.Live, Optional<T>> decode;
    private @Nullable T next;

    TypedScan(LayeredScan records, Function<LayeredScan.Live, Optional<T>> decode) {
        this.records = records;
        this.decode = decode;
    }

    @Override
    public boolean hasNext() {
        while (next == null && records.hasNext()) {
            next = decode.apply(records.next()).orElse(null);
        }
        return next != null;
    }

    @Override
    public T next() {
        if (!hasNext() || next == null) {
            throw new NoSuchElementException();
        }
        T found = next;
        next = null;
        return found;
    }

    @Override
    public void close() {
        records.close();
    }
}
