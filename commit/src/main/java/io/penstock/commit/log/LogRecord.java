package io.penstock.commit.log;

import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.record.RecordChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A redo log record: the after-image (or the deletion) of one record of one tree, with the transaction's stamp.
 *
 * @param epoch of the collection's definition that the writer knew: it has changed the entries of every index that was
 *     added at this epoch or before. 0 in the trees of indexes
 */
public record LogRecord(TreeId tree, RecordChange change, long epoch) {
    /** A record of a writer that knows the indexes that its collection was created with. */
    public LogRecord(TreeId tree, RecordChange change) {
        this(tree, change, 0);
    }

    /** Returns this record with another stamp. */
    public LogRecord stamped(Stamp stamp) {
        return new LogRecord(tree, change.stamped(stamp), epoch);
    }

    /**
     * Returns this record as one that takes the place of an earlier one of its key, whose writer may have known fewer
     * indexes: what that has left over in others is still to be found out.
     */
    public LogRecord inPlaceOf(LogRecord earlier) {
        return earlier.epoch < epoch ? new LogRecord(tree, change, earlier.epoch) : this;
    }

    /** Returns a copy, as {@link RecordChange#copy} does. */
    public LogRecord copy() {
        return new LogRecord(tree, change.copy(), epoch);
    }

    /** Groups log records by tree, in the order given. */
    public static SortedMap<TreeId, List<LogRecord>> byTree(List<LogRecord> records) {
        TreeMap<TreeId, List<LogRecord>> trees = new TreeMap<>();
        for (LogRecord record : records) {
            trees.computeIfAbsent(record.tree, t -> new ArrayList<>()).add(record);
        }
        return trees;
    }

    /** The records of each transaction: all of them have its stamp, and no others have. */
    public static Map<Stamp, List<LogRecord>> byStamp(List<LogRecord> records) {
        return records.stream()
                .collect(Collectors.groupingBy(record -> record.change().stamp()));
    }
}
