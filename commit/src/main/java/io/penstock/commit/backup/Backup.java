package io.penstock.commit.backup;

import io.penstock.commit.backup.Cut.Mark;
import io.penstock.commit.backup.Cut.Span;
import io.penstock.commit.catalog.CatalogEntry;
import io.penstock.commit.domain.LogReader;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.LogRecordCodec;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.TreeId;
import io.penstock.core.object.ObjectStore;
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
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * One backup of a store, taken while everybody writes. A full one has each tree range by range, each range at a
 * position of its domain's log, and then what the log has from before the first of them to its end: replayed over the
 * ranges, that gives the state at any later position. The next backup takes only what the log has since, as long as the
 * definitions stay and the log is kept. A full one that was cut short goes on on the same terms.
 */
public final class Backup {
    private static final int PART_BYTES = 4 << 20;

    private final Source source;
    private final BackupPlace place;
    private final AtomicLong records = new AtomicLong();
    private final AtomicLong transactions = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    /** Large payloads that are there by now. */
    private final Set<String> copied = ConcurrentHashMap.newKeySet();

    /**
     * A tree of a base, as far as it was taken.
     *
     * @param chunks the number of its objects
     * @param from the first key that is not in them; empty when all are
     */
    private record Taken(long chunks, Optional<Bytes> from) {
        static final Taken NONE = new Taken(0, Optional.of(Bytes.EMPTY));

        Taken with(Chunk chunk) {
            return new Taken(chunks + 1, Optional.ofNullable(chunk.range().to()));
        }
    }

