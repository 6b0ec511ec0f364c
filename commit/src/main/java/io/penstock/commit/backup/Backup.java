package io.penstock.commit.backup;

import io.penstock.commit.backup.Cut.Mark;
import io.penstock.commit.backup.Cut.Span;
import io.penstock.commit.catalog.CatalogEntry;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.domain.Domain;
import io.penstock.commit.domain.LogReader;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.LogRecordCodec;
import io.penstock.commit.protocol.WriteSet;
import io.penstock.commit.session.RecordScan;
import io.penstock.commit.session.Snapshot;
import io.penstock.commit.session.SnapshotReader;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.page.LeafRun;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import io.penstock.core.task.Parallel;
import io.penstock.report.BackupReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One backup of a store, taken while everybody writes. It reads each tree range by range, each range at a position of
 * its domain's log, and then what the log has from before the first of them to its end: replayed over the ranges, that
 * gives the state at any later position. The next backup takes only what the log has since, as long as the definitions
 * stay and the log is kept.
 */
public final class Backup {
    private static final int CHUNK_BYTES = 1 << 20;
    private static final int PART_BYTES = 4 << 20;

    /** The number of trees that are read at a time. */
    private static final int WIDTH = 4;

    /** The most times that a range is read again since its state was gone meanwhile. */
    private static final int ATTEMPTS_MAX = 20;

    /** The time for which checkpoints are asked to wait. */
    private static final Duration HOLD = Duration.ofSeconds(30);

    /** The try from which on checkpoints are asked to wait for it. */
    private static final int HELD_FROM = 3;

    private final Source source;
    private final BackupPlace place;
    private final AtomicLong records = new AtomicLong();
    private final AtomicLong transactions = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    /** Large payloads that are there by now. */
    private final Set<String> copied = ConcurrentHashMap.newKeySet();

    /** @param folder of the backups of this store alone */
    public Backup(Source source, ObjectStore target, String folder) {
        this.source = source;
        this.place = BackupPlace.of(source.tasks(), target, folder);
    }

    /**
     * Takes a cut.
     *
     * @param full whether all records are read, in any case
     */
    public BackupReport run(boolean full) {
        List<CollectionDefinition> collections = source.collections();
        Optional<Cut> last = place.last();
        String store = source.handle().identity().id();
        if (last.filter(cut -> !cut.store().equals(store)).isPresent()) {
            throw new InvalidRequestException(
                    ErrorCode.ALREADY_EXISTS,
                    "the place has backups of another store; choose another folder",
                    "folder",
                    place.folder());
        }
        // The time orders cuts and bases, whatever clocks took the last ones; two cuts may follow one.
        long after = last.map(Cut::takenMillis).orElse(0L) + 2;
        Optional<Cut> next =
                full ? Optional.empty() : last.flatMap(cut -> continued(cut, collections, nowMillis(after)));
        boolean begins = next.isEmpty();
        Cut cut = next.orElseGet(() -> begun(store, collections, after));
        requireSame(collections);
        if (begins) {
            // So that the base before has all moments up to this one, too.
            last.flatMap(before -> continued(before, collections, cut.takenMillis() - 1))
                    .ifPresent(place::put);
        }
        place.put(cut);
        return new BackupReport(
                begins, records.get(), transactions.get(), bytes.get(), Instant.ofEpochMilli(cut.newestMillis()));
    }

    /** Removes full backups that neither their number nor the age of a moment keeps, and what came after each. */
    public long keep(int full, Duration age) {
        return place.keep(full, source.shared().clock().wallMillis() - age.toMillis());
    }

    /** Returns the cut after one, of the same base; empty when that cannot be continued. */
    private Optional<Cut> continued(Cut last, List<CollectionDefinition> collections, long now) {
        List<String> names =
                collections.stream().map(CollectionDefinition::name).toList();
        if (!last.collections().equals(names) || !collections.stream().allMatch(each -> isKnown(last, each))) {
            return Optional.empty();
        }
        SortedMap<String, Span> domains = new TreeMap<>();
        try {
            last.domains().forEach((name, span) -> domains.put(name, archived(last.base(), name, span)));
        } catch (InvalidRequestException gone) {
            if (gone.code() == ErrorCode.POSITION_TOO_OLD) {
                return Optional.empty();
            }
            throw gone;
        }
        return Optional.of(new Cut(last.store(), now, last.base(), last.chunks(), names, domains));
    }

    private boolean isKnown(Cut cut, CollectionDefinition collection) {
        return place.read(definition(cut.base(), collection), CatalogEntry.encode(collection)::equals);
    }

    private long nowMillis(long least) {
        return Math.max(least, source.shared().clock().wallMillis());
    }

    /** Reads all records into a new base. */
    private Cut begun(String store, List<CollectionDefinition> collections, long after) {
        String base = BackupPlace.hex(nowMillis(after));
        Map<String, Mark> from = new HashMap<>();
        collections.forEach(each -> from.computeIfAbsent(
                source.domain(each).name(), domain -> mark(source.logs().domain(domain))));
        collections.forEach(each -> put(definition(base, each), CatalogEntry.encode(each)));
        record Tree(CollectionDefinition collection, TreeId id) {}
        List<Tree> trees = collections.stream()
                .flatMap(each -> Source.saved(each).map(id -> new Tree(each, id)))
                .toList();
        long chunks = Parallel.map(source.tasks(), WIDTH, trees, tree -> read(base, tree.collection, tree.id)).stream()
                .mapToLong(Long::longValue)
                .sum();
        long now = nowMillis(after);
        SortedMap<String, Span> domains = new TreeMap<>();
        from.forEach((domain, mark) -> {
            Span read = archived(base, domain, new Span(mark, mark, mark, List.of()));
            domains.put(domain, new Span(mark, read.to(), read.to(), read.parts()));
        });
        List<String> names =
                collections.stream().map(CollectionDefinition::name).toList();
        return new Cut(store, now, base, chunks, names, domains);
    }

