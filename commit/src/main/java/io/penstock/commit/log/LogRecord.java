package io.penstock.commit.log;

import io.penstock.core.TreeId;
import io.penstock.core.record.RecordChange;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** One redo log record: the after-image of one record (or its deletion) of one tree, with the transaction's stamp. */
public record LogRecord(TreeId tree, RecordChange change) {
    /** The changes of each tree, in the order given. */
    public static SortedMap<TreeId, List<RecordChange>> byTree(List<LogRecord> records) {
        TreeMap<TreeId, List<RecordChange>> changes = new TreeMap<>();
        for (LogRecord record : records) {
            changes.computeIfAbsent(record.tree, t -> new ArrayList<>()).add(record.change);
        }
        return changes;
    }
}
