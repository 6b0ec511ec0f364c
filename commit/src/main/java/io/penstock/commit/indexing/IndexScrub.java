package io.penstock.commit.indexing;

import io.penstock.btree.TreeSettings;
import io.penstock.commit.engine.Trees;
import io.penstock.commit.index.CompositeKey;
import io.penstock.commit.settings.StoreSettings;
import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.record.RecordChange;
import io.penstock.core.record.VersionedRecord;
import io.penstock.core.task.Tasks;
import io.penstock.report.ScrubReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Puts an index in order, beside writers, builds and other scrubs. Everything it writes has a stamp from the record
 * it has read: what it adds has the record's own, and what it removes goes by the stamp just above. A change of the
 * record that it did not see is newer than either and wins, however late this comes. One run; for one thread.
 */
final class IndexScrub {
    private static final int BATCH = 256;

    /** Pending records that one run takes care of; those beyond are left for another. */
    private static final int PENDING_MAX = 100_000;

    private final Tasks tasks;
    private final Trees trees;
    private final LeafIndexing.Target index;
    private final TreeId primary;
    private final TreeId entries;
    private final Optional<TreeId> pending;
    private final StoreSettings.Limits limits;

    /**
     * No record with an older stamp is applied any more, and tombstones of before are gone; milliseconds since 1970.
     */
    private final long settledMillis;

    private long removed;
    private long left;

    /** @param trees to read and write by; their pool is this object's own */
    IndexScrub(Tasks tasks, Trees trees, LeafIndexing.Target index, TreeId primary, StoreSettings.Limits limits) {
        this.tasks = tasks;
        this.trees = trees;
        this.index = index;
        this.primary = primary;
        this.entries = index.stored().treeId();
        this.pending = index.stored().pendingTree();
        this.limits = limits;
        this.settledMillis =
                tasks.nowMillis() - TreeSettings.DEFAULT.tombstoneLife().toMillis();
    }

    ScrubReport run() {
        List<RecordChange> done = new ArrayList<>();
        pending.ifPresent(tree -> trees.inBatches(tree, BATCH, batch -> index(batch, done)));
        long indexedNanos = tasks.nanoTime();
        trees.inBatches(entries, BATCH, this::removeLeftOver);
        if (!done.isEmpty()) {
            awaitPools(indexedNanos);
            pending.ifPresent(tree -> apply(tree, done));
        }
        return new ScrubReport(done.size(), removed, left);
    }

    /**
     * Waits until no pooled page is from before the entries were written: a scan that does not find a record pending
     * any more must find its entry.
     */
    private void awaitPools(long sinceNanos) {
        Duration age = Duration.ofNanos(tasks.nanoTime() - sinceNanos);
        Duration left = limits.pageAgeMax().minus(age);
        if (left.isPositive()) {
            tasks.sleep(left);
        }
    }

    /** Writes the entries of pending records, and adds what takes these out of what is pending. */
    private void index(List<VersionedRecord> batch, List<RecordChange> done) {
        List<Optional<VersionedRecord>> records = trees.records(primary)
                .findAll(batch.stream().map(VersionedRecord::key).toList());
        List<RecordChange> puts = new ArrayList<>();
        int before = done.size();
        for (int i = 0; i < batch.size(); i++) {
            VersionedRecord noted = batch.get(i);
            Optional<Stamp> upTo = obsoleteUpTo(noted.stamp(), records.get(i));
            Optional<RecordChange> put = upTo.isEmpty()
                    ? Optional.empty()
                    : records.get(i)
                            .flatMap(this::entryOf)
                            .map(entry -> new RecordChange.Put(entry, Bytes.EMPTY, upTo.get()));
            boolean fits =
                    put.filter(change -> !trees.writer(entries).holds(change)).isEmpty();
            if (upTo.isPresent() && fits && done.size() < PENDING_MAX) {
                done.add(new RecordChange.Delete(noted.key(), upTo.get().next()));
                put.ifPresent(puts::add);
            }
        }
        apply(entries, puts);
        left += batch.size() - (done.size() - before);
    }

    private void removeLeftOver(List<VersionedRecord> batch) {
        List<Optional<VersionedRecord>> records = trees.records(primary)
                .findAll(batch.stream()
                        .map(entry -> CompositeKey.split(entry.key()).second())
                        .toList());
        List<RecordChange> obsolete = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            VersionedRecord entry = batch.get(i);
            boolean fits = records.get(i)
                    .flatMap(this::entryOf)
                    .filter(entry.key()::equals)
                    .isPresent();
            Optional<Stamp> upTo = obsoleteUpTo(entry.stamp(), records.get(i));
            if (!fits && upTo.isPresent()) {
                obsolete.add(new RecordChange.Delete(entry.key(), upTo.get().next()));
            }
            left += !fits && upTo.isEmpty() ? 1 : 0;
        }
        apply(entries, obsolete);
        removed += obsolete.size();
    }

    /** The entry of a live record. */
    private Optional<Bytes> entryOf(VersionedRecord record) {
        return record.isTombstone()
                ? Optional.empty()
                : trees.payload(primary, record)
                        .flatMap(payload -> index.entryOf().apply(record.key(), payload));
    }

    /**
     * Up to which stamp whatever was noted for a record is obsolete, given what its leaf says; empty when what was
     * noted is newer than that, as its record may still be on its way.
     */
    private Optional<Stamp> obsoleteUpTo(Stamp noted, Optional<VersionedRecord> record) {
        if (record.isEmpty()) {
            return noted.millis() < settledMillis ? Optional.of(noted) : Optional.empty();
        }
        return record.map(VersionedRecord::stamp).filter(stamp -> stamp.compareTo(noted) >= 0);
    }

    private void apply(TreeId tree, List<RecordChange> changes) {
        changes.sort(Comparator.comparing(RecordChange::key));
        trees.writer(tree).apply(changes);
    }
}
