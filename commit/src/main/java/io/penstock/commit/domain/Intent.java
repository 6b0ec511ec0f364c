package io.penstock.commit.domain;

import io.penstock.commit.log.LogRecord;
import java.util.List;

/**
 * A strict transaction on its way into the log.
 *
 * @param snapshot the position that it has read at
 * @param validated what must not have been written after the snapshot
 * @param writes with {@link io.penstock.core.Stamp#ZERO}; they are stamped when a segment is made
 */
public record Intent(TransactionId id, long snapshot, ReadSet validated, List<LogRecord> writes) {
    public Intent {
        writes = List.copyOf(writes);
    }
}
