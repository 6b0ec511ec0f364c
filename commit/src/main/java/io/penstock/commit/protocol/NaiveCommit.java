package io.penstock.commit.protocol;

import io.penstock.btree.ApplyResult;
import io.penstock.btree.TreeWriter;
import io.penstock.btree.WriteMode;
import io.penstock.commit.index.PendingEntries;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.TreeId;
import io.penstock.core.record.RecordChange;
import java.util.List;
import java.util.function.Function;

/**
 * The baseline of the paper: it writes the changed pages at once, and overwrites what other clients have written
 * meanwhile.
 */
public record NaiveCommit(Function<TreeId, TreeWriter> writers, PendingEntries pending) implements CommitProtocol {
    @Override
    public void commit(StampedTransaction transaction) {
        LogRecord.byTree(transaction.records()).forEach((tree, records) -> {
            List<RecordChange> changes = records.stream().map(LogRecord::change).toList();
            ApplyResult result = writers.apply(tree).apply(changes, WriteMode.OVERWRITE);
            pending.note(
                    tree,
                    records,
                    result.marked(),
                    (noted, keys) -> writers.apply(noted).apply(keys));
        });
    }

    @Override
    public boolean needsQueue() {
        return false;
    }

    @Override
    public boolean keepsSession() {
        return false;
    }

    @Override
    public boolean leavesBacklog() {
        return false;
    }
}
