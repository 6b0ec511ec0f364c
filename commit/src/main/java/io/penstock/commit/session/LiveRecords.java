package io.penstock.commit.session;

import io.penstock.core.Bytes;
import java.util.Iterator;

/** Records in the order of their keys, or against it. For one thread. */
public interface LiveRecords extends Iterator<LiveRecords.Live>, AutoCloseable {
    /** A live record. */
    record Live(Bytes key, Bytes payload) {}

    @Override
    void close();
}
