package io.penstock.commit.backup;

import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.client.ClientContext;
import io.penstock.commit.domain.Domain;
import io.penstock.commit.domain.Intent;
import io.penstock.commit.domain.Intent.TransactionId;
import io.penstock.commit.domain.ReadSet;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.LogRecordCodec;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.overflow.OverflowParts;
import io.penstock.core.record.RecordChange;
import io.penstock.core.task.Parallel;
import io.penstock.report.RestoreReport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The filling of a new store with the content of a backup or of another store, through its commit logs. Until it is
 * done its collections say that they are being restored, and by which run, so that no client uses them. Repeat it when
 * it failed: what is there already is not written again, and what the content lacks is removed. Where the run before
 * had begun to open collections, all is there, and the others are opened.
 *
 * <p>Of several runs the last to write its name into the definitions goes on. It then puts a fence into each log, which
 * stops what the others write, and looks whether it is still the last: so none writes after another's fence, and none
 * opens a collection that another fills.
 */
public final class Filling {
    private static final int BATCH_BYTES = 1 << 20;

    private final Source source;
    private final ClientContext membership;
    private final Content content;

    /** The name of this run. */
    private final String run;

    private final Map<TreeId, CollectionDefinition> trees = new HashMap<>();

    /** The tree of each domain that fences stand in. */
    private final Map<String, TreeId> fenced = new TreeMap<>();

    /** The positions of the last commits of this run, by domain: up to there no other run has put a fence. */
    private final Map<String, Long> known = new ConcurrentHashMap<>();

    /** The positions of ranges, by their first keys: what the log has up to them is in the base. */
    private final Map<TreeId, NavigableMap<Bytes, Long>> positions = new ConcurrentHashMap<>();

    /** The next writes into each domain, of those in its log: of one record the last one. */
    private final Map<String, Map<Place, LogRecord>> waiting = new TreeMap<>();

    private final Map<String, Long> waitingBytes = new HashMap<>();

    /** Records whose large payloads the content lacks. */
    private final Map<Place, LogRecord> missing = new ConcurrentHashMap<>();

    private final AtomicLong records = new AtomicLong();
    private long transactions;

    /** The state that a try before this one has left. */
    private enum Found {
        NOTHING,
        BEGUN,

        /** All is there: it has begun to open the collections. */
        FILLED
    }

    private record Place(TreeId tree, Bytes key) {
        static Place of(LogRecord record) {
            return new Place(record.tree(), record.change().key());
        }
    }

    private Filling(Source source, ClientContext membership, Content content) {
        this.source = source;
        this.membership = membership;
        this.content = content;
        this.run = HexFormat.of().toHexDigits(source.tasks().random().nextLong());
    }

    /**
     * Returns the filling with a cut of a backup.
     *
     * @param source the store that is filled
     * @param atMillis the moment whose state is wanted, in milliseconds since 1970; empty: the last cut's
     */
    public static Filling restoring(
            Source source, ClientContext membership, ObjectStore from, String folder, Optional<Long> atMillis) {
        BackupPlace place = BackupPlace.of(source.tasks(), from, folder);
        SavedContent content = new SavedContent(place, place.cut(atMillis), atMillis.orElse(Long.MAX_VALUE));
        return new Filling(source, membership, content);
    }

    /** Returns the filling with all that another store has. */
    public static Filling copying(Source source, ClientContext membership, Source from) {
        return new Filling(source, membership, new LiveContent(from, from.collections()));
    }

    /** Fills the store. */
    public RestoreReport run() {
        List<CollectionDefinition> before = content.collections();
        List<CollectionDefinition> collections =
                before.stream().map(each -> each.restored(run)).toList();
        Found found = make(collections);
        fence();
        Map<String, CollectionDefinition> own = own(collections, found);
        if (found != Found.FILLED) {
            LiveContent there = new LiveContent(source, collections);
            content.ranges(chunk -> range(chunk, found == Found.BEGUN ? present(there, chunk) : Map.of()));
            content.transactions(this::replay);
            List.copyOf(waiting.keySet()).forEach(this::flush);
            content.end(missing.values());
        }
        open(before, own, found == Found.FILLED);
        long unbuilt = collections.stream()
                .flatMap(each -> each.indexes().stream())
                .filter(index -> !index.isReady())
                .count();
        return new RestoreReport(collections.size(), records.get(), transactions, missing.size(), unbuilt);
    }

    /**
     * Lets clients use the collections, now that all is there.
     *
     * @param byOther whether another run has filled them, of which this one does not know what was missing
     */
    private void open(List<CollectionDefinition> before, Map<String, CollectionDefinition> own, boolean byOther) {
        Set<TreeId> lacking = missing.keySet().stream().map(Place::tree).collect(Collectors.toSet());
        Map<String, Long> filled = new HashMap<>();
        fenced.keySet().forEach(name -> filled.put(name, commitFence(name)));
        source.logs().checkpointAll();
        for (CollectionDefinition each : before) {
            // Entries that are not exact in one store are not in the other, and say so by a time above 0. Neither are
            // those of records that are missing.
            boolean exact = each.racedUntil() == 0 && !byOther && !lacking.contains(each.treeId());
            long since = exact ? 0 : Objects.requireNonNull(filled.get(each.domain()), "fenced");
            CollectionDefinition mine = own.get(each.name());
            if (mine != null) {
                CollectionDefinition open = mine.opened(since);
                var unused = source.catalog().change(each.name(), there -> opened(there, open, since));
            }
        }
    }

