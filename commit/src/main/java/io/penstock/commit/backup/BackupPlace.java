package io.penstock.commit.backup;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.ObjectUpload;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.task.Tasks;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The place of one store's backups: a folder of an object store.
 *
 * <pre>
 * cut/&lt;time&gt;                                 what there is to restore, put last
 * begun/&lt;time&gt;                               the same of a base that may lack objects
 * base/&lt;time&gt;/catalog/&lt;name&gt;                 a definition
 * base/&lt;time&gt;/records/&lt;tree&gt;/&lt;number&gt;       records of a range of keys at a position
 * base/&lt;time&gt;/log/&lt;domain&gt;/&lt;first&gt;-&lt;last&gt;   transactions since
 * base/&lt;time&gt;/overflow/&lt;tree&gt;/&lt;name&gt;         a large payload, as the store has it
 * </pre>
 *
 * @param folder empty, or with a slash at its end
 */
record BackupPlace(Tasks tasks, ObjectStore objects, String folder) {
    /** The number of objects, or trees, that are read at a time. */
    static final int WIDTH = 4;

    private static final Logger LOG = LoggerFactory.getLogger(BackupPlace.class);

    private static final String BEGUN = "begun/";

    private static final String CUT = "cut/";

    /** The part of a large object that is in memory at a time. */
    private static final int PART_BYTES = 8 << 20;

    static BackupPlace of(Tasks tasks, ObjectStore objects, String folder) {
        return new BackupPlace(tasks, objects, folder.isEmpty() || folder.endsWith("/") ? folder : folder + "/");
    }

    static String hex(long number) {
        return HexFormat.of().toHexDigits(number);
    }

    /** Writes an object, and reads it back: a backup that cannot be read is none. */
    void put(String name, Bytes body) {
        var unused = objects.put(folder + name, body, WriteCondition.ALWAYS);
        requireSame(name, body);
    }

    private void requireSame(String name, Bytes body) {
        if (!isThere(name, body)) {
            throw notWhatWasWritten(name);
        }
    }

    private CorruptDataException notWhatWasWritten(String name) {
        return damaged(
                "an object of a backup is not what was just written; see to the place of the backup", folder + name);
    }

    private boolean isThere(String name, Bytes body) {
        return objects.get(folder + name).map(StoredObject::body).equals(Optional.of(body));
    }

    /**
     * Writes an object as {@link #put} does, where there is none.
     *
     * @throws ConflictException when another run, which goes on with the same backup, has written it
     */
    void putNew(String name, Bytes body) {
        try {
            var unused = objects.put(folder + name, body, WriteCondition.IF_ABSENT);
        } catch (ConflictException | OutcomeUnknownException failure) {
            if (isThere(name, body)) {
                return; // the answer to this very put was lost
            }
            throw failure instanceof OutcomeUnknownException
                    ? failure
                    : new ConflictException(
                            "another run is taking this backup; let it finish, or stop it and repeat",
                            failure,
                            "key",
                            folder + name);
        }
        requireSame(name, body);
    }

    /** Reads an object that a cut names, and decodes it. */
    <T> T read(String name, Function<Bytes, T> decoding) {
        String key = folder + name;
        try {
            return objects.get(key)
                    .map(StoredObject::body)
                    .map(decoding)
                    .orElseThrow(() -> damaged("an object of a backup is missing; restore an earlier moment", key));
        } catch (CorruptDataException damage) {
            if (damage.code() == ErrorCode.BACKUP_DAMAGED) {
                throw damage;
            }
            throw new CorruptDataException(
                    ErrorCode.BACKUP_DAMAGED,
                    "an object of a backup is damaged; restore an earlier moment",
                    damage,
                    "key",
                    key);
        }
    }

    /** Reads an object as {@link #read} does, if it is there and whole; else others have to do without it. */
    <T> Optional<T> readable(String name, Function<Bytes, T> decoding) {
        try {
            return Optional.of(read(name, decoding));
        } catch (CorruptDataException damage) {
            LOG.warn("a backup goes on without an object that is damaged or missing why={}", damage.getMessage());
            return Optional.empty();
        }
    }

    static CorruptDataException damaged(String why, String key) {
        return new CorruptDataException(ErrorCode.BACKUP_DAMAGED, why, "key", key);
    }

    static String definition(String base, String collection) {
        return "base/" + base + "/catalog/" + collection;
    }

