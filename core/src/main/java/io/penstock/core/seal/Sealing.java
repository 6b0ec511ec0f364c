package io.penstock.core.seal;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.task.Tasks;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The sealing of bodies by the keys of a ring: chunk by chunk, each with its number and the place of the whole
 * authenticated, so that a body opens at its place alone, whole. Safe for use by many threads.
 */
final class Sealing {
    private final Tasks tasks;
    private final KeyRing ring;

    Sealing(Tasks tasks, KeyRing ring) {
        this.tasks = tasks;
        this.ring = ring;
    }

    /** The things that are sealed. */
    enum Kind {
        OBJECT,
        MESSAGE,
        TIER
    }

    /**
     * The place of what is sealed, which its chunks are bound to.
     *
     * @param name within the store
     */
    record Place(Kind kind, String name) {}

    /**
     * A body that is sealed in parts, or at once.
     *
     * @param key the number of the data key
     * @param own the key of this body alone
     */
    record Writing(Place place, int key, Bytes salt, byte[] own) {}

    /** Begins a body. */
    Writing begin(Place place) {
        int key = ring.current();
        Bytes salt = Gcm.random(tasks, Frame.SALT_BYTES);
        return new Writing(place, key, salt, own(ring.key(key).orElseThrow(), salt));
    }

    private static byte[] own(byte[] dataKey, Bytes salt) {
        return Gcm.derive(dataKey, Bytes.utf8("penstock body").concat(salt));
    }

    Bytes seal(Place place, Bytes body) {
        return seal(begin(place), 0, body, true);
    }

    /**
     * Seals a part of a body, of whole chunks unless it is the last part.
     *
     * @param first the number of its first chunk
     */
    Bytes seal(Writing writing, long first, Bytes part, boolean last) {
        byte[] sealed = new byte[Math.toIntExact(Frame.sealedBytes(part.length()))];
        int at = 0;
        int from = 0;
        long number = first;
        do {
            int to = Math.min(part.length(), from + Frame.CHUNK);
            Frame frame = new Frame(
                    writing.key, last && to == part.length(), writing.salt, Gcm.random(tasks, Gcm.NONCE_BYTES));
            frame.write(sealed, at);
            byte[] bound = bound(sealed, at, writing.place, number);
            Gcm.seal(writing.own, frame.nonce(), bound, part.slice(from, to), sealed, at + Frame.BYTES);
            at += to - from + Frame.OVERHEAD;
            from = to;
            number++;
        } while (from < part.length());
        return Bytes.wrap(sealed);
    }

    /** All that a chunk is bound to: its header, the ring, the kind and name of its place, its number. */
    private byte[] bound(byte[] sealed, int at, Place place, long number) {
        byte[] name = place.name.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Frame.BYTES + KeyRing.ID_BYTES + 1 + Long.BYTES + name.length)
                .put(sealed, at, Frame.BYTES)
                .put(ring.id().array(), ring.id().offset(), KeyRing.ID_BYTES)
                .put((byte) place.kind.ordinal())
                .putLong(number)
                .put(name)
                .array();
    }

    /**
     * Opens a whole body.
     *
     * @throws CorruptDataException when it is not as it was sealed for this place
     */
    Bytes open(Place place, Bytes sealed) {
        return open(place, sealed, 0, true);
    }

    /**
     * Opens chunks of a body.
     *
     * @param first the number of the first one
     * @param toEnd whether the last chunk of the body must be among them
     */
    Bytes open(Place place, Bytes sealed, long first, boolean toEnd) {
        int tail = sealed.length() % Frame.WHOLE;
        if (tail > 0 && tail < Frame.OVERHEAD) {
            throw damaged("it was cut", place);
        }
        byte[] body = new byte[(int) Frame.bodyBytes(sealed.length())];
        Frame before = null;
        byte[] own = new byte[0];
        int at = 0;
        long number = first;
        for (int from = 0; from < sealed.length(); from += Frame.WHOLE, number++) {
            Bytes chunk = sealed.slice(from, Math.min(sealed.length(), from + Frame.WHOLE));
            if (!Frame.isSealed(chunk)) {
                throw damaged("it is not sealed", place);
            }
            Frame frame = Frame.read(chunk);
            if (before == null) {
                own = own(key(place, frame), frame.salt());
            } else if (before.last()
                    || before.key() != frame.key()
                    || !before.salt().equals(frame.salt())) {
                throw damaged("its chunks are not of one body", place);
            }
            byte[] bound = bound(chunk.array(), chunk.offset(), place, number);
            if (!Gcm.open(own, frame.nonce(), bound, chunk.slice(Frame.BYTES, chunk.length()), body, at)) {
                throw damaged("it was changed, or is of another place or store", place);
            }
            at += chunk.length() - Frame.OVERHEAD;
            before = frame;
        }
        if (toEnd && (before == null || !before.last())) {
            throw damaged("its end is missing", place);
        }
        return Bytes.wrap(body, 0, at);
    }

    private byte[] key(Place place, Frame frame) {
        return ring.key(frame.key())
                .orElseThrow(() -> damaged("the ring of keys lacks its key, as an older ring would", place));
    }

    private static CorruptDataException damaged(String why, Place place) {
        return new CorruptDataException(
                "what was encrypted does not open; restore it from a backup",
                "why",
                why,
                place.kind.name().toLowerCase(Locale.ROOT),
                place.name);
    }
}