    /**
     * A full backup that has no cut yet.
     *
     * @param cut the part of the logs that was taken
     */
    private record Begun(Cut cut, Map<TreeId, Taken> taken) {}

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
        LiveContent content = new LiveContent(source, source.collections());
        Optional<Cut> last = place.last();
        requireOwn(last);
        // The time orders cuts and bases, whatever clocks took the last ones; two cuts may follow one.
        long after = last.map(Cut::takenMillis).orElse(0L) + 2;
        Optional<Cut> next = full ? Optional.empty() : last.flatMap(cut -> continued(cut, content, nowMillis(after)));
        boolean begins = next.isEmpty();
        Cut cut = next.orElseGet(() -> whole(begun(last, content, after), content, after));
        content.requireSame();
        if (begins) {
            // So that the base before has all moments up to this one, too.
            last.flatMap(before -> continued(before, content, cut.takenMillis() - 1))
                    .ifPresent(place::put);
        }
        place.put(cut);
        return new BackupReport(
                begins, records.get(), transactions.get(), bytes.get(), Instant.ofEpochMilli(cut.newestMillis()));
    }

    /** Removes full backups that neither their number nor the age of a moment keeps, and what came after each. */
    public long keep(int full, Duration age) {
        requireOwn(place.last());
        return place.keep(full, source.tasks().nowMillis() - age.toMillis());
    }

    private void requireOwn(Optional<Cut> there) {
        if (there.filter(cut -> !cut.store().equals(store())).isPresent()) {
            throw new InvalidRequestException(
                    ErrorCode.ALREADY_EXISTS,
                    "the place has backups of another store; choose another folder",
                    "folder",
                    place.folder());
        }
    }

    private String store() {
        return source.handle().identity().id();
    }

    private long nowMillis(long least) {
        return Math.max(least, source.tasks().nowMillis());
    }

    /** Returns the cut after one, of the same base; empty when that cannot be continued. */
    private Optional<Cut> continued(Cut last, LiveContent content, long now) {
        return Optional.of(last)
                .filter(cut -> place.isKept(cut.base()) && fits(cut, content))
                .flatMap(cut -> ifKept(() -> logs(cut, content, part -> {})))
                .map(domains -> new Cut(last.store(), now, last.base(), last.chunks(), content.names(), domains));
    }

    /** Whether the base of a cut has the present definitions. */
    private boolean fits(Cut cut, LiveContent content) {
        return cut.collections().equals(content.names())
                && content.collections().stream()
                        .allMatch(each -> place.readable(
                                        BackupPlace.definition(cut.base(), each.name()),
                                        CatalogEntry.encode(each)::equals)
                                .orElse(false));
    }

    private static <T> Optional<T> ifKept(Supplier<T> ofLogs) {
        try {
            return Optional.of(ofLogs.get());
        } catch (InvalidRequestException gone) {
            if (gone.code() == ErrorCode.POSITION_TOO_OLD) {
                return Optional.empty();
            }
            throw gone;
        }
    }

    /** Returns a full backup to go on with: one that was cut short, or one of which nothing was taken. */
    private Begun begun(Optional<Cut> last, LiveContent content, long after) {
        Optional<Begun> unfinished = unfinished(last, content);
        if (unfinished.isPresent()) {
            return unfinished.get();
        }
        long now = nowMillis(after);
        String base = BackupPlace.hex(now);
        SortedMap<String, Span> domains = new TreeMap<>();
        content.ends().forEach((name, mark) -> domains.put(name, new Span(mark, mark, mark, List.of())));
        content.collections()
                .forEach(each -> put(BackupPlace.definition(base, each.name()), CatalogEntry.encode(each)));
        Cut cut = new Cut(store(), now, base, 0, content.names(), domains);
        place.putBegun(cut); // last: what it names is there
        return new Begun(cut, Map.of());
    }

    private Optional<Begun> unfinished(Optional<Cut> last, LiveContent content) {
        try {
            Optional<Cut> begun = place.begun(last);
            requireOwn(begun);
            return begun.filter(cut -> fits(cut, content))
                    .filter(cut -> cut.domains().entrySet().stream()
                            .allMatch(each -> ifKept(() -> content.log(
                                            each.getKey(), each.getValue().to()))
                                    .isPresent()))
                    .map(cut -> new Begun(cut, taken(cut.base())));
        } catch (CorruptDataException damaged) {
            return Optional.empty();
        }
    }

    /** The trees of a base, as far as they were taken; those without objects are not among them. */
    private Map<TreeId, Taken> taken(String base) {
        Map<TreeId, Taken> taken = new HashMap<>();
        place.names(BackupPlace.records(base)).stream()
                .collect(Collectors.groupingBy(name -> name.substring(0, name.lastIndexOf('/'))))
                .values()
                .forEach(names -> {
                    if (!names.getLast().endsWith(BackupPlace.hex(names.size() - 1L))) {
                        throw BackupPlace.damaged("an object of a backup is missing", names.getLast());
                    }
                    Chunk chunk = place.read(names.getLast(), Chunk::decode);
                    taken.put(chunk.tree(), new Taken(names.size() - 1L, Optional.empty()).with(chunk));
                });
        return taken;
    }

    /** Reads what a base lacks of all records, and the logs since. */
    private Cut whole(Begun begun, LiveContent content, long after) {
        String base = begun.cut.base();
        Map<TreeId, Taken> taken = new ConcurrentHashMap<>(begun.taken);
        content.ranges(tree -> taken.getOrDefault(tree, Taken.NONE).from, chunk -> {
            Taken before = taken.getOrDefault(chunk.tree(), Taken.NONE);
            put(base, before.chunks, chunk);
            taken.put(chunk.tree(), before.with(chunk));
        });
        long chunks = taken.values().stream().mapToLong(Taken::chunks).sum();
        long now = nowMillis(after);
        SortedMap<String, Span> domains = logs(begun.cut, content, place::putBegun);
        domains.replaceAll((name, span) -> new Span(span.from(), span.to(), span.to(), span.parts()));
        return new Cut(store(), now, base, chunks, content.names(), domains);
    }

    private void put(String base, long number, Chunk chunk) {
        copyPayloads(base, chunk.records());
        Bytes body = chunk.encode();
        place.putNew(BackupPlace.records(base) + chunk.tree().hex() + "/" + BackupPlace.hex(number), body);
        records.addAndGet(chunk.records().size());
        bytes.addAndGet(body.length());
    }

    /**
     * Takes what the logs have after a cut.
     *
     * @param progress gets the cut with each further object
     */
    private SortedMap<String, Span> logs(Cut cut, LiveContent content, Consumer<Cut> progress) {
        SortedMap<String, Span> domains = new TreeMap<>(cut.domains());
        cut.domains()
                .forEach((name, before) -> domains.put(name, log(cut.base(), name, before, content, further -> {
                    domains.put(name, further);
                    progress.accept(new Cut(
                            cut.store(), cut.takenMillis(), cut.base(), cut.chunks(), cut.collections(), domains));
                })));
        return domains;
    }

    private Span log(String base, String name, Span before, LiveContent content, Consumer<Span> progress) {
        Mark end = content.end(name);
        List<String> parts = new ArrayList<>(before.parts());
        LogReader reader = content.log(name, before.to());
        List<LogPart.Transaction> batch = new ArrayList<>();
        long size = 0;
        for (Optional<LogReader.Read> next = reader.next(); next.isPresent(); next = reader.next()) {
            LogReader.Read read = next.get();
            LogPart.Transaction one = LogPart.Transaction.of(read);
            if (one.position() > end.segment()) {
                break;
            }
            copyPayloads(base, one.records());
            batch.add(one);
            size += one.records().stream().mapToLong(LogRecordCodec::sizeMax).sum();
            if (size >= PART_BYTES && read.after().taken() == 0) {
                parts.add(put(base, name, batch));
                size = 0;
                progress.accept(new Span(before.from(), before.base(), Mark.after(read), List.copyOf(parts)));
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
        record Wanted(LogRecord of, Source.Payload object) {}
        List<Wanted> wanted = of.stream()
                .filter(record -> record.change().isReference())
                .flatMap(record -> source.payload(record).stream().map(object -> new Wanted(record, object)))
                .filter(each -> copied.add(BackupPlace.payloads(base) + each.object.name()))
                .toList();
        Parallel.map(source.tasks(), BackupPlace.WIDTH, wanted, each -> copyPayload(base, each.of, each.object))
                .forEach(bytes::addAndGet);
    }

    private long copyPayload(String base, LogRecord of, Source.Payload object) {
        String name = BackupPlace.payloads(base) + object.name();
        String from = source.overflows().prefix() + object.name();
        if (place.hasCopy(source.objects(), from, name)) {
            return 0;
        }
        if (place.putCopy(source.objects(), from, object.bytes(), name)) {
            return object.bytes();
        }
        source.requireReplaced(of);
        return 0;
    }
}
