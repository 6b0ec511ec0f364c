package io.penstock;

import io.penstock.commit.session.ResumeToken;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.TreeId;
import io.penstock.core.UnavailableException;
import io.penstock.core.meter.ReadTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The base of all scans of typed records: keeps the limit and the token. For one thread. */
abstract class TypedScan<T> implements Scan<T> {
    private final TreeId tree;

    private final ReadTimes times;

    private final @Nullable String after;

    /** The key before those of the records at hand; null when there is none. */
    private @Nullable Bytes last;

    private final boolean unlimited;

    /** The maximum number of records; 0 for no limit. */
    private final long limit;

    private long fetched;

    /** The number of records that may still be fetched. */
    private long left;

    /** The number of records at hand, and the index of the next one. */
    private int count;

    private int next;

    /** The cause why a page could not be read whole, after which the scan is closed. */
    private @Nullable RuntimeException failure;

    /** @param tree that keys are of */
    TypedScan(TreeId tree, KeySpan<?> span, ReadTimes times) {
        this.tree = tree;
        this.times = times;
        this.after = span.after();
        this.unlimited = span.limit() == 0;
        this.limit = span.limit();
        this.left = unlimited ? Long.MAX_VALUE : span.limit();
    }

    /** Fetches the next records, in place of those before, and says how many they are: 0 when there is none. */
    abstract int fetch();

    /** The next of the records that were fetched last. */
    abstract T take();

    /** The key of the record that was taken last, in {@code tree}. */
    abstract Bytes key();

    /** All records that are left will be fetched: a hint. */
    abstract void expectAll();

    /** Closes what records are fetched from. */
    abstract void release();

    /** Whether a read failed for another cause than its record: it is repeated when the scan goes on. */
    static boolean isRepeated(RuntimeException failure) {
        return failure instanceof UnavailableException || failure instanceof ConflictException;
    }

    /** Reads a part of a scan: again after a failure, when the scan goes on; but what cannot be read is passed by. */
    static <R> R read(Supplier<R> what, Runnable passBy) {
        try {
            return what.get();
        } catch (RuntimeException failure) {
            if (!isRepeated(failure)) {
                passBy.run();
            }
            throw failure;
        }
    }

    /** The number of records that may still be fetched. */
    final long left() {
        return left;
    }

    @Override
    public final boolean hasNext() {
        return next < count || fetchMore();
    }

    private boolean fetchMore() {
        if (failure != null) {
            throw failure;
        }
        if (left == 0) {
            return false;
        }
        if (count > 0) {
            last = key();
        }
        next = 0;
        count = 0;
        count = (int) Math.min(left, times.scan(this::fetch));
        left = count == 0 ? 0 : left - count;
        fetched += count;
        return count > 0;
    }

    @Override
    public final T next() {
        // Callers have asked hasNext as a rule, and then all this is small enough to become a part of their loops.
        if (next == count) {
            requireMore();
        }
        next++;
        return take();
    }

    private void requireMore() {
        if (!fetchMore()) {
            throw new NoSuchElementException();
        }
    }

    @Override
    public final Scan<T> toEnd() {
        if (unlimited) {
            expectAll();
        }
        return this;
    }

    /** The quickest way through many records. */
    @Override
    public final void forEachRemaining(Consumer<? super T> action) {
        toEnd();
        while (hasNext()) {
            giveAll(action);
        }
    }

    /** A loop of its own that fetches nothing, so that it is compiled as one small piece of code. */
    private void giveAll(Consumer<? super T> action) {
        for (int number = next; number < count; number++) {
            next = number + 1;
            action.accept(take());
        }
    }

    @Override
    public final Optional<String> token() {
        Bytes taken = next > 0 ? key() : last;
        return Optional.ofNullable(taken == null ? after : ResumeToken.encode(tree, taken));
    }

    @Override
    public final Page<T> page() {
        try (this) {
            List<T> records = new ArrayList<>();
            forEachRemaining(records::add);
            return new Page<>(records, !unlimited && fetched == limit ? token() : Optional.empty());
        } catch (RuntimeException e) {
            failure = e;
            throw e;
        }
    }

    @Override
    public final void close() {
        left = 0;
        count = next;
        release();
    }
}
