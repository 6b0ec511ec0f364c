package io.penstock.commit.session;

import io.penstock.core.Bytes;
import java.util.Iterator;

/** The keys of live records in their order, or against it. For one thread; close it when done. */
public interface KeyScan extends Iterator<Bytes>, AutoCloseable {
    @Override
    void close();
}
