package io.penstock;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Records in key order, read page by page as they are asked for. No snapshot: a record that changes meanwhile may be
 * seen before or after its change. For one thread; close it when done.
 *
 * <p>It is its own iterator, so it can be walked through once, by a for loop too.
 */
public interface Scan<T> extends Iterator<T>, Iterable<T>, AutoCloseable {
    /** This scan, for a for loop. */
    @Override
    default Iterator<T> iterator() {
        return this;
    }

    @Override
    default Spliterator<T> spliterator() {
        return Spliterators.spliteratorUnknownSize(this, Spliterator.ORDERED | Spliterator.NONNULL);
    }

    /** The remaining records as a sequential stream. */
    default Stream<T> stream() {
        return StreamSupport.stream(spliterator(), false);
    }

    /**
     * Announces that this scan will be read to its end, so that many pages are fetched at a time from the start, and
     * returns it. {@link #forEachRemaining} does so by itself. Right for copies and sums, wasteful for a scan that may
     * end early. Without effect on a span with a {@link KeySpan#limit}.
     */
    Scan<T> toEnd();

    /**
     * Returns the position of this scan, after the last record that {@link #next} returned. A scan of a span {@link
     * KeySpan#after} it continues there, in any process and at any time. It holds that record's key in plain. Empty
     * before the first record of a scan that began without a token.
     */
    Optional<String> token();

    /**
     * Takes all records that are left as one page of a list, and closes the scan:
     *
     * <pre>{@code
     * Scan.Page<Entry<String, Book>> page = books.scan(KeySpan.all().after(token).limit(20)).page();
     * }</pre>
     *
     * Records that are added or removed between two pages neither repeat nor hide others.
     */
    Page<T> page();

    @Override
    void close();

    /**
     * One page of a list. Immutable.
     *
     * @param records in the order of the span
     * @param next leads to the page after this one, by {@link KeySpan#after}. Empty when the span had fewer records
     *     than its limit; if it had just as many, the next page is empty. Opaque, fit for URLs, and holds the key of
     *     the last record in plain
     */
    record Page<T>(List<T> records, Optional<String> next) {
        public Page {
            records = List.copyOf(records);
        }
    }
}