    private CollectionDefinition opened(CollectionDefinition there, CollectionDefinition open, long since) {
        if (!there.isRestoredBy(run) && !there.equals(open)) { // equal after a lost answer
            throw overtaken(null);
        }
        return there.isRestoring() ? there.opened(since) : there;
    }

    /** Makes the collections, or takes over those that a run before has made; returns how far that one has come. */
    private Found make(List<CollectionDefinition> wanted) {
        Map<String, CollectionDefinition> there = new HashMap<>();
        source.catalog().listAgain().forEach(each -> there.put(each.name(), each));
        boolean begun = wanted.stream().anyMatch(each -> isBegun(each, there.get(each.name())));
        if (!begun && !there.isEmpty()) {
            throw inUse();
        }
        if (!begun && wanted.stream().anyMatch(this::hasTraces)) {
            throw used("the place has pages or commit logs of a store that was here before");
        }
        long made = 0;
        long open = 0;
        for (CollectionDefinition each : wanted) {
            CollectionDefinition now = source.catalog().restoring(each, run);
            if (!now.isRestoredBy(run) && !isOpen(each, now)) {
                throw inUse();
            }
            made += now.isRestoredBy(run) && now.revision() == 0 ? 1 : 0;
            open += isOpen(each, now) ? 1 : 0;
            fenced.putIfAbsent(source.domain(each).name(), each.treeId());
            Source.saved(each).forEach(tree -> trees.put(tree, each));
        }
        if (open == wanted.size() && open > 0 || open > 0 && made > 0) {
            throw inUse();
        }
        wanted.forEach(source.catalog()::forwardNames);
        return open > 0 ? Found.FILLED : made == wanted.size() ? Found.NOTHING : Found.BEGUN;
    }

    private static boolean isBegun(CollectionDefinition wanted, @Nullable CollectionDefinition there) {
        return there != null && there.isRestoring() && there.tree().equals(wanted.tree());
    }

    private static boolean isOpen(CollectionDefinition wanted, CollectionDefinition there) {
        return !there.isRestoring() && there.tree().equals(wanted.tree());
    }

    /**
     * The definitions that name this run, by collection.
     *
     * @throws ConflictException when another run has begun before this one's fence: it may have filled and opened all
     */
    private Map<String, CollectionDefinition> own(List<CollectionDefinition> collections, Found found) {
        Map<String, CollectionDefinition> own = new HashMap<>();
        for (CollectionDefinition each : collections) {
            CollectionDefinition now = source.catalog()
                    .refresh(each.name())
                    .filter(there -> there.isRestoredBy(run) || found == Found.FILLED && isOpen(each, there))
                    .orElseThrow(() -> overtaken(null));
            if (now.isRestoredBy(run)) {
                own.put(each.name(), now);
            }
        }
        return own;
    }

    /** Whether there is a log of a collection's domain, or a page of its trees: they would be taken for its own. */
    private boolean hasTraces(CollectionDefinition wanted) {
        return source.domain(wanted).end().place().segment() > 0
                || Source.saved(wanted).anyMatch(source::hasPages);
    }

    private InvalidRequestException inUse() {
        return used("the store has collections, and a backup is restored into a new store, as a copy is made");
    }

    private InvalidRequestException used(String why) {
        return new InvalidRequestException(
                ErrorCode.ALREADY_EXISTS,
                why + "; choose another place or prefix",
                "prefix",
                source.handle().prefix());
    }

    /** The records of a range that are there. */
    private Map<Place, LogRecord> present(LiveContent there, Chunk range) {
        Map<Place, LogRecord> present = new HashMap<>();
        there.ranges(
                collection(range.tree()),
                range.tree(),
                range.range(),
                chunk -> chunk.records().forEach(record -> present.put(Place.of(record), record)));
        return present;
    }

    private CollectionDefinition collection(TreeId tree) {
        return Objects.requireNonNull(trees.get(tree), "a tree of the content");
    }

    private void range(Chunk chunk, Map<Place, LogRecord> present) {
        positions
                .computeIfAbsent(chunk.tree(), tree -> new ConcurrentSkipListMap<>())
                .put(chunk.range().from().copy(), chunk.position());
        Map<Place, LogRecord> next = new LinkedHashMap<>();
        present.forEach((place, record) -> next.put(place, deleted(record)));
        for (LogRecord record : chunk.records()) {
            if (record.equals(present.get(Place.of(record)))) {
                next.remove(Place.of(record));
            } else {
                next.put(Place.of(record), record);
            }
        }
        records.addAndGet(chunk.records().size());
        commitAll(source.domain(collection(chunk.tree())), next.values());
    }