    static String definition(String base, CollectionDefinition collection) {
        return "base/" + base + "/catalog/" + collection.name();
    }

    private static Mark mark(Domain domain) {
        Domain.End end = domain.end();
        return new Mark(
                end.place().segment(), end.place().writeId(), end.newest().millis());
    }

    private Snapshot snapshot(Domain domain, boolean held) {
        return new Snapshot(
                domain,
                Duration.ZERO,
                true,
                held && !source.handle().isReadOnly() ? HOLD : Duration.ZERO,
                false,
                null,
                source.shared().clock()::wallMillis);
    }

    /** Reads a tree; returns the number of its chunks. */
    private long read(String base, CollectionDefinition collection, TreeId tree) {
        long number = 0;
        Bytes from = Bytes.EMPTY;
        while (from != null) {
            Chunk chunk = chunk(collection, tree, from);
            copyPayloads(base, chunk.records());
            records.addAndGet(chunk.records().size());
            put("base/" + base + "/records/" + tree.hex() + "/" + BackupPlace.hex(number), chunk.encode());
            number++;
            from = chunk.range().to();
        }
        return number;
    }

    private Chunk chunk(CollectionDefinition collection, TreeId tree, Bytes from) {
        for (int attempt = 1; ; attempt++) {
            try (Snapshot snapshot = snapshot(source.domain(collection), attempt >= HELD_FROM)) {
                snapshot.reach(collection.since());
                return chunk(snapshot, collection, tree, from);
            } catch (ConflictException gone) {
                if (attempt == ATTEMPTS_MAX) {
                    throw gone;
                }
            }
        }
    }

    private Chunk chunk(Snapshot snapshot, CollectionDefinition collection, TreeId tree, Bytes from) {
        long epoch = tree.equals(collection.treeId()) ? collection.epoch() : 0;
        SnapshotReader reader = new SnapshotReader(snapshot, source.shared());
        List<LogRecord> found = new ArrayList<>();
        Bytes to = null;
        KeyRange wanted = new KeyRange(from, null);
        try (RecordScan scan = reader.scan(tree, wanted, Direction.ASCENDING, WriteSet.none())) {
            LeafRun run = scan.advance();
            for (int size = 0; run != null && size < CHUNK_BYTES; run = size < CHUNK_BYTES ? scan.advance() : run) {
                while (run.next()) {
                    LogRecord record = new LogRecord(tree, put(run), epoch);
                    size += LogRecordCodec.sizeMax(record);
                    found.add(record);
                }
            }
            to = run == null ? null : KeyRange.after(found.getLast().change().key());
        }
        return new Chunk(snapshot.position(), tree, new KeyRange(from, to), found);
    }

    private static RecordChange put(LeafRun run) {
        return new RecordChange.Put(run.key(), run.payload(), run.isReference(), run.expiryMillis(), Stamp.ZERO);
    }

    /** Takes what the log of a domain has after a part of it. */
    private Span archived(String base, String name, Span before) {
        Domain domain = source.logs().domain(name);
        Mark end = mark(domain);
        List<String> parts = new ArrayList<>(before.parts());
        LogReader reader = domain.read(
                new LogReader.Place(before.to().segment(), before.to().writeId(), 0));
        List<LogPart.Transaction> batch = new ArrayList<>();
        long size = 0;
        for (Optional<LogReader.Read> next = reader.next(); next.isPresent(); next = reader.next()) {
            LogReader.Place after = next.get().after();
            long position = after.taken() > 0 ? after.segment() + 1 : after.segment();
            if (position > end.segment()) {
                break;
            }
            LogPart.Transaction one =
                    new LogPart.Transaction(position, next.get().records());
            copyPayloads(base, one.records());
            batch.add(one);
            size += one.records().stream().mapToLong(LogRecordCodec::sizeMax).sum();
            if (size >= PART_BYTES) {
                parts.add(put(base, name, batch));
                size = 0;
            }
            reader.advance();
        }
        if (!batch.isEmpty()) {
            parts.add(put(base, name, batch));
        }
        return new Span(before.from(), before.base(), end, parts);
    }

    private String put(String base, String domain, List<LogPart.Transaction> batch) {
        String name = "base/" + base + "/log/" + domain + "/"
                + BackupPlace.hex(batch.getFirst().position()) + "-"
                + BackupPlace.hex(batch.getLast().position()) + "-"
                + BackupPlace.hex(source.tasks().random().nextLong());
        put(name, new LogPart(batch).encode());
        transactions.addAndGet(batch.size());
        batch.clear();
        return name;
    }

    private void put(String name, Bytes body) {
        place.put(name, body);
        bytes.addAndGet(body.length());
    }

    /** Copies large payloads. One that is gone was replaced meanwhile, by what the log has. */
    private void copyPayloads(String base, List<LogRecord> of) {
        for (LogRecord record : of) {
            if (record.change().isReference()) {
                source.payload(record).forEach(object -> copyPayload(base, object));
            }
        }
    }

    private void copyPayload(String base, String object) {
        String name = BackupPlace.payloads(base) + object;
        if (copied.add(name) && !place.has(name)) {
            String key = source.overflows().prefix() + object;
            bytes.addAndGet(BackupPlace.copy(source.objects(), key, place.objects(), place.folder() + name));
        }
    }

    /** @throws ConflictException when a collection was made, dropped or changed meanwhile */
    private void requireSame(List<CollectionDefinition> before) {
        if (!source.catalog().listAgain().equals(before)) {
            throw new ConflictException("a collection was made, dropped or changed during the backup; repeat it");
        }
    }
}