    /** The common beginning of the names of a base's ranges. */
    static String records(String base) {
        return "base/" + base + "/records/";
    }

    /** The common beginning of the names of what a base has. */
    static String base(String base) {
        return "base/" + base + "/";
    }

    /** The common beginning of the names of a base's large payloads: those of a store's that has its beginning. */
    static String payloads(String base) {
        return base(base) + "overflow/";
    }

    /** The names of all objects that begin so, in order. */
    List<String> names(String beginning) {
        return ObjectStores.listAll(objects, folder + beginning).stream()
                .map(entry -> entry.key().substring(folder.length()))
                .toList();
    }

    /** The newest cut that can be read. */
    Optional<Cut> last() {
        return names(CUT).reversed().stream()
                .flatMap(name -> readable(name, Cut::decode).stream())
                .findFirst();
    }

    /** The cuts that can be read, oldest first. */
    List<Cut> cuts() {
        return names(CUT).stream()
                .flatMap(name -> readable(name, Cut::decode).stream())
                .toList();
    }

    /**
     * Puts a cut of a base that is there; a cut never names what is gone.
     *
     * @throws ConflictException when its base is removed meanwhile
     */
    void put(Cut cut) {
        put(cut.name(), cut.encode());
        if (!isKept(cut.base())) {
            delete(List.of(cut.name()));
            throw new ConflictException(
                    "a full backup was removed while this one continued it; repeat it", "key", folder + cut.name());
        }
    }

    /** Whether a base is not being removed: then the note of its beginning goes first. */
    boolean isKept(String base) {
        return has(BEGUN + base);
    }

    /** Notes how far the log of a base was taken that has no cut yet. */
    void putBegun(Cut begun) {
        put(BEGUN + begun.base(), begun.encode());
    }

    /** The newest base, if it is of a full backup that was cut short, and after the last one. */
    Optional<Cut> begun(Optional<Cut> last) {
        String after = last.map(Cut::base).orElse("");
        return names(BEGUN).stream()
                .reduce((one, other) -> other)
                .filter(name -> name.substring(BEGUN.length()).compareTo(after) > 0)
                .map(name -> read(name, Cut::decode))
                .filter(begun -> cuts().stream().noneMatch(cut -> cut.base().equals(begun.base())));
    }

    /**
     * Removes all but the newest bases, with their cuts, and what is left of backups that were cut short before them.
     *
     * @param bases the least number of them that stay
     * @param sinceMillis the moment from which all that the cuts have stay
     * @return the number of bases that are gone
     */
    long keep(int bases, long sinceMillis) {
        List<Cut> cuts = cuts();
        List<String> known = cuts.stream().map(Cut::base).distinct().sorted().toList();
        long begun = cuts.stream()
                .filter(cut -> cut.firstMillis() <= sinceMillis)
                .map(Cut::base)
                .distinct()
                .count();
        int gone = (int) Math.max(0, Math.min(known.size() - bases, begun - 1)); // the last one that had begun has it
        String oldest = known.stream().skip(gone).findFirst().orElse("");
        delete(names(BEGUN).stream()
                .filter(name -> name.substring(BEGUN.length()).compareTo(oldest) < 0)
                .toList()); // first: nobody then goes on with its objects
        delete(cuts().stream() // also those that were put meanwhile
                .filter(cut -> cut.base().compareTo(oldest) < 0)
                .map(Cut::name)
                .toList());
        List<String> doomed = names("base/").stream()
                .filter(name -> name.substring("base/".length()).compareTo(oldest) < 0)
                .toList();
        delete(doomed);
        return doomed.stream().map(name -> name.split("/", 3)[1]).distinct().count();
    }

    private void delete(List<String> names) {
        if (!names.isEmpty()) {
            objects.deleteAll(names.stream().map(name -> folder + name).toList());
        }
    }

    /** Whether an object, which is not empty, is there. */
    private boolean has(String name) {
        return objects.getRange(folder + name, 0, 1).isPresent();
    }

    /** Whether another run has copied an object to here, and nothing shows that the copy is not the same. */
    boolean hasCopy(ObjectStore from, String key, String name) {
        if (!has(name)) {
            return false;
        }
        boolean more = true;
        for (long at = 0; more; at += PART_BYTES) {
            Optional<Bytes> wanted = from.getRange(key, at, PART_BYTES).map(StoredObject::body);
            if (wanted.isPresent()
                    && !wanted.equals(
                            objects.getRange(folder + name, at, PART_BYTES).map(StoredObject::body))) {
                return false;
            }
            more = wanted.filter(part -> part.length() > 0).isPresent();
        }
        return true;
    }

