package io.penstock.core.page;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import org.jspecify.annotations.Nullable;

/**
 * Some entries of a leaf that follow one another: what a walk through many entries needs; or one record from elsewhere,
 * so that whoever walks through both need not care. Makes no object but those it is asked for. For one thread.
 */
public final class LeafRun {
    /** Enough that what a run costs is spread over many entries, few enough that they stay in the first cache. */
    private static final int SIZE_MAX = 64;

    /** Most walks are short, and need no more. */
    private static final int SIZE_FIRST = 16;

    // What is kept of each entry, in a row: offsets in the page's array.
    private static final int BEGIN = 0;
    private static final int END = 1;
    private static final int PLACES = 2;
    private static final int[] NONE = {};

    /** The largest varint of one byte. */
    private static final int VARINT_BYTE_MAX = 0x7f;

    /** The bits that are set when one of two varints in two bytes goes on behind them. */
    private static final int MORE_OF_TWO = 0x8080;

    /** Where the entries are; null when it is no leaf. */
    private @Nullable PageImage page;

    private byte[] array = new byte[0];

    /** None as long as there is no leaf. */
    private int[] places = NONE;

    private int size;

    /** The flags of all entries. */
    private byte flags;

    /** Whether keys have no prefix. */
    private boolean whole;

    /** The one record from elsewhere. */
    private @Nullable Bytes heldKey;

    private Bytes heldPayload = Bytes.EMPTY;

    /** Finds one entry, whatever it is. */
    public void look(PageImage leaf, int index) {
        begin(leaf);
        makeRoom();
        places[BEGIN] = leaf.entryAt(java.util.Objects.checkIndex(index, leaf.count()));
        places[END] = leaf.entryEnd(index);
        flags = array[places[BEGIN]];
        size = 1;
    }

    /** Takes one live record that is in no leaf. */
    public void hold(Bytes key, Bytes payload, boolean reference) {
        page = null;
        heldKey = key;
        heldPayload = payload;
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
        makeRoom();
        begin(leaf);
        int[] found = places;
        byte[] bytes = array;
        int step = from < stop ? 1 : -1;
        int index = from;
        int filled = 0;
        int room = found.length;
        while (index != stop && filled < room) {
            int at = leaf.entryAt(index);
            byte kind = bytes[at];
            if (kind == PageFormat.REFERENCE) {
                if (filled > 0) {
                    break;
                }
                room = 0; // for more
            }
            found[filled + BEGIN] = at;
            found[filled + END] = leaf.entryEnd(index);
            filled += kind == PageFormat.TOMBSTONE ? 0 : PLACES;
            index += step;
        }
        flags = room == 0 ? PageFormat.REFERENCE : PageFormat.PUT;
        size = filled / PLACES;
        return index;
    }

    /** Room for a few entries at first, and for all once a run has taken that. */
    private void makeRoom() {
        if (places == NONE) {
            places = new int[SIZE_FIRST * PLACES];
        } else if (size * PLACES == places.length && size < SIZE_MAX) {
            places = new int[SIZE_MAX * PLACES];
        }
    }

    private void begin(PageImage leaf) {
        page = leaf.requireLeaf();
        array = leaf.bytes().array();
        whole = leaf.hasWholeKeys();
        heldKey = null;
    }

    /** How many entries there are. The methods below take the number of one of them, from 0 on. */
    public int size() {
        return size;
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
        if (heldKey != null) {
            return heldKey;
        }
        // Flags and the length of the suffix at a time.
        int at = places[number * PLACES + BEGIN];
        int length = PageFormat.u16(array, at) >>> Byte.SIZE;
        int suffix = at + 2;
        if (length > VARINT_BYTE_MAX) {
            length = (int) PageFormat.varint(array, at + 1);
            suffix = PageFormat.behindVarint(array, at + 1);
        }
        return whole ? Bytes.wrap(array, suffix, length) : Bytes.wrap(page().key(suffix, length));
    }

    private int stampAt(int number) {
        int at = places[number * PLACES + BEGIN];
        int length = PageFormat.u16(array, at) >>> Byte.SIZE;
        return length <= VARINT_BYTE_MAX
                ? at + 2 + length
                : PageFormat.behindVarint(array, at + 1) + (int) PageFormat.varint(array, at + 1);
    }

    /** The payload, as a slice of the page; empty for a tombstone. */
    public Bytes payload(int number) {
        if (heldKey != null) {
            return heldPayload;
        }
        // Time and client at a time.
        int stamp = stampAt(number);
        int payload = (PageFormat.u16(array, stamp) & MORE_OF_TWO) == 0
                ? stamp + 2
                : PageFormat.behindVarint(array, PageFormat.behindVarint(array, stamp));
        return Bytes.wrap(array, payload, places[number * PLACES + END] - payload);
    }

    /** The newest time of all entries of the leaf, those of other runs and tombstones among them. */
    public long newestTime() {
        return page().newestTime();
    }

    /** The time of the stamp of a leaf's entry, as in {@link Stamp#time()}. */
    public long time(int number) {
        return page().baseTime() + PageFormat.varint(array, stampAt(number));
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
        return page().client((int) PageFormat.varint(array, PageFormat.behindVarint(array, stampAt(number))));
    }

    private PageImage page() {
        if (page == null) {
            throw new IllegalStateException("no entry of a leaf");
        }
        return page;
    }
}
