package io.penstock.core.seal;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.task.Tasks;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data keys of one store, or of the backups in one folder, sealed in an object of it. Keys are numbered, and the
 * last one seals what is new. Any client may add one; another that meets it reads the object again. Safe for use by
 * many threads.
 */
public final class KeyRing {
    private static final Logger LOG = LoggerFactory.getLogger(KeyRing.class);

    /** The name of the object, in the folder of what it opens. */
    public static final String NAME = "keys";

    static final int ID_BYTES = 16;

    static final String COPY = NAME + ".copy";

    /** The beginning of the keys of what pings of a store leave, which may come before there is one. */
    private static final String PINGS = "clients/ping.";

    /** The maximum number of tries; each after the first makes up for a lost answer, or a race. */
    private static final int TRIES_MAX = 10;

    private final Tasks tasks;
    private final ObjectStore objects;
    private final String folder;
    private final MasterKeys masters;
    private volatile Keys keys;

    /**
     * @param all by their numbers
     * @param current whether the current master key has sealed them all
     */
    private record Keys(Bytes id, SortedMap<Integer, byte[]> all, boolean current) {
        int last() {
            return all.lastKey();
        }
    }

    private KeyRing(Tasks tasks, ObjectStore objects, String folder, MasterKeys masters, Keys keys) {
        this.tasks = tasks;
        this.objects = objects;
        this.folder = folder;
        this.masters = masters;
        this.keys = keys;
    }

