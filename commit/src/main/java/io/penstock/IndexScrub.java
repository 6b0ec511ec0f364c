package io.penstock;

import io.penstock.btree.TreeSettings;
import io.penstock.commit.catalog.CollectionDefinition.IndexDefinition;
import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.record.RecordChange;
import io.penstock.core.record.VersionedRecord;
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

    private final Engine engine;
    private final Index<?, ?, ?> index;
    private final Trees trees;
    private final TreeId primary;
    private final TreeId entries;
    private final Optional<TreeId> pending;

    /**
     * No record with an older stamp is applied any more, and tombstones of before are gone; milliseconds since 1970.
     */
    private final long settledMillis;

    private long removed;
    private long left;

    IndexScrub(Index<?, ?, ?> index, IndexDefinition stored) {
        this.engine = index.collection().engine();
        this.index = index;
        this.trees = engine.freshTrees();
        this.primary = index.collection().tree();
        this.entries = stored.treeId();
        this.pending = stored.pendingTree();
        this.settledMillis =
                engine.tasks.nowMillis() - TreeSettings.DEFAULT.tombstoneLife().toMillis();
    }

    ScrubReport run() {
        List<RecordChange> done = new ArrayList<>();
        pending.ifPresent(tree -> trees.inBatches(tree, BATCH, batch -> index(batch, done)));
        long indexedNanos = engine.tasks.nanoTime();
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
        Duration age = Duration.ofNanos(engine.tasks.nanoTime() - sinceNanos);
        Duration left = engine.settings.ttl().plus(engine.settings.readLag()).minus(age);
        if (left.isPositive()) {
            engine.tasks.sleep(left);
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
                : engine.payload(primary, record).flatMap(payload -> index.entryOf(record.key(), payload));
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
