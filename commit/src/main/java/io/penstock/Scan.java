package io.penstock;

import java.util.Iterator;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Records in key order, read page by page as they are asked for. No snapshot: a record that changes meanwhile may be
 * seen before or after its change. For one thread; close it when done.
 */
public interface Scan<T> extends Iterator<T>, AutoCloseable {
    /** The remaining records as a sequential stream. */
    default Stream<T> stream() {
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(this, Spliterator.ORDERED | Spliterator.NONNULL), false);
    }

    /**
     * Says that this scan will be read to its end, so that pages are fetched many at a time from the first on, and
     * returns it; {@link #forEachRemaining} says so by itself. Right for copies and sums, wasteful for a scan that may
     * end early. Does nothing where {@link KeySpan#limit} says how far it goes.
     */
    Scan<T> toEnd();

    /**
     * Where this scan is: behind the last record that {@link #next} returned. A span {@link KeySpan#after} it goes on
     * there, in any process and at any time; it holds the key of that record, in plain. Empty before the first record
     * of a scan that began without a token.
     */
    Optional<String> token();

    @Override
    void close();
}
