package io.penstock.commit.backup;

import io.penstock.commit.backup.Cut.Mark;
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
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.overflow.OverflowStore;
import io.penstock.core.page.LeafRun;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import io.penstock.core.task.Parallel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The content of an open store, read while everybody writes: each tree range by range, each range at a position of its
 * domain's log, and then what the log has from before the first of them.
 */
final class LiveContent implements Content {
    private static final int CHUNK_BYTES = 1 << 20;

    /** The most times that a range is read again since its state was gone meanwhile. */
    private static final int ATTEMPTS_MAX = 20;

    /** The time for which checkpoints are asked to wait. */
    private static final Duration HOLD = Duration.ofSeconds(30);

    /** The try from which on checkpoints are asked to wait for it. */
    private static final int HELD_FROM = 3;

    private final Source source;
    private final List<CollectionDefinition> collections;

    /** The ends of the logs before the first range. */
    private final SortedMap<String, Mark> begun = new TreeMap<>();

    LiveContent(Source source, List<CollectionDefinition> collections) {
        this.source = source;
        this.collections = collections;
    }

    @Override
    public List<CollectionDefinition> collections() {
        return collections;
    }

    /** The names of the collections. */
    List<String> names() {
        return collections.stream().map(CollectionDefinition::name).toList();
    }

    /** The ends of the logs of all domains. */
    SortedMap<String, Mark> ends() {
        SortedMap<String, Mark> ends = new TreeMap<>();
        collections.forEach(each -> ends.computeIfAbsent(source.domain(each).name(), this::end));
        return ends;
    }

    /** The end of a domain's log. */
    Mark end(String domain) {
        Domain.End end = source.logs().domain(domain).end();
        return new Mark(
                end.place().segment(), end.place().writeId(), end.newest().millis());
    }

    /**
     * Reads the log of a domain from a place on.
     *
     * @throws io.penstock.core.InvalidRequestException when the log is not kept as far back
     */
    LogReader log(String domain, Mark from) {
        LogReader reader = source.logs().domain(domain).read(new LogReader.Place(from.segment(), from.writeId(), 0));
        var unused = reader.next();
        return reader;
    }

    @Override
    public void ranges(Consumer<Chunk> to) {
        begun.putAll(ends());
        ranges(tree -> Optional.of(Bytes.EMPTY), to);
    }

    /**
     * Gives ranges of all trees, several trees at a time.
     *
     * @param from the first key that is wanted of a tree; empty: nothing of it
     */
    void ranges(Function<TreeId, Optional<Bytes>> from, Consumer<Chunk> to) {
        record Tree(CollectionDefinition collection, TreeId id) {}
        List<Tree> trees = collections.stream()
                .flatMap(each -> Source.saved(each).map(id -> new Tree(each, id)))
                .toList();
        var unused = Parallel.map(source.tasks(), BackupPlace.WIDTH, trees, tree -> {
            from.apply(tree.id).ifPresent(key -> ranges(tree.collection, tree.id, KeyRange.atLeast(key), to));
            return true;
        });
    }

    /** Gives a range of a tree, in parts. */
    void ranges(CollectionDefinition collection, TreeId tree, KeyRange range, Consumer<Chunk> to) {
        Optional<KeyRange> left = Optional.of(range);
        while (left.isPresent()) {
            Chunk chunk = chunk(collection, tree, left.get());
            to.accept(chunk);
            left = Optional.ofNullable(chunk.range().to())
                    .filter(next -> !next.equals(range.to()))
                    .map(next -> new KeyRange(next, range.to()));
        }
    }

    private Chunk chunk(CollectionDefinition collection, TreeId tree, KeyRange wanted) {
        for (int attempt = 1; ; attempt++) {
            try (Snapshot snapshot = snapshot(source.domain(collection), attempt >= HELD_FROM)) {
                snapshot.reach(collection.since());
                return chunk(snapshot, collection, tree, wanted);
            } catch (ConflictException gone) {
                if (attempt == ATTEMPTS_MAX) {
                    throw gone;
                }
            }
        }
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

    private Chunk chunk(Snapshot snapshot, CollectionDefinition collection, TreeId tree, KeyRange wanted) {
        long epoch = tree.equals(collection.treeId()) ? collection.epoch() : 0;
        SnapshotReader reader = new SnapshotReader(snapshot, source.shared());
        List<LogRecord> found = new ArrayList<>();
        Bytes to = wanted.to();
        try (RecordScan scan = reader.scan(tree, wanted, Direction.ASCENDING, WriteSet.none())) {
            LeafRun run = scan.advance();
            for (int size = 0; run != null && size < CHUNK_BYTES; run = size < CHUNK_BYTES ? scan.advance() : run) {
                while (run.next()) {
                    LogRecord record = new LogRecord(tree, put(run), epoch);
                    size += LogRecordCodec.sizeMax(record);
                    found.add(record);
                }
            }
            to = run == null ? to : KeyRange.after(found.getLast().change().key());
        }
        return new Chunk(snapshot.position(), tree, new KeyRange(wanted.from(), to), found);
    }

    private static RecordChange put(LeafRun run) {
        return new RecordChange.Put(run.key(), run.payload(), run.isReference(), run.expiryMillis(), Stamp.ZERO);
    }

    /** Ends with a moment after all ranges, so that the logs of several domains end alike. */
    @Override
    public void transactions(Consumer<LogPart.Transaction> to) {
        long moment = Math.max(
                source.shared().clock().wallMillis(),
                ends().values().stream().mapToLong(Mark::millis).max().orElse(0));
        begun.forEach((domain, from) -> {
            LogReader reader = log(domain, from);
            Optional<LogReader.Read> next = reader.next();
            while (next.isPresent() && next.get().stamp().millis() <= moment) {
                to.accept(LogPart.Transaction.of(next.get()));
                reader.advance();
                next = reader.next();
            }
        });
    }

    @Override
    public OverflowStore payloads() {
        return source.overflows();
    }

    @Override
    public void end(Collection<LogRecord> missing) {
        requireSame();
        missing.forEach(source::requireReplaced);
        if (!missing.isEmpty()) {
            throw new ConflictException(
                    "large payloads were replaced while they were copied; repeat it", "records", missing.size());
        }
    }

    /** @throws ConflictException when a collection was made, dropped or changed meanwhile */
    void requireSame() {
        if (!source.catalog().listAgain().equals(collections)) {
            throw new ConflictException("a collection was made, dropped or changed meanwhile; repeat it");
        }
    }
}
