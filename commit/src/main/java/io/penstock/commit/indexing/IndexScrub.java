package io.penstock.commit.indexing;

import io.penstock.btree.TreeSettings;
import io.penstock.commit.engine.Trees;
import io.penstock.commit.index.CompositeKey;
import io.penstock.commit.index.IncludedPart;
import io.penstock.commit.index.IndexEntry;
import io.penstock.commit.settings.StoreSettings;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.record.RecordChange;
import io.penstock.core.task.Tasks;
import io.penstock.report.ScrubReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A repair of an index, concurrent with writers, builds and other scrubs. In a domain it writes transactions like any
 * client ({@link LoggedWrites}). Elsewhere everything that it writes has a stamp derived from the record that it has
 * read: an added entry has the record's own stamp, and a removal the stamp just above. A change of the record that the
 * scrub did not see is newer than either and wins, however late the scrub's write arrives. For one run and one thread.
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
    private final Optional<LoggedWrites> logged;

    /**
     * The time, in milliseconds since 1970, before which everything is settled: no record with an older stamp is
     * applied any more, and older tombstones are purged.
     */
    private final long settledMillis;

    /** The records that are pending as the scrub begins. */
    private final List<RecordChange> noted = new ArrayList<>();

    /** Outside of domains: removals from the pending tree that wait until all clients see the entries. */
    private final List<RecordChange> obsolete = new ArrayList<>();

    /** The records of a batch that cannot be read here: what the index has of them stays as it is. */
    private final Set<Bytes> unread = new HashSet<>();

    private long indexed;
    private long removed;
    private long completed;
    private long left;

    /**
     * @param trees to read and write; no other object uses their pool
     * @param logged the way to write in a domain
     */
    IndexScrub(Tasks tasks, Trees trees, LeafIndexing.Target index, TreeId primary, Optional<LoggedWrites> logged) {
        this.tasks = tasks;
        this.trees = trees;
        this.index = index;
        this.primary = primary;
        this.entries = index.stored().treeId();
        this.pending = index.stored().pendingTree();
        this.logged = logged;
        this.settledMillis =
                tasks.nowMillis() - TreeSettings.DEFAULT.tombstoneLife().toMillis();
    }

    ScrubReport run() {
        pending.ifPresent(this::note);
        if (logged.isPresent()) {
            // An entry left over by a pending record's writer is a row once the record is not pending any more.
            trees.inBatches(entries, BATCH, this::repair);
            inBatches(this::index);
        } else {
            inBatches(this::index);
            long indexedNanos = tasks.nanoTime();
            trees.inBatches(entries, BATCH, this::repair);
            if (!obsolete.isEmpty()) {
                awaitPools(indexedNanos);
                pending.ifPresent(tree -> apply(tree, obsolete, () -> {})); // removals only
            }
        }
        return new ScrubReport(indexed + completed, removed, left);
    }

    /** Reads which records are pending as the scrub begins. */
    private void note(TreeId tree) {
        trees.inBatches(tree, BATCH, batch -> {
            int taken = Math.min(batch.size(), PENDING_MAX - noted.size());
            batch.subList(0, taken).forEach(each -> noted.add(each.copy()));
            left += batch.size() - taken;
        });
    }

    private void inBatches(Consumer<List<RecordChange>> each) {
        for (int from = 0; from < noted.size(); from += BATCH) {
            each.accept(noted.subList(from, Math.min(noted.size(), from + BATCH)));
        }
    }

    /**
     * Waits until no page in the pool of any client is from before the entries were written: a scan that no longer
     * finds a record pending must find its entry.
     */
    private void awaitPools(long sinceNanos) {
        Duration age = Duration.ofNanos(tasks.nanoTime() - sinceNanos);
        Duration left = StoreSettings.Limits.TTL_MAX.minus(age);
        if (left.isPositive()) {
            tasks.sleep(left);
        }
    }

    /** The changes that follow from some records: to the index, and removals of notes from its pending tree. */
    private record Due(List<RecordChange> entries, List<RecordChange> notes, int left) {
        long deletes() {
            return entries.stream()
                    .filter(RecordChange.Delete.class::isInstance)
                    .count();
        }
    }

    /**
     * Writes the entries of pending records. What removes these records from the pending tree is written with them in
     * a domain, where readers see both or neither; otherwise it is left to the end.
     */
    private void index(List<RecordChange> batch) {
        List<Bytes> keys = batch.stream().map(RecordChange::key).toList();
        Optional<Due> written = written(keys, () -> entriesOf(batch, keys));
        written.ifPresent(due -> {
            indexed += due.notes.size();
            if (logged.isEmpty()) {
                obsolete.addAll(due.notes);
            }
        });
        left += written.map(Due::left).orElse(batch.size());
        unread.clear();
    }

    private Due entriesOf(List<RecordChange> batch, List<Bytes> keys) {
        List<Optional<RecordChange>> records = trees.records(primary).findAll(keys);
        List<Optional<RecordChange>> notesNow =
                pending.map(tree -> trees.records(tree).findAll(keys)).orElseThrow();
        List<RecordChange> puts = new ArrayList<>();
        List<RecordChange> notes = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            RecordChange noted = batch.get(i);
            // Since a later note another entry may be left over.
            boolean isSame = notesNow.get(i)
                    .filter(now -> now.stamp().equals(noted.stamp()))
                    .isPresent();
            Optional<Stamp> upTo = isSame ? obsoleteUpTo(noted.stamp(), records.get(i)) : Optional.empty();
            Optional<RecordChange> put = upTo.isEmpty()
                    ? Optional.empty()
                    : records.get(i).flatMap(record -> entryOf(record).map(entry -> put(entry, record, upTo.get())));
            boolean fits =
                    put.filter(change -> !trees.writer(entries).holds(change)).isEmpty();
            if (!unread.contains(noted.key()) && upTo.isPresent() && fits) {
                notes.add(new RecordChange.Delete(noted.key(), upTo.get().next()));
                put.ifPresent(puts::add);
            }
        }
        return new Due(puts, notes, batch.size() - notes.size());
    }

    /** Removes the entries that do not fit their records, and adds the included part to those that lack it. */
    private void repair(List<RecordChange> batch) {
        List<Bytes> keys = batch.stream()
                .map(entry -> CompositeKey.split(entry.key()).second())
                .toList();
        Optional<Due> written = written(keys, () -> repairs(batch, keys));
        written.ifPresent(due -> {
            removed += due.deletes();
            completed += due.entries.size() - due.deletes();
        });
        left += written.map(Due::left).orElse(batch.size());
        unread.clear();
    }

    private Due repairs(List<RecordChange> batch, List<Bytes> keys) {
        List<Optional<RecordChange>> records = trees.records(primary).findAll(keys);
        List<RecordChange> changes = new ArrayList<>();
        int unknown = 0;
        for (int i = 0; i < batch.size(); i++) {
            RecordChange entry = batch.get(i);
            Optional<IndexEntry> wanted = records.get(i)
                    .flatMap(this::entryOf)
                    .filter(one -> one.key().equals(entry.key()));
            Optional<Stamp> upTo =
                    unread.contains(keys.get(i)) ? Optional.empty() : obsoleteUpTo(entry.stamp(), records.get(i));
            if (wanted.isEmpty() && upTo.isPresent()) {
                changes.add(new RecordChange.Delete(entry.key(), upTo.get().next()));
            } else if (upTo.isPresent() && lacksPart(entry, wanted.get())) {
                changes.add(put(
                        wanted.get(), records.get(i).orElseThrow(), upTo.get().next()));
            }
            unknown += wanted.isEmpty() && upTo.isEmpty() ? 1 : 0;
        }
        return new Due(changes, List.of(), unknown);
    }

    /** Writes what follows from records with these keys, and returns it; empty when they are changed all the time. */
    private Optional<Due> written(List<Bytes> keys, Supplier<Due> look) {
        if (logged.isPresent()) {
            return logged.get()
                    .write(
                            keys,
                            () -> {
                                trees.checkAgain(primary);
                                pending.ifPresent(trees::checkAgain);
                                return look.get();
                            },
                            this::byTree);
        }
        Runnable timely = trees.writer(entries).knownNow();
        Due due = look.get();
        apply(entries, due.entries, timely);
        return Optional.of(due);
    }

    private Map<TreeId, List<RecordChange>> byTree(Due due) {
        Map<TreeId, List<RecordChange>> changes = new TreeMap<>();
        changes.put(entries, due.entries);
        pending.ifPresent(tree -> changes.put(tree, due.notes));
        return changes;
    }

    /** Whether the program that scrubs includes a part of the record, which the entry does not have. */
    private static boolean lacksPart(RecordChange entry, IndexEntry wanted) {
        return !wanted.included().isEmpty() && !IncludedPart.isSame(wanted.included(), entry.livePayload());
    }

    /** The put of an entry, which expires with its record. */
    private static RecordChange put(IndexEntry entry, RecordChange record, Stamp stamp) {
        return new RecordChange.Put(entry.key(), entry.included(), false, record.expiryMillis(), stamp);
    }

    /** The entry of a live record that can be read. */
    private Optional<IndexEntry> entryOf(RecordChange record) {
        try {
            return record.isTombstone()
                    ? Optional.empty()
                    : trees.payload(primary, record)
                            .flatMap(payload -> index.entryOf().apply(record.key(), payload));
        } catch (CorruptDataException | InvalidRequestException unreadable) {
            unread.add(record.key());
            return Optional.empty();
        }
    }

    /**
     * Returns the stamp up to which notes on a record are obsolete, given the record on its leaf. Empty when the note
     * is newer than that, since its record may not be applied yet.
     */
    private Optional<Stamp> obsoleteUpTo(Stamp noted, Optional<RecordChange> record) {
        if (record.isEmpty()) {
            return noted.millis() < settledMillis ? Optional.of(noted) : Optional.empty();
        }
        return record.map(RecordChange::stamp).filter(stamp -> stamp.compareTo(noted) >= 0);
    }

    private void apply(TreeId tree, List<RecordChange> changes, Runnable timely) {
        trees.writer(tree)
                .apply(
                        changes.stream()
                                .sorted(Comparator.comparing(RecordChange::key))
                                .toList(),
                        timely);
    }
}
