package io.penstock.core.page;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import org.jspecify.annotations.Nullable;

/**
 * Some entries of a leaf that follow one another, with the places of all their parts, found in one pass over the bytes:
 * what a walk through many entries needs; or one record from elsewhere, so that whoever walks through both need not
 * care. Makes no object but those it is asked for. For one thread.
 */
public final class LeafRun {
    /** Enough that what a run costs is spread over many entries, few enough that its places stay in the first cache. */
    private static final int SIZE_MAX = 64;

    /** Most walks are short, and need no more. */
    private static final int SIZE_FIRST = 8;

    // What is kept of each entry, in a row: offsets in the page's array.
    private static final int SUFFIX = 0;
    private static final int STAMP = 1;
    private static final int PAYLOAD = 2;
    private static final int END = 3;
    private static final int PLACES = 4;

    /** Where the entries are; null when it is no leaf. */
    private @Nullable PageImage page;

    /** What payloads are slices of. */
    private byte[] array = new byte[0];

    /** What keys are slices of; null when they have a prefix. */
    private byte @Nullable [] keys;

    private int[] places = new int[SIZE_FIRST * PLACES];
    private int size;

    /** The flags of all entries. */
    private byte flags;

    private long newestTime;

    /** Finds one entry, whatever it is. */
    public void look(PageImage leaf, int index) {
        begin(leaf);
        int at = leaf.entryAt(java.util.Objects.checkIndex(index, leaf.count()));
        flags = array[at];
        newestTime = leaf.baseTime() + find(array, at, leaf.entryEnd(index), places, 0);
        size = 1;
    }

    /** Takes one live record that is in no leaf. */
    public void hold(Bytes key, Bytes payload, boolean reference) {
        page = null;
        array = payload.array();
        keys = key.array();
        places[SUFFIX] = key.offset();
        places[STAMP] = key.offset() + key.length();
        places[PAYLOAD] = payload.offset();
        places[END] = payload.offset() + payload.length();
        flags = reference ? PageFormat.REFERENCE : PageFormat.PUT;
        size = 1;
    }

    /**
     * Finds live entries from {@code from} on, as many as have room; a reference to a payload is in a run of its own.
     *
     * @param stop where the walk ends (exclusive): above {@code from} to the right, below it to the left
     * @return where the next run begins; the run may be empty, when it is {@code stop}
     */
    public int fill(PageImage leaf, int from, int stop) {
        if (size * PLACES == places.length && size < SIZE_MAX) {
            places = new int[places.length * 2];
        }
        begin(leaf);
        int[] found = places;
        byte[] bytes = array;
        int step = from < stop ? 1 : -1;
        int index = from;
        int filled = 0;
        int room = found.length;
        long base = leaf.baseTime();
        long newest = Long.MIN_VALUE;
        while (index != stop && filled < room) {
            int at = leaf.entryAt(index);
            byte kind = bytes[at];
            if (kind == PageFormat.REFERENCE) {
                if (filled > 0) {
                    break;
                }
                room = 0; // for more
            }
            newest = Math.max(newest, base + find(bytes, at, leaf.entryEnd(index), found, filled));
            filled += kind == PageFormat.TOMBSTONE ? 0 : PLACES;
            index += step;
        }
        flags = room == 0 ? PageFormat.REFERENCE : PageFormat.PUT;
        size = filled / PLACES;
        newestTime = newest;
        return index;
    }

    private void begin(PageImage leaf) {
        page = leaf.requireLeaf();
        array = leaf.bytes().array();
        keys = leaf.hasWholeKeys() ? array : null;
    }

    /** Finds the parts of the entry at {@code at}, and returns its time since the base time of the page. */
    private static long find(byte[] bytes, int at, int end, int[] places, int place) {
        int length = bytes[at + 1];
        int suffix = at + 2;
        if (length < 0) {
            length = (int) PageFormat.varint(bytes, at + 1);
            suffix = PageFormat.behindVarint(bytes, at + 1);
        }
        int stamp = suffix + length;
        long sinceBase = bytes[stamp];
        int payload = stamp + 2;
        if (sinceBase < 0 || bytes[stamp + 1] < 0) {
            sinceBase = PageFormat.varint(bytes, stamp);
            payload = PageFormat.behindVarint(bytes, PageFormat.behindVarint(bytes, stamp));
        }
        places[place + SUFFIX] = suffix;
        places[place + STAMP] = stamp;
        places[place + PAYLOAD] = payload;
        places[place + END] = end;
        return sinceBase;
    }

    /** How many entries there are. The methods below take the number of one of them, from 0 on. */
    public int size() {
        return size;
    }

    /** The newest time of the entries of a leaf, and of tombstones among them; meaningless when there were none. */
    public long newestTime() {
        return newestTime;
    }

    /** Whether the entries are tombstones. */
    public boolean isTombstone() {
        return flags == PageFormat.TOMBSTONE;
    }

    /** Whether what stands in the payloads' place is a reference to an overflow object. */
    public boolean isReference() {
        return flags == PageFormat.REFERENCE;
    }

    /** The key: a slice of the page if it stands there whole, else in an array of its own. */
    public Bytes key(int number) {
        int at = places[number * PLACES + SUFFIX];
        int length = places[number * PLACES + STAMP] - at;
        byte[] slices = keys;
        return slices == null ? Bytes.wrap(page().key(at, length)) : Bytes.wrap(slices, at, length);
    }

    /** The payload, as a slice of the page; empty for a tombstone. */
    public Bytes payload(int number) {
        int at = places[number * PLACES + PAYLOAD];
        return Bytes.wrap(array, at, places[number * PLACES + END] - at);
    }

    /** The time of the stamp of a leaf's entry, as in {@link Stamp#time()}. */
    public long time(int number) {
        return page().baseTime() + PageFormat.varint(array, places[number * PLACES + STAMP]);
    }

    /** When and by whom the entry was written. */
    public Stamp stamp(int number) {
        return new Stamp(time(number), new ClientId(client(number)));
    }

    /** Whether {@code stamp} is newer than the entry's. */
    public boolean isOlderThan(Stamp stamp, int number) {
        int byTime = Long.compareUnsigned(stamp.time(), time(number));
        return byTime > 0 || (byTime == 0 && Long.compareUnsigned(stamp.client().value(), client(number)) > 0);
    }

    private long client(int number) {
        return page().client((int)
                PageFormat.varint(array, PageFormat.behindVarint(array, places[number * PLACES + STAMP])));
    }

    private PageImage page() {
        if (page == null) {
            throw new IllegalStateException("no entry of a leaf");
        }
        return page;
    }
}
