package io.penstock.commit.indexing;

import io.penstock.btree.TreeSettings;
import io.penstock.commit.engine.Trees;
import io.penstock.commit.index.CompositeKey;
import io.penstock.commit.index.IndexEntry;
import io.penstock.commit.settings.StoreSettings;
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
 * A repair of an index, concurrent with writers, builds and other scrubs. Everything that it writes has a stamp derived
 * from the record that it has read: an added entry has the record's own stamp, and a removal the stamp just above. A
 * change of the record that the scrub did not see is newer than either and wins, however late the scrub's write
 * arrives. For one run and one thread.
 */
final class IndexScrub {
    private static final int BATCH = 256;

    /** The most pending records that one run processes; the rest is left to the next. */
    private static final int PENDING_MAX = 100_000;

    private final Tasks tasks;
    private final Trees trees;
    private final LeafIndexing.Target index;
    private final TreeId primary;
    private final TreeId entries;
    private final Optional<TreeId> pending;
    private final StoreSettings.Limits limits;

    /**
     * The time, in milliseconds since 1970, before which everything is settled: no record with an older stamp is
     * applied any more, and older tombstones are purged.
     */
    private final long settledMillis;

    private long removed;
    private long completed;
    private long left;

    /** @param trees to read and write; no other object uses their pool */
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
        trees.inBatches(entries, BATCH, this::repair);
        if (!done.isEmpty()) {
            awaitPools(indexedNanos);
            pending.ifPresent(tree -> apply(tree, done));
        }
        return new ScrubReport(done.size() + completed, removed, left);
    }

    /**
     * Waits until no page in the pool of any client is from before the entries were written: a scan that no longer
     * finds a record pending must find its entry.
     */
    private void awaitPools(long sinceNanos) {
        Duration age = Duration.ofNanos(tasks.nanoTime() - sinceNanos);
        Duration left = limits.pageAgeMaxOfAll().minus(age);
        if (left.isPositive()) {
            tasks.sleep(left);
        }
    }

    /**
     * Writes the entries of pending records, and adds the changes that remove these records from the pending tree to
     * {@code done}.
     */
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
                    : records.get(i).flatMap(record -> entryOf(record).map(entry -> put(entry, record, upTo.get())));
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

    /** Removes the entries that do not fit their records, and adds the included part to those that lack it. */
    private void repair(List<VersionedRecord> batch) {
        List<Optional<VersionedRecord>> records = trees.records(primary)
                .findAll(batch.stream()
                        .map(entry -> CompositeKey.split(entry.key()).second())
                        .toList());
        List<RecordChange> obsolete = new ArrayList<>();
        List<RecordChange> puts = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            VersionedRecord entry = batch.get(i);
            Optional<IndexEntry> wanted = records.get(i)
                    .flatMap(this::entryOf)
                    .filter(one -> one.key().equals(entry.key()));
            Optional<Stamp> upTo = obsoleteUpTo(entry.stamp(), records.get(i));
            if (wanted.isEmpty() && upTo.isPresent()) {
                obsolete.add(new RecordChange.Delete(entry.key(), upTo.get().next()));
            } else if (upTo.isPresent() && lacksPart(entry, wanted.get())) {
                puts.add(put(
                        wanted.get(), records.get(i).orElseThrow(), upTo.get().next()));
            }
            left += wanted.isEmpty() && upTo.isEmpty() ? 1 : 0;
        }
        removed += obsolete.size();
        completed += puts.size();
        obsolete.addAll(puts);
        apply(entries, obsolete);
    }

    /** Whether the program that scrubs includes a part of the record, which the entry does not have. */
    private static boolean lacksPart(VersionedRecord entry, IndexEntry wanted) {
        return !wanted.included().isEmpty() && !wanted.included().equals(entry.livePayload());
    }

    /** The put of an entry, which expires with its record. */
    private static RecordChange put(IndexEntry entry, VersionedRecord record, Stamp stamp) {
        return new RecordChange.Put(entry.key(), entry.included(), false, record.expiryMillis(), stamp);
    }

    /** The entry of a live record. */
    private Optional<IndexEntry> entryOf(VersionedRecord record) {
        return record.isTombstone()
                ? Optional.empty()
                : trees.payload(primary, record)
                        .flatMap(payload -> index.entryOf().apply(record.key(), payload));
    }

    /**
     * Returns the stamp up to which notes on a record are obsolete, given the record on its leaf. Empty when the note
     * is newer than that, since its record may not be applied yet.
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
