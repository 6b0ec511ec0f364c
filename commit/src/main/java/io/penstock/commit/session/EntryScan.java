package io.penstock.commit.session;

import io.penstock.commit.index.IndexEntry;
import java.util.Iterator;

/** The live entries of an index in their order, or against it. For one thread; close it when done. */
public interface EntryScan extends Iterator<IndexEntry>, AutoCloseable {
    @Override
    void close();
}
