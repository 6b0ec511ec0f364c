package io.penstock.commit.checkpoint;

import io.penstock.btree.ApplyResult;
import io.penstock.btree.TreeWriter;
import io.penstock.commit.index.PendingEntries;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.StoreException;
import io.penstock.core.TreeId;
import io.penstock.core.overflow.OverflowReference;
import io.penstock.core.overflow.OverflowStore;
import io.penstock.core.record.RecordChange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The part of a checkpoint that applies log records to the pages of their trees. Safe for use by many threads. */
public final class RecordApplier {
    private static final Logger LOG = LoggerFactory.getLogger(RecordApplier.class);

    private final Function<TreeId, Optional<TreeWriter>> trees;
    private final PendingEntries pending;
    private final OverflowStore overflows;
    private final ParkedRecords parking;

    /**
     * @param trees finds the writer of a tree; empty when the store has no such tree
     * @param pending called with the applied records, for indexes that their writers did not know
     * @param overflows the store from which the payloads of replaced records are removed
     * @param parking the place for records that damaged pages keep from being applied
     */
    public RecordApplier(
            Function<TreeId, Optional<TreeWriter>> trees,
            PendingEntries pending,
            OverflowStore overflows,
            ParkedRecords parking) {
        this.trees = trees;
        this.pending = pending;
        this.overflows = overflows;
        this.parking = parking;
    }

    /**
     * The outcome of one application.
     *
     * @param pages the number of pages that were written
     * @param parked the number of records that were parked
     * @param parkedAs the names of the objects that hold them
     * @param discarded the number of records of trees that were dropped
     * @param unreferenced the payloads that no page refers to any more, by tree
     */
    record Applied(
            long pages,
            long parked,
            Set<String> parkedAs,
            long discarded,
            Map<TreeId, List<OverflowReference>> unreferenced) {}

    /** The reason why a record of a queue may not be applied now; empty when it may. */
    Optional<String> straying(LogRecord record) {
        return pending.isLogged(record.tree())
                ? Optional.of("the collection was moved into a domain before its writer noticed, and transactions would"
                        + " not see this; apply it when the collection was moved back tree=" + record.tree())
                : Optional.empty();
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

    /** Applies log records. Those that a damaged page keeps from being applied are stored elsewhere when it returns. */
    Applied apply(List<LogRecord> records) {
        return apply(records, () -> {});
    }

    /** @param timely called before each page is replaced: throws when the records are too old by then */
    Applied apply(List<LogRecord> records, Runnable timely) {
        Application application = new Application(timely);
        LogRecord.byTree(records).forEach((tree, ofTree) -> {
            if (pending.isDropped(tree)) {
                application.discarded += ofTree.size();
            } else {
                application.apply(tree, ofTree);
            }
        });
        return new Applied(
                application.pages,
                application.parked,
                application.parkedAs,
                application.discarded,
                application.unreferenced);
    }

    /** One application of log records. For one thread. */
    private final class Application {
        private final Map<TreeId, List<OverflowReference>> unreferenced = new TreeMap<>();
        private long pages;
        private final Set<String> parkedAs = new TreeSet<>();
        private long parked;
        private long discarded;
        private final Runnable timely;

        Application(Runnable timely) {
            this.timely = timely;
        }

        void apply(TreeId tree, List<LogRecord> records) {
            records.sort(Comparator.comparing(record -> record.change().key()));
            List<RecordChange> changes = records.stream().map(LogRecord::change).toList();
            ApplyResult result = trees.apply(tree).orElseThrow().applyReachable(changes, timely);
            pending.note(tree, records, result.marked(), this::note);
            pages += result.pagesPut();
            if (!result.unreferenced().isEmpty()) {
                unreferenced.put(
                        tree,
                        result.unreferenced().stream()
                                .distinct()
                                .map(OverflowReference::decode)
                                .toList());
            }
            park(records, result.refused());
        }

        /** Applies keys to an index's pending tree. */
        private void note(TreeId tree, List<RecordChange> keys) {
            long before = parked;
            apply(
                    tree,
                    keys.stream()
                            .map(key -> new LogRecord(tree, key))
                            .collect(Collectors.toCollection(ArrayList::new)));
            parked = before; // not one of the records that were given
        }

        private void park(List<LogRecord> records, List<ApplyResult.Refused> refused) {
            for (ApplyResult.Refused one : refused) {
                Set<RecordChange> changes = Collections.newSetFromMap(new IdentityHashMap<>());
                changes.addAll(one.changes());
                List<LogRecord> affected = records.stream()
                        .filter(record -> changes.contains(record.change()))
                        .toList();
                if (affected.isEmpty()) {
                    LOG.warn(
                            "an inner page is damaged, so reads take detours why={}",
                            one.why().getMessage());
                } else {
                    parkedAs.addAll(parking.park(
                            one.page(), affected, String.valueOf(one.why().getMessage())));
                    parked += affected.size();
                }
            }
        }
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
