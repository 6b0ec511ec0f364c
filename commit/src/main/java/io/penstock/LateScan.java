package io.penstock;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A scan of what is known only together, such as a sum. It is found when the first of it is asked for. */
final class LateScan<T> implements Scan<T> {
    private final Supplier<List<T>> find;
    private @Nullable Iterator<T> found;

    LateScan(Supplier<List<T>> find) {
        this.find = find;
    }

    private Iterator<T> found() {
        Iterator<T> all = found;
        if (all == null) {
            all = find.get().iterator();
            found = all;
        }
        return all;
    }

    @Override
    public boolean hasNext() {
        return found().hasNext();
    }

    @Override
    public T next() {
        return found().next();
    }

    @Override
    public Scan<T> toEnd() {
        return this;
    }

    /** Empty: there is no key to go on after. */
    @Override
    public Optional<String> token() {
        return Optional.empty();
    }

    @Override
    public Page<T> page() {
        return new Page<>(stream().toList(), Optional.empty());
    }

    @Override
    public void close() {
        found = List.<T>of().iterator();
    }
}
