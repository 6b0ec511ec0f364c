package io.penstock.core.seal;

import io.penstock.core.Bytes;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectRules;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectUpload;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.Refreshed;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.TimedObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.Written;
import io.penstock.core.seal.Sealing.Kind;
import io.penstock.core.seal.Sealing.Place;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An object store whose objects are sealed in the one below. Keys, sizes, versions and times are those of the objects
 * there, and visible. The ring of keys is hidden. Safe for use by many threads.
 *
 * @param folder the beginning of keys that objects are not bound to, so that a folder may be copied whole
 */
record SealedObjectStore(ObjectStore inner, Sealing sealing, String folder) implements ObjectStore {
    private Place place(String key) {
        return new Place(Kind.OBJECT, key.startsWith(folder) ? key.substring(folder.length()) : key);
    }

    private boolean isRing(String key) {
        return key.startsWith(folder + KeyRing.NAME)
                && (key.length() == folder.length() + KeyRing.NAME.length() || key.equals(folder + KeyRing.COPY));
    }

    private StoredObject opened(String key, StoredObject sealed) {
        return new StoredObject(sealing.open(place(key), sealed.body()), sealed.version(), sealed.modifiedMillis());
    }

    @Override
    public Optional<StoredObject> get(String key) {
        return isRing(key) ? Optional.empty() : inner.get(key).map(object -> opened(key, object));
    }

    @Override
    public TimedObject getTimed(String key) {
        TimedObject answer = inner.getTimed(key);
        return new TimedObject(answer.object().map(object -> opened(key, object)), answer.serverMillis());
    }

    @Override
    public Optional<StoredObject> getRange(String key, long offset, int length) {
        ObjectRules.checkRange(offset, length);
        long first = offset / Frame.CHUNK;
        long chunks = length == 0 ? 0 : (offset + length - 1) / Frame.CHUNK - first + 1;
        int wanted = (int) Math.min(chunks * Frame.WHOLE, Integer.MAX_VALUE);
        return inner.getRange(key, first * Frame.WHOLE, wanted).map(object -> {
            Bytes sealed = object.body();
            boolean toEnd = sealed.length() < wanted && !sealed.isEmpty();
            Bytes body = sealing.open(place(key), sealed, first, toEnd);
            return new StoredObject(body, object.version(), object.modifiedMillis())
                    .range(offset - first * Frame.CHUNK, length);
        });
    }

    @Override
    public Refreshed getIfChanged(String key, ObjectVersion known) {
        Refreshed answer = inner.getIfChanged(key, known);
        return answer instanceof Refreshed.Changed(StoredObject object)
                ? new Refreshed.Changed(opened(key, object))
                : answer;
    }

    @Override
    public Written put(String key, Bytes body, WriteCondition condition) {
        return inner.put(key, sealing.seal(place(key), body), condition);
    }

    @Override
    public ObjectUpload upload(String key, int partBytes) {
        ObjectRules.checkUpload(key, partBytes);
        ObjectUpload below = inner.upload(key, Math.toIntExact(Frame.sealedBytes(partBytes)));
        return new Upload(below, sealing.begin(place(key)), partBytes);
    }

    /** An upload in parts of whole chunks; only the last may end within one. */
    private final class Upload implements ObjectUpload {
        private final ObjectUpload below;
        private final Sealing.Writing writing;
        private final int partBytes;

        /** The parts by their numbers: whether the end of the object is in them. */
        private final Map<Integer, Boolean> ends = new ConcurrentHashMap<>();

        /** Whether the end was sent: once the object is complete, no part can be. */
        private volatile boolean ended;

        Upload(ObjectUpload below, Sealing.Writing writing, int partBytes) {
            this.below = below;
            this.writing = writing;
            this.partBytes = partBytes;
        }

        @Override
        public void part(int number, Bytes part) {
            ObjectRules.checkPart(number, part, partBytes);
            if (number > 1 && partBytes % Frame.CHUNK != 0) {
                throw new InvalidRequestException(
                        "parts of an encrypted object must be multiples of 64 KiB; choose another size",
                        "partBytes",
                        partBytes);
            }
            boolean end = part.length() % Frame.CHUNK != 0;
            below.part(number, sealing.seal(writing, (number - 1L) * (partBytes / Frame.CHUNK), part, end));
            ends.put(number, end);
        }

        /** Completes the object; where its last chunk is full, an empty one after it says that it is the last. */
        @Override
        public void complete(int parts) {
            boolean full = !ends.getOrDefault(parts, true);
            if (full && !ended) {
                long number = parts * (long) (partBytes / Frame.CHUNK);
                below.part(parts + 1, sealing.seal(writing, number, Bytes.EMPTY, true));
                ended = true;
            }
            below.complete(full ? parts + 1 : parts);
        }

        @Override
        public void abort() {
            below.abort();
        }
    }

    @Override
    public void delete(String key) {
        inner.delete(key);
    }

    @Override
    public void deleteAll(Collection<String> keys) {
        inner.deleteAll(keys);
    }

    @Override
    public Listing list(String prefix, String startAfter, int limit) {
        Listing listing = inner.list(prefix, startAfter, limit);
        List<Listing.Entry> entries = listing.entries().stream()
                .filter(entry -> !isRing(entry.key()))
                .map(SealedObjectStore::opened)
                .toList();
        boolean onlyHidden = entries.isEmpty() && !listing.entries().isEmpty();
        // A caller goes on after the last key of a page, so a page that has more must have one.
        return onlyHidden && listing.more()
                ? list(prefix, listing.entries().getLast().key(), limit)
                : new Listing(entries, listing.more());
    }

    private static Listing.Entry opened(Listing.Entry sealed) {
        return new Listing.Entry(
                sealed.key(), Frame.bodyBytes(sealed.bytes()), sealed.version(), sealed.modifiedMillis());
    }

    @Override
    public void close() {
        inner.close();
    }
}
