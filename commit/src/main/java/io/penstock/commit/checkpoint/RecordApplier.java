package io.penstock.commit.checkpoint;

import io.penstock.btree.ApplyResult;
import io.penstock.btree.TreeWriter;
import io.penstock.commit.index.PendingEntries;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.StoreException;
import io.penstock.core.TreeId;
import io.penstock.core.overflow.OverflowReference;
import io.penstock.core.overflow.OverflowStore;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The part of a checkpoint that applies log records to the pages of their trees. Safe for use by many threads. */
public final class RecordApplier {
    private static final Logger LOG = LoggerFactory.getLogger(RecordApplier.class);

    private final Function<TreeId, Optional<TreeWriter>> trees;
    private final PendingEntries pending;
    private final OverflowStore overflows;

    /**
     * @param trees finds the writer of a tree; empty when the store has no such tree
     * @param pending called with the applied records, for indexes that their writers did not know
     * @param overflows the store from which the payloads of replaced records are removed
     */
    public RecordApplier(
            Function<TreeId, Optional<TreeWriter>> trees, PendingEntries pending, OverflowStore overflows) {
        this.trees = trees;
        this.pending = pending;
        this.overflows = overflows;
    }

    /**
     * The outcome of one application.
     *
     * @param pages the number of pages that were written
     * @param unreferenced the payloads that no page refers to any more, by tree
     */
    record Applied(long pages, Map<TreeId, List<OverflowReference>> unreferenced) {}

    /** Whether the store has the tree of a record. */
    boolean hasTree(LogRecord record) {
        return trees.apply(record.tree()).isPresent();
    }

    /** The reason why a record can never be applied; empty when it can. */
    Optional<String> obstacle(LogRecord record) {
        Optional<TreeWriter> tree = trees.apply(record.tree());
        if (tree.isEmpty()) {
            return Optional.of("a log record is for a tree that is not there tree=" + record.tree());
        }
        return tree.get().holds(record.change())
                ? Optional.empty()
                : Optional.of("a log record is too large for the pages of its tree tree=" + record.tree());
    }

    Applied apply(List<LogRecord> records) {
        long pages = 0;
        Map<TreeId, List<OverflowReference>> unreferenced = new TreeMap<>();
        for (Map.Entry<TreeId, List<LogRecord>> entry :
                LogRecord.byTree(records).entrySet()) {
            TreeId tree = entry.getKey();
            if (pending.isDropped(tree)) {
                continue;
            }
            List<LogRecord> ofTree = entry.getValue();
            ofTree.sort(Comparator.comparing(record -> record.change().key()));
            TreeWriter writer = trees.apply(tree).orElseThrow();
            ApplyResult result =
                    writer.apply(ofTree.stream().map(LogRecord::change).toList());
            pending.note(tree, ofTree, result.marked());
            pages += result.pagesPut();
            if (!result.unreferenced().isEmpty()) {
                unreferenced.put(
                        tree,
                        result.unreferenced().stream()
                                .distinct()
                                .map(OverflowReference::decode)
                                .toList());
            }
        }
        return new Applied(pages, unreferenced);
    }

    /**
     * Removes the payloads of replaced records. Garbage collection removes those that remain after a failure or a
     * crash.
     */
    void remove(Applied applied) {
        applied.unreferenced.forEach((tree, references) -> {
            try {
                overflows.delete(tree, references);
            } catch (StoreException failure) {
                LOG.debug(
                        "replaced payloads were not removed count={} why={}", references.size(), failure.getMessage());
            }
        });
    }
}