    /** Copies an object of so many bytes, that nobody changes, to here, and reads it back; false when there is none. */
    boolean putCopy(ObjectStore from, String key, long bytes, String name) {
        CRC32C written = new CRC32C();
        if (!copy(from, key, bytes, objects, folder + name, written)) {
            return false;
        }
        CRC32C there = new CRC32C();
        for (long at = 0; at < bytes; at += PART_BYTES) {
            objects.getRange(folder + name, at, PART_BYTES).ifPresent(part -> add(there, part.body()));
        }
        if (there.getValue() != written.getValue()) {
            delete(List.of(name)); // the next run copies it again
            throw notWhatWasWritten(name);
        }
        return true;
    }

    private static void add(Checksum sum, Bytes part) {
        sum.update(part.array(), part.offset(), part.length());
    }

    /** Copies an object of so many bytes, in parts if it is large; false when there is none. */
    private static boolean copy(ObjectStore from, String key, long bytes, ObjectStore to, String target, Checksum sum) {
        Optional<Bytes> head = part(from, key, 0, bytes);
        if (head.isEmpty()) {
            return false;
        }
        add(sum, head.get());
        if (bytes <= PART_BYTES) {
            var unused = to.put(target, head.get(), WriteCondition.ALWAYS);
            return true;
        }
        ObjectUpload upload = to.upload(target, PART_BYTES);
        try {
            int parts = 1;
            upload.part(parts, head.get());
            for (long at = PART_BYTES; at < bytes; at += PART_BYTES) {
                Bytes part = part(from, key, at, bytes)
                        .orElseThrow(() -> damaged("a large payload went away while it was copied; repeat it", key));
                add(sum, part);
                upload.part(++parts, part);
            }
            upload.complete(parts);
            return true;
        } catch (RuntimeException failure) {
            upload.abort();
            throw failure;
        }
    }

    /** A part of an object of so many bytes, whole; empty when there is no object. */
    private static Optional<Bytes> part(ObjectStore from, String key, long at, long bytes) {
        int wanted = (int) Math.min(PART_BYTES, bytes - at);
        Optional<Bytes> part = from.getRange(key, at, wanted).map(StoredObject::body);
        if (part.isPresent() && part.get().length() != wanted) {
            throw damaged("a large payload is shorter than its reference says; repeat the backup, or verify", key);
        }
        return part;
    }

    /**
     * The cut to restore: the last one, or the first that has all up to a moment.
     *
     * @throws InvalidRequestException when no cut has the moment
     */
    Cut cut(Optional<Long> atMillis) {
        List<String> names = names(CUT);
        if (names.isEmpty()) {
            throw new InvalidRequestException(
                    ErrorCode.NOT_FOUND, "there is no backup here; check the place and the folder", "folder", folder);
        }
        if (atMillis.isEmpty()) {
            return read(names.getLast(), Cut::decode);
        }
        long at = atMillis.get();
        List<Cut> cuts = cuts();
        List<Cut> fit = cuts.stream()
                .filter(cut -> cut.firstMillis() <= at && cut.lastMillis() >= at)
                .toList();
        return fit.stream()
                .filter(cut -> cut.hasAllOf(at))
                .findFirst()
                .or(() -> fit.stream().reduce((one, other) -> other))
                .orElseThrow(() -> new InvalidRequestException(
                        ErrorCode.POSITION_TOO_OLD,
                        "the backups here do not have this moment; choose one of these",
                        "moments",
                        moments(cuts)));
    }

    /** The times from and to which cuts have all moments. */
    private static String moments(List<Cut> cuts) {
        StringJoiner moments = new StringJoiner(", ");
        for (int i = 0; i < cuts.size(); ) {
            long first = cuts.get(i).firstMillis();
            long last = first;
            for (; i < cuts.size() && cuts.get(i).firstMillis() <= last + 1; i++) {
                last = Math.max(last, cuts.get(i).lastMillis());
            }
            moments.add(Instant.ofEpochMilli(first) + ".." + Instant.ofEpochMilli(last));
        }
        return moments.toString();
    }
}
