package io.penstock.commit.backup;

import io.penstock.commit.backup.Cut.Span;
import io.penstock.commit.catalog.CatalogEntry;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.client.Membership;
import io.penstock.commit.domain.Domain;
import io.penstock.commit.domain.Intent;
import io.penstock.commit.domain.Intent.TransactionId;
import io.penstock.commit.domain.ReadSet;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.LogRecordCodec;
import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.record.RecordChange;
import io.penstock.report.RestoreReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The restoring of a cut into a new store, through its commit logs. Until it is done its collections are on their way
 * into their domains, so that no client uses them. Repeat it when it failed: it begins anew over what is there.
 */
public final class Restore {
    private static final int BATCH_BYTES = 1 << 20;

    private final Source source;
    private final Membership membership;
    private final BackupPlace place;
    private final Map<TreeId, CollectionDefinition> trees = new HashMap<>();

    /** The positions of ranges, by their first keys: what the log has up to them is in the base. */
    private final Map<TreeId, NavigableMap<Bytes, Long>> positions = new HashMap<>();

    /** The next writes into each domain: of one record the last one. */
    private final Map<String, Map<Place, LogRecord>> waiting = new HashMap<>();

    private final Map<String, Long> waitingBytes = new HashMap<>();

    /** Records whose large payloads the backup lacks. */
    private final Set<Place> missing = new HashSet<>();

    /** The beginning of the names of large payloads. */
    private String overflows = "";

    private Set<String> payloads = Set.of();
    private long records;
    private long transactions;

    private record Place(TreeId tree, Bytes key) {}

    public Restore(Source source, Membership membership, ObjectStore from, String folder) {
        this.source = source;
        this.membership = membership;
        this.place = BackupPlace.of(source.tasks(), from, folder);
    }

    /**
     * Restores a cut.
     *
     * @param atMillis the moment whose state is wanted, in milliseconds since 1970; empty: the last cut's
     */
    public RestoreReport run(Optional<Long> atMillis) {
        Cut cut = place.cut(atMillis);
        List<CollectionDefinition> collections = collections(cut);
        overflows = BackupPlace.payloads(cut.base());
        payloads = Set.copyOf(place.names(overflows));
        base(cut);
        cut.domains().values().forEach(span -> replay(span, atMillis.orElse(Long.MAX_VALUE)));
        List.copyOf(waiting.keySet()).forEach(this::flush);
        source.logs().checkpointAll();
        for (CollectionDefinition each : collections) {
            var unused = source.catalog().change(each.name(), there -> there.moved(there.domain(), null));
        }
        long unbuilt = collections.stream()
                .flatMap(each -> each.indexes().stream())
                .filter(index -> !index.isReady())
                .count();
        return new RestoreReport(collections.size(), records, transactions, missing.size(), unbuilt);
    }

    /** Makes the collections of a cut. */
    private List<CollectionDefinition> collections(Cut cut) {
        List<CollectionDefinition> wanted = cut.collections().stream()
                .map(name -> definition(cut.base(), name))
                .map(CollectionDefinition::restored)
                .toList();
        Map<String, CollectionDefinition> there = new HashMap<>();
        source.catalog().listAgain().forEach(each -> there.put(each.name(), each));
        boolean isOwn = wanted.stream()
                .allMatch(each -> there.getOrDefault(each.name(), each).equals(each)); // of a try before this one
        wanted.forEach(each -> there.remove(each.name()));
        if (!isOwn || !there.isEmpty()) {
            throw new InvalidRequestException(
                    ErrorCode.ALREADY_EXISTS,
                    "the store has collections, and a backup is restored into a new store; choose another place or"
                            + " prefix",
                    "prefix",
                    source.handle().prefix());
        }
        for (CollectionDefinition each : wanted) {
            source.catalog().restoring(each);
            Source.saved(each).forEach(tree -> trees.put(tree, each));
        }
        return wanted;
    }

    private CollectionDefinition definition(String base, String name) {
        String entry = "base/" + base + "/catalog/" + name;
        return place.read(entry, body -> CatalogEntry.decode(name, body, place.folder() + entry, null));
    }

    private void base(Cut cut) {
        List<String> chunks = place.names("base/" + cut.base() + "/records/");
        if (chunks.size() != cut.chunks()) {
            throw BackupPlace.damaged(
                    "a backup has not as many objects as its cut says; restore an earlier one",
                    place.folder() + "base/" + cut.base());
        }
        for (String name : chunks) {
            Chunk chunk = place.read(name, Chunk::decode);
            positions
                    .computeIfAbsent(chunk.tree(), tree -> new TreeMap<>())
                    .put(chunk.range().from(), chunk.position());
            chunk.records().forEach(this::write);
            records += chunk.records().size();
        }
    }

    private void replay(Span span, long atMillis) {
        for (String name : span.parts()) {
            for (LogPart.Transaction one : place.read(name, LogPart::decode).transactions()) {
                if (one.position() > span.base().segment() && one.millis() > atMillis) {
                    return;
                }
                if (one.position() <= span.to().segment()) {
                    one.records().stream()
                            .filter(record -> isAfterBase(record, one.position()))
                            .forEach(this::write);
                    transactions++;
                }
            }
        }
    }

    /** Whether the base may lack a log record. Fences have no effect, and trees that were dropped are of no use. */
    private boolean isAfterBase(LogRecord record, long position) {
        NavigableMap<Bytes, Long> ranges = positions.get(record.tree());
        return ranges != null
                && !Intent.isFence(record)
                && position > ranges.floorEntry(record.change().key()).getValue();
    }

    private void write(LogRecord record) {
        Place at = new Place(record.tree(), record.change().key());
        if (hasPayload(record)) {
            missing.remove(at);
            waiting(record, at);
        } else {
            missing.add(at);
            waiting(new LogRecord(record.tree(), new RecordChange.Delete(at.key, Stamp.ZERO), record.epoch()), at);
        }
    }

    private void waiting(LogRecord record, Place at) {
        String domain = source.domain(Objects.requireNonNull(trees.get(record.tree()), "a tree of the cut"))
                .name();
        Map<Place, LogRecord> next = waiting.computeIfAbsent(domain, name -> new LinkedHashMap<>());
        next.put(at, record.stamped(Stamp.ZERO));
        if (waitingBytes.merge(domain, (long) LogRecordCodec.sizeMax(record), Long::sum) > BATCH_BYTES) {
            flush(domain);
        }
    }

    /** Copies the large payload of a record, if it has one; false if the backup lacks it. */
    private boolean hasPayload(LogRecord record) {
        if (!record.change().isReference()) {
            return true;
        }
        List<String> objects = source.payload(record);
        if (!objects.stream().allMatch(object -> payloads.contains(overflows + object))) {
            return false;
        }
        return objects.stream().allMatch(object -> {
            String key = source.overflows().prefix() + object;
            return BackupPlace.copy(place.objects(), place.folder() + overflows + object, source.objects(), key) > 0;
        });
    }

    private void flush(String name) {
        List<LogRecord> next =
                new ArrayList<>(waiting.getOrDefault(name, Map.of()).values());
        waiting.remove(name);
        waitingBytes.remove(name);
        if (!next.isEmpty()) {
            Domain domain = source.logs().domain(name);
            domain.refresh();
            TransactionId id = new TransactionId(
                    membership.client(), source.tasks().random().nextLong());
            var unused = domain.commit(new Intent(id, domain.tail().tip(), new ReadSet(), next));
        }
    }
}
