package io.penstock.commit.session;

import io.penstock.core.page.LeafRun;
import org.jspecify.annotations.Nullable;

/** A scan of live records in the order of their keys, or against it. For one thread; close it when done. */
public interface RecordScan extends AutoCloseable {
    /**
     * Goes to the next records: null when there is none. They are of use until the next step; a reference to a payload
     * comes alone.
     */
    @Nullable
    LeafRun advance();

    /** Announces that at most {@code records} records will be read, so that leaves after them need not be fetched. */
    void expect(long records);

    /** Announces that the scan will be read to its end, so that leaves may be fetched from the first step on. */
    void expectAll();

    @Override
    void close();
}
