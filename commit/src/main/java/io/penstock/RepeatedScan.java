package io.penstock;

import io.penstock.core.ConflictException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A scan outside of transactions. Until its first records are found it begins anew where it meets a state that it
 * cannot go on with; from then on such a conflict is its caller's. For one thread.
 */
final class RepeatedScan<T> implements Scan<T> {
    private final Session session;
    private final RecordCollection<?, ?> collection;
    private final Function<Reads, Scan<T>> open;
    private Scan<T> scan;
    private boolean toEnd;
    private boolean begun;

    RepeatedScan(Session session, RecordCollection<?, ?> collection, Function<Reads, Scan<T>> open) {
        this.session = session;
        this.collection = collection;
        this.open = open;
        this.scan = session.read(collection, open);
    }

    private Scan<T> begun() {
        if (!begun) {
            try {
                var unused = scan.hasNext();
            } catch (ConflictException moved) {
                // The new one first: after a failure this is called again, and a closed scan would say that it is over.
                Scan<T> anew = session.read(collection, this::fetched);
                scan.close();
                scan = anew;
            }
            begun = true;
        }
        return scan;
    }

    private Scan<T> fetched(Reads reads) {
        Scan<T> opened = open.apply(reads);
        if (toEnd) {
            var unused = opened.toEnd();
        }
        var unused = opened.hasNext();
        return opened;
    }

    @Override
    public boolean hasNext() {
        return begun().hasNext();
    }

    @Override
    public T next() {
        return begun().next();
    }

    @Override
    public void forEachRemaining(Consumer<? super T> action) {
        var unused = toEnd();
        begun().forEachRemaining(action);
    }

    @Override
    public Scan<T> toEnd() {
        toEnd = true;
        var unused = scan.toEnd();
        return this;
    }

    @Override
    public Optional<String> token() {
        return scan.token();
    }

    @Override
    public Page<T> page() {
        if (begun) {
            return scan.page();
        }
        begun = true;
        try {
            return scan.page();
        } catch (ConflictException moved) {
            return session.read(collection, reads -> open.apply(reads).page());
        }
    }

    @Override
    public void close() {
        begun = true;
        scan.close();
    }
}
