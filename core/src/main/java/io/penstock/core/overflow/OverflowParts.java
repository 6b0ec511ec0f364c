package io.penstock.core.overflow;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The place of a payload that is too large for its page; log records and leaves have it in the payload's stead. The
 * payload is that of the objects, one after the other, and then the tail, which is here. Immutable.
 *
 * <pre>
 * u8 number of objects, 1 to 255 | ( u64 client | u64 number | u64 length ) ... | tail        little-endian
 * </pre>
 *
 * @param objects at least one
 * @param tail the end of the payload, too small for an object; often empty
 */
public record OverflowParts(List<OverflowReference> objects, Bytes tail) {
    /** The largest number of objects in one payload. */
    private static final int OBJECTS_MAX = 255;

    public OverflowParts {
        objects = List.copyOf(objects);
        if (objects.isEmpty() || objects.size() > OBJECTS_MAX) {
            throw new IllegalArgumentException("objects=" + objects.size());
        }
    }

    public static OverflowParts of(OverflowReference only) {
        return new OverflowParts(List.of(only), Bytes.EMPTY);
    }

    /** Whether bytes may be encoded parts, by their length. */
    public static boolean isWellFormed(byte[] array, int at, int length) {
        int count = length == 0 ? 0 : array[at] & 0xff;
        return count > 0 && bytes(count) <= length;
    }

    /** The length, when encoded, of a number of objects without a tail. */
    public static int bytes(int count) {
        return 1 + count * OverflowReference.BYTES;
    }

    /** The length of these when encoded. */
    public int bytes() {
        return bytes(objects.size()) + tail.length();
    }

    public Bytes encode() {
        ByteBuffer out = ByteBuffer.allocate(bytes()).order(ByteOrder.LITTLE_ENDIAN);
        out.put((byte) objects.size());
        objects.forEach(reference -> reference.encode(out));
        out.put(tail.array(), tail.offset(), tail.length());
        return Bytes.wrap(out.array());
    }

    /** @throws CorruptDataException when these bytes are no such parts */
    public static OverflowParts decode(Bytes bytes) {
        if (!isWellFormed(bytes.array(), bytes.offset(), bytes.length())) {
            throw new CorruptDataException(
                    "references to overflow objects have the wrong length; run verify", "bytes", bytes.length());
        }
        ByteBuffer in =
                ByteBuffer.wrap(bytes.array(), bytes.offset(), bytes.length()).order(ByteOrder.LITTLE_ENDIAN);
        int count = in.get() & 0xff;
        List<OverflowReference> objects = new ArrayList<>(count);
        Bytes tail = bytes.slice(bytes(count), bytes.length());
        long left = OverflowStore.PAYLOAD_BYTES_MAX - tail.length();
        for (int i = 0; i < count; i++) {
            OverflowReference reference = OverflowReference.decode(in);
            if (reference.length() < 0 || reference.length() > left) {
                throw new CorruptDataException(
                        "a reference to an overflow object has an impossible length; run verify",
                        "length",
                        reference.length(),
                        "lengthMax",
                        left);
            }
            left -= reference.length();
            objects.add(reference);
        }
        return new OverflowParts(objects, tail);
    }

    /** The length of the payload. */
    public long length() {
        return start(objects.size()) + tail.length();
    }

    /** The place in the payload at which that of an object begins. */
    public long start(int index) {
        return objects.subList(0, index).stream()
                .mapToLong(OverflowReference::length)
                .sum();
    }

    /**
     * The first of the objects whose payload an append writes once more, into one object with what comes behind it; the
     * number of objects when it writes none of them. They are rewritten when they are too many, and then those that are
     * small beside what comes behind them, so that a byte is rewritten a few times only, however often one appends.
     *
     * @param objectsMax the number of objects that there may be afterwards
     * @param added the bytes that are to be added to what is in objects
     */
    public int firstRewritten(int objectsMax, long added) {
        int count = objects.size();
        if (count < objectsMax) {
            return count;
        }
        long all = start(count) + added;
        int last = Math.min(count, objectsMax) - 1;
        for (int i = 0; i < last; i++) {
            if (objects.get(i).length() < 2 * (all - start(i + 1))) {
                return i;
            }
        }
        return last;
    }

    /** The first objects, and then another one. */
    public OverflowParts with(int kept, OverflowReference next) {
        List<OverflowReference> all = new ArrayList<>(objects.subList(0, kept));
        all.add(next);
        return new OverflowParts(all, Bytes.EMPTY);
    }
}