    /**
     * Opens the ring of a folder, or makes one where nothing is yet.
     *
     * @param objects not sealed
     * @param folder with a slash at its end
     * @return empty when nothing is there, and nothing may be made
     * @throws InvalidRequestException of code {@code NO_KEY} when the master keys do not open it, and of {@code
     *     INVALID_SETTING} when what is in the folder is not encrypted
     * @throws CorruptDataException when the ring is damaged
     */
    public static Optional<KeyRing> open(
            Tasks tasks, ObjectStore objects, String folder, MasterKeys masters, boolean create) {
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            Optional<RingText> found = find(objects, folder);
            Optional<String> there = found.isPresent() ? Optional.empty() : first(objects, folder);
            if (there.isPresent()) {
                found = find(objects, folder); // others may just have made it
            }
            if (found.isPresent()) {
                if (create) {
                    copy(objects, folder, found.get());
                }
                return Optional.of(new KeyRing(tasks, objects, folder, masters, opened(found.get(), masters)));
            }
            if (there.isPresent()) {
                throw withoutRing(objects, folder, there.get());
            }
            if (!create) {
                return Optional.empty();
            }
            make(tasks, objects, folder, masters);
        }
        throw busy(folder);
    }

    /** The key of the first object, but not of a folder's marker, and not of what a ping has left. */
    private static Optional<String> first(ObjectStore objects, String folder) {
        Iterator<Listing.Entry> all = ObjectStores.listing(objects, folder);
        while (all.hasNext()) {
            Listing.Entry entry = all.next();
            boolean isMarker = entry.bytes() == 0 && entry.key().endsWith("/");
            if (!isMarker && !entry.key().startsWith(folder + PINGS)) {
                return Optional.of(entry.key());
            }
        }
        return Optional.empty();
    }

    private static StoreException withoutRing(ObjectStore objects, String folder, String first) {
        boolean sealed = objects.getRange(first, 0, Frame.BYTES)
                .filter(object -> Frame.isSealed(object.body()))
                .isPresent();
        return sealed
                ? new CorruptDataException(
                        "the ring of keys is missing, without which nothing opens; restore the object",
                        "key",
                        folder + NAME)
                : new InvalidRequestException(
                        ErrorCode.INVALID_SETTING,
                        "what is here is not encrypted; open it without keys, or restore a backup of it into an"
                                + " encrypted store",
                        "folder",
                        folder);
    }

    private static UnavailableException busy(String folder) {
        return new UnavailableException("the ring of keys could not be written; repeat it", "folder", folder);
    }

    /** Whether there is a ring, or its copy: what is in the folder is encrypted then. */
    public static boolean isIn(ObjectStore objects, String folder) {
        return objects.get(folder + NAME).isPresent()
                || objects.get(folder + COPY).isPresent();
    }

    /** Reads the ring, or its copy where that is lost or damaged. */
    private static Optional<RingText> find(ObjectStore objects, String folder) {
        Optional<StoredObject> main = objects.get(folder + NAME);
        try {
            if (main.isPresent()) {
                return main.map(object -> RingText.decode(object.body(), folder + NAME));
            }
        } catch (CorruptDataException damaged) {
            return Optional.of(copy(objects, folder).orElseThrow(() -> damaged));
        }
        return copy(objects, folder);
    }

    private static Optional<RingText> copy(ObjectStore objects, String folder) {
        try {
            Optional<RingText> copy =
                    objects.get(folder + COPY).map(object -> RingText.decode(object.body(), folder + COPY));
            copy.ifPresent(found -> LOG.warn(
                    "the ring of keys is missing or damaged, and its copy is used; restore the object, or rotate keys"
                            + " key={}",
                    folder + NAME));
            return copy;
        } catch (CorruptDataException damagedToo) {
            return Optional.empty();
        }
    }

    private static void make(Tasks tasks, ObjectStore objects, String folder, MasterKeys masters) {
        Bytes id = Gcm.random(tasks, ID_BYTES);
        SortedMap<Integer, byte[]> first =
                new TreeMap<>(Map.of(1, Gcm.random(tasks, Gcm.KEY_BYTES).toArray()));
        put(objects, folder, sealed(new Keys(id, first, true), masters), WriteCondition.IF_ABSENT);
    }

    /** Returns whether the ring is known to be written. */
    private static boolean put(ObjectStore objects, String folder, RingText text, WriteCondition condition) {
        try {
            objects.put(folder + NAME, text.encode(), condition);
        } catch (ConflictException | OutcomeUnknownException e) {
            return false;
        }
        copy(objects, folder, text);
        return true;
    }

    /** Makes the copy of a ring as new as it is, unless it is newer, or another store's. */
    private static void copy(ObjectStore objects, String folder, RingText ring) {
        StoreException failure = busy(folder);
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            try {
                Optional<StoredObject> copy = objects.get(folder + COPY);
                if (copy.isEmpty() || isDamagedOrOlder(copy.get().body(), ring)) {
                    objects.put(
                            folder + COPY,
                            ring.encode(),
                            copy.map(there -> WriteCondition.ifVersion(there.version()))
                                    .orElse(WriteCondition.IF_ABSENT));
                }
                return;
            } catch (StoreException again) {
                failure = again;
            }
        }
        LOG.warn("the ring of keys has no copy, or an old one; the next client to open it mends that", failure);
    }

    private static boolean isDamagedOrOlder(Bytes copy, RingText ring) {
        try {
            RingText text = RingText.decode(copy, COPY);
            return text.id().equals(ring.id())
                    && text.keys().lastKey() < ring.keys().lastKey();
        } catch (CorruptDataException damaged) {
            return true;
        }
    }

    private static Bytes context(Bytes ring, int number) {
        return Bytes.utf8("penstock ring " + ring.toHex() + " key " + number);
    }

    private static RingText sealed(Keys keys, MasterKeys masters) {
        String master = masters.current();
        SortedMap<Integer, RingText.Sealed> all = new TreeMap<>();
        keys.all.forEach((number, key) -> all.put(
                number, new RingText.Sealed(master, masters.seal(master, Bytes.wrap(key), context(keys.id, number)))));
        return new RingText(keys.id, all);
    }

    private static Keys opened(RingText text, MasterKeys masters) {
        SortedMap<Integer, byte[]> all = new TreeMap<>();
        text.keys()
                .forEach((number, key) -> all.put(
                        number,
                        masters.open(key.master(), key.bytes(), context(text.id(), number))
                                .toArray()));
        String current = masters.current();
        boolean isCurrent =
                text.keys().values().stream().allMatch(key -> key.master().equals(current));
        return new Keys(text.id(), all, isCurrent);
    }

    /**
     * Adds a data key, which seals all that is written from now on, and seals all of them by the current master key:
     * then the earlier master keys are needed no more, except by backups. What was written before stays as it is.
     *
     * @return the number of the new key
     */
    public int rotate() {
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            Optional<StoredObject> main = objects.get(folder + NAME);
            Keys now = opened(
                    find(objects, folder)
                            .orElseThrow(() -> new CorruptDataException(
                                    "the ring of keys is gone; restore the object", "key", folder + NAME)),
                    masters);
            requireSame(now);
            if (now.last() < current()) {
                throw new CorruptDataException(
                        "the ring of keys is an older one; restore the newest", "key", folder + NAME);
            }
            SortedMap<Integer, byte[]> more = new TreeMap<>(now.all);
            more.put(now.last() + 1, Gcm.random(tasks, Gcm.KEY_BYTES).toArray());
            Keys next = new Keys(now.id, more, true);
            WriteCondition condition = main.map(object -> WriteCondition.ifVersion(object.version()))
                    .orElse(WriteCondition.IF_ABSENT);
            if (put(objects, folder, sealed(next, masters), condition)) {
                keys = next;
                return next.last();
            }
        }
        throw busy(folder);
    }

    /** Rotates the ring if another master key than the current one has sealed it, at least in part. */
    public void renew() {
        if (!keys.current) {
            int unused = rotate();
        }
    }

    private void requireSame(Keys found) {
        if (!found.id.equals(keys.id)) {
            throw new CorruptDataException(
                    "the ring of keys is that of another store; restore the object", "key", folder + NAME);
        }
    }

    /** The identity of the ring, in 16 bytes: part of all that its keys seal. */
    Bytes id() {
        return keys.id;
    }

    /** The number of the key that seals now. */
    int current() {
        return keys.last();
    }

    /** The data key of a number; reads the ring again for one that is not known, which others may have added. */
    Optional<byte[]> key(int number) {
        byte[] known = keys.all.get(number);
        if (known == null) {
            find(objects, folder).ifPresent(text -> {
                Keys found = opened(text, masters);
                requireSame(found);
                if (found.last() > current()) {
                    keys = found;
                }
            });
            known = keys.all.get(number);
        }
        return Optional.ofNullable(known);
    }
}
