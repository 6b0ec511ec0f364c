package io.penstock.commit.checkpoint;

import io.penstock.btree.ApplyResult;
import io.penstock.btree.TreeWriter;
import io.penstock.commit.index.PendingEntries;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.commit.queue.DeadLetterStore;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.PageId;
import io.penstock.core.RefusedException;
import io.penstock.core.StoreException;
import io.penstock.core.TreeId;
import io.penstock.core.overflow.OverflowReference;
import io.penstock.core.overflow.OverflowStore;
import io.penstock.core.record.RecordChange;
import io.penstock.report.CheckpointReport;
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

/**
 * The part of a checkpoint that applies log records to the pages of their trees. Safe for use by many threads.
 *
 * @param trees finds the writer of a tree; empty when the store has no such tree
 * @param pending called with the applied records, for indexes that their writers did not know
 * @param overflows the store from which the payloads of replaced records are removed
 * @param parking the place for records that damaged pages keep from being applied
 */
public record RecordApplier(
        Function<TreeId, Optional<TreeWriter>> trees,
        PendingEntries pending,
        OverflowStore overflows,
        DeadLetterStore parking) {
    private static final Logger LOG = LoggerFactory.getLogger(RecordApplier.class);

    /** The bytes of parked records in one object, at which the next one begins. */
    private static final int PARKED_BYTES = 1 << 20;

    /** The beginning of the name of parked records that came in a queue's message, not in a log. */
    private static final String OF_QUEUE = "queue-";

    /** The client of a group of parked records, which are of many clients: their stamps name them. */
    private static final ClientId NOBODY = new ClientId(0);

    private static final Comparator<LogRecord> ORDER = Comparator.comparing(
                    (LogRecord record) -> record.change().key())
            .thenComparing(record -> record.change().stamp());

    /** The reason why a record of a queue may not be applied now; empty when it may. */
    Optional<String> straying(LogRecord record) {
        return pending.isLogged(record.tree())
                ? Optional.of("the collection was moved into a domain before its writer noticed, and transactions would"
                        + " not see this; apply it when the collection was moved back tree=" + record.tree())
                : Optional.empty();
    }

    /**
     * The reason why a record that came through a queue, and waits for an operator, may not be applied now; empty when
     * it may. Unlike a queue, no move waits for it, so it may not even come on the way into a domain.
     */
    Optional<String> astray(TreeId tree) {
        return pending.isInDomain(tree)
                ? Optional.of("the collection was moved into a domain, and transactions would not see this; apply it"
                        + " when it was moved back tree=" + tree)
                : Optional.empty();
    }

    /** Whether records that were parked under a name came in a queue's message. */
    static boolean isOfQueue(String name) {
        return name.substring(name.lastIndexOf('/') + 1).startsWith(OF_QUEUE);
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

    /** The reason why records of a tree may not be in the log of a domain; empty when they may. */
    Optional<String> foreign(TreeId tree, String domain) {
        return pending.isForeign(tree, domain)
                ? Optional.of("its collection is in another domain, whose clients alone may change it tree=" + tree
                        + " domain=" + domain)
                : Optional.empty();
    }

    /**
     * Applies log records. Those that a damaged page keeps from being applied are stored elsewhere when it returns.
     *
     * @param ofQueue whether they came in a queue's message, not in a log
     * @param timely called before each page is replaced: throws when the records may not be applied any more
     */
    Application apply(List<LogRecord> records, boolean ofQueue, Runnable timely) {
        Application application = new Application(records.size(), ofQueue, timely);
        LogRecord.byTree(records).forEach((tree, ofTree) -> {
            if (pending.isDropped(tree)) {
                application.discarded += ofTree.size();
            } else {
                application.apply(tree, ofTree);
            }
        });
        return application;
    }

    /** One application of log records, and what comes of it. For one thread. */
    final class Application {
        private final Map<TreeId, List<OverflowReference>> unreferenced = new TreeMap<>();
        private long pages;
        private final Set<String> parkedAs = new TreeSet<>();
        private long parked;
        private long discarded;
        private final long records;
        private final boolean ofQueue;
        private final Runnable timely;

        private Application(long records, boolean ofQueue, Runnable timely) {
            this.records = records;
            this.ofQueue = ofQueue;
            this.timely = timely;
        }

        /** The numbers of records that were applied, parked and discarded, and of pages that were written. */
        CheckpointReport report() {
            return CheckpointReport.ofRecords(records - parked - discarded, pages, parked, discarded);
        }

        /** Whether records were parked in an object of this name. */
        boolean isParkedAs(String name) {
            return parkedAs.contains(name);
        }

        private void apply(TreeId tree, List<LogRecord> records) {
            records.sort(Comparator.comparing(record -> record.change().key()));
            List<RecordChange> changes = records.stream().map(LogRecord::change).toList();
            ApplyResult result = trees.apply(tree).orElseThrow().applyReachable(changes, timely);
            pending.note(tree, records, result.marked(), this::note);
            pages += result.pagesPut();
            if (!result.unreferenced().isEmpty()) {
                unreferenced.put(tree, result.unreferenced().stream().distinct().toList());
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
                    parkedAs.addAll(store(
                            one.page(),
                            affected,
                            ofQueue,
                            String.valueOf(one.why().getMessage())));
                    parked += affected.size();
                }
            }
        }

        /**
         * Removes the payloads of replaced records. Garbage collection removes those that remain after a failure or a
         * crash.
         */
        void removeReplaced() {
            unreferenced.forEach((tree, references) -> {
                try {
                    overflows.delete(tree, references);
                } catch (RefusedException refusal) {
                    LOG.warn(
                            "replaced payloads stay, until gc removes them count={} why={}",
                            references.size(),
                            refusal.getMessage());
                } catch (StoreException failure) {
                    LOG.debug(
                            "replaced payloads were not removed count={} why={}",
                            references.size(),
                            failure.getMessage());
                }
            });
        }
    }

    /**
     * Stores log records of one tree before their messages are deleted; they are applied again when the page is
     * repaired. Each object is a message of the PU queues' format. Its name is made from its content, so a repeat
     * writes the same objects.
     *
     * @param page that is damaged, or is on the way to it
     * @return the names of the objects
     */
    private List<String> store(PageId page, List<LogRecord> records, boolean ofQueue, String reason) {
        List<String> names = new ArrayList<>();
        for (List<LogRecord> part : parts(records.stream().sorted(ORDER).toList())) {
            Bytes bytes = new PuMessage(NOBODY, PuMessage.UNORDERED, part).encode();
            String name = page.tree().hex() + "/" + page.hex() + "/" + (ofQueue ? OF_QUEUE : "") + bytes.sha256();
            parking.keep(name, bytes, reason, part.size());
            names.add(name);
        }
        LOG.warn(
                "log records were parked, because a page is damaged; repair it, then run quarantine apply page={}"
                        + " records={} reason={}",
                page,
                records.size(),
                reason);
        return names;
    }

    private static List<List<LogRecord>> parts(List<LogRecord> sorted) {
        List<List<LogRecord>> parts = new ArrayList<>();
        int from = 0;
        long bytes = 0;
        for (int i = 0; i < sorted.size(); i++) {
            bytes += PuMessage.recordBytesMax(sorted.get(i));
            if (bytes >= PARKED_BYTES || i == sorted.size() - 1) {
                parts.add(sorted.subList(from, i + 1));
                from = i + 1;
                bytes = 0;
            }
        }
        return parts;
    }
}
