package io.penstock.commit.session;

import io.penstock.core.Bytes;

/**
 * Live records in the order of their keys, or against it. Stands on one at a time, at first before them. For one
 * thread.
 */
public interface LiveRecords extends AutoCloseable {
    /** Goes to the next record; false when there is none. */
    boolean advance();

    /** The key of the record that this stands on. */
    Bytes key();

    /** The payload of the record that this stands on, or the reference to it. */
    Bytes payload();

    /** Whether {@link #payload} is an encoded {@link io.penstock.core.overflow.OverflowReference}. */
    boolean isReference();

    /** Nobody will go further than so many records: what lies behind them need not be fetched. A hint. */
    void expect(long records);

    @Override
    void close();
}
