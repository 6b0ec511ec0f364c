package io.penstock.commit.domain;

import io.penstock.commit.log.LogRecord;
import java.util.List;

/** The trees to which checkpoints apply log records. */
public interface Pages {
    /**
     * Applies log records; of several of one key the newest wins. When it returns, each is on a page or parked.
     *
     * @param records of each key the newest; and those before it whose payload is a reference
     * @param alone whether no other client has applied any since the last call, so that pages in memory are the newest
     */
    Applied apply(List<LogRecord> records, boolean alone);

    /** The numbers of pages written and of records parked. */
    record Applied(long pages, long parked) {}
}