    private void replay(LogPart.Transaction one) {
        one.records().stream()
                .filter(record -> isAfterBase(record, one.position()))
                .forEach(this::write);
        transactions++;
    }

    /** Whether the base may lack a log record. Fences have no effect, and trees that were dropped are of no use. */
    private boolean isAfterBase(LogRecord record, long position) {
        NavigableMap<Bytes, Long> ranges = positions.get(record.tree());
        return ranges != null
                && !Intent.isFence(record)
                && position > ranges.floorEntry(record.change().key()).getValue();
    }

    private void write(LogRecord record) {
        String domain = source.domain(collection(record.tree())).name();
        // A copy, since a record is a slice of a whole object of the backup.
        LogRecord copy = record.copy();
        waiting.computeIfAbsent(domain, name -> new LinkedHashMap<>()).put(Place.of(copy), copy);
        if (waitingBytes.merge(domain, (long) LogRecordCodec.sizeMax(record), Long::sum) > BATCH_BYTES) {
            flush(domain);
        }
    }

    private List<LogRecord> written(List<LogRecord> batch) {
        return Parallel.map(source.tasks(), BackupPlace.WIDTH, batch, this::written);
    }

    /**
     * Copies the large payload of a record, if it has one; returns what is to be written of it: a copy, since a record
     * is a slice of a whole object of the backup, and the tail of the log keeps it for long.
     */
    private LogRecord written(LogRecord record) {
        Optional<LogRecord> written = record.change().isReference()
                ? copied(record)
                : Optional.of(record.copy().stamped(Stamp.ZERO));
        if (written.isPresent()) {
            missing.remove(Place.of(record));
        } else {
            missing.put(Place.of(record), record.copy());
        }
        return written.orElseGet(() -> deleted(record));
    }

    /** Copies a large payload under a new name: what another run has copied may be about to be removed, as replaced. */
    private Optional<LogRecord> copied(LogRecord record) {
        RecordChange change = record.change();
        return source.overflows()
                .copy(
                        record.tree(),
                        membership.client(),
                        content.payloads(),
                        OverflowParts.decode(change.livePayload()))
                .map(object -> new RecordChange.Put(
                        change.key().copy(),
                        OverflowParts.of(object).encode(),
                        true,
                        change.expiryMillis(),
                        Stamp.ZERO))
                .map(put -> new LogRecord(record.tree(), put, record.epoch()));
    }

    private static LogRecord deleted(LogRecord record) {
        return new LogRecord(
                record.tree(), new RecordChange.Delete(record.change().key().copy(), Stamp.ZERO), record.epoch());
    }

    private void flush(String name) {
        waitingBytes.remove(name);
        Map<Place, LogRecord> next = waiting.remove(name);
        commitAll(source.logs().domain(name), next == null ? List.of() : next.values());
    }

    /** Commits in batches: a range of a page whose keys are alike is much larger than the page. */
    private void commitAll(Domain domain, Collection<LogRecord> next) {
        List<LogRecord> batch = new ArrayList<>();
        long size = 0;
        for (LogRecord record : next) {
            batch.add(record);
            size += LogRecordCodec.sizeMax(record);
            if (size > BATCH_BYTES) {
                commit(domain, written(batch));
                batch.clear();
                size = 0;
            }
        }
        if (!batch.isEmpty()) {
            commit(domain, written(batch));
        }
    }

    /** Stops whoever fills the store besides. */
    private void fence() {
        fenced.keySet().forEach(name -> {
            Domain domain = source.logs().domain(name);
            domain.refresh();
            known.put(name, domain.tail().tip());
            commitFence(name);
        });
    }

    private long commitFence(String name) {
        return commit(source.logs().domain(name), List.of(Intent.fence(Objects.requireNonNull(fenced.get(name)))));
    }

    /**
     * Commits into a domain.
     *
     * @return the time of its stamp
     * @throws ConflictException when another run has put a fence since the last commit
     */
    private long commit(Domain domain, List<LogRecord> next) {
        ReadSet reads = new ReadSet();
        reads.add(Objects.requireNonNull(fenced.get(domain.name()), "a domain of the content"), Bytes.EMPTY);
        TransactionId id =
                new TransactionId(membership.client(), source.tasks().random().nextLong());
        long snapshot = Objects.requireNonNull(known.get(domain.name()), "fenced first");
        try {
            Domain.Committed committed = domain.commit(new Intent(id, snapshot, reads, List.copyOf(next)));
            known.merge(domain.name(), committed.position(), Math::max);
            return committed.stamp().time();
        } catch (ConflictException other) {
            throw overtaken(other);
        }
    }

    private ConflictException overtaken(@Nullable ConflictException by) {
        String what = "another run fills this store, or has done so; let it finish, then repeat this one if it failed";
        return by == null
                ? new ConflictException(what, "prefix", source.handle().prefix())
                : new ConflictException(what, by, "prefix", source.handle().prefix());
    }
}
