package io.penstock.core.page;

import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import org.jspecify.annotations.Nullable;

/**
 * Some entries of a leaf that follow one another: what a walk through many entries needs; or one record from elsewhere,
 * so that whoever walks through both need not care. It stands on one of them at a time, at first before them all.
 *
 * <p>Makes no object but those it is asked for, and no list of what it found: the processor fetches what lies in a row
 * by itself, and a pass ahead of the one that reads makes a walk slower. For one thread.
 */
public final class LeafRun {
    /** The largest varint of one byte. */
    private static final int VARINT_BYTE_MAX = 0x7f;

    /** The bits that are set when one of two varints in two bytes goes on behind them. */
    private static final int MORE_OF_TWO = 0x8080;

    /** Where the entries are; null when it is no leaf. */
    private @Nullable PageImage page;

    private byte[] array = new byte[0];

    /** Whether keys have no prefix. */
    private boolean whole;

    /** The entry it stands on: its place in the leaf, and in the array its key behind the prefix, and its end. */
    private int index;

    private int suffix;
    private int suffixLength;
    private int end;

    /** From one entry to the next: 1 to the right, -1 to the left. */
    private int step;

    /** Entries not gone to yet. */
    private int left;

    /** The flags of all entries. */
    private byte flags;

    /** The one record from elsewhere. */
    private @Nullable Bytes heldKey;

    private Bytes heldPayload = Bytes.EMPTY;

    /** Stands on one entry, whatever it is; there is no other. */
    public void look(PageImage leaf, int at) {
        begin(leaf, java.util.Objects.checkIndex(at, leaf.count()), 1);
        flags = leaf.flags(at);
        left = 1;
        next();
    }

    /** Takes one live record that is in no leaf. */
    public void hold(Bytes key, Bytes payload, boolean reference) {
        page = null;
        heldKey = key;
        heldPayload = payload;
        flags = reference ? PageFormat.REFERENCE : PageFormat.PUT;
        left = 1;
    }

    /**
     * Takes the first live entries from {@code from} on, up to the next tombstone; a reference to a payload is in a run
     * of its own.
     *
     * @param stop where the walk ends (exclusive): above {@code from} to the right, below it to the left
     * @return where the next run begins; the run may be empty, when it is {@code stop}
     */
    public int fill(PageImage leaf, int from, int stop) {
        int towards = from < stop ? 1 : -1;
        int live = from;
        int behind = stop;
        if (!leaf.isPlain()) {
            live = skip(leaf, from, stop, PageFormat.TOMBSTONE);
            boolean reference = live != stop && leaf.flags(live) == PageFormat.REFERENCE;
            behind = reference ? live + towards : skip(leaf, live, stop, PageFormat.PUT);
        }
        begin(leaf, live, towards);
        flags = live == behind ? PageFormat.PUT : leaf.flags(live);
        left = (behind - live) * towards;
        return behind;
    }

    /** The first entry with other flags, or {@code stop}. */
    private static int skip(PageImage leaf, int from, int stop, byte flags) {
        int towards = from < stop ? 1 : -1;
        int at = from;
        while (at != stop && leaf.flags(at) == flags) {
            at += towards;
        }
        return at;
    }

    private void begin(PageImage leaf, int first, int towards) {
        page = leaf.requireLeaf();
        array = leaf.bytes().array();
        whole = leaf.hasWholeKeys();
        index = first - towards;
        step = towards;
        heldKey = null;
    }

    /** How many entries there are that it did not go to yet. */
    public int left() {
        return left;
    }

    /** Goes to the next entry, at first to the first; false when there is none. */
    public boolean next() {
        if (left == 0) {
            return false;
        }
        left--;
        if (page != null) {
            index += step;
            enter(page);
        }
        return true;
    }

    /** Small, for it becomes a part of its callers' loops. */
    private void enter(PageImage leaf) {
        int at = leaf.entryAt(index);
        end = leaf.entryEnd(index);
        // Flags and the length of the suffix at a time.
        int length = PageFormat.u16(array, at) >>> Byte.SIZE;
        if (length <= VARINT_BYTE_MAX) {
            suffix = at + 2;
            suffixLength = length;
        } else {
            suffix = PageFormat.behindVarint(array, at + 1);
            suffixLength = (int) PageFormat.varint(array, at + 1);
        }
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
    public Bytes key() {
        if (heldKey != null) {
            return heldKey;
        }
        return whole ? Bytes.wrap(array, suffix, suffixLength) : Bytes.wrap(page().key(suffix, suffixLength));
    }

    /** The payload, as a slice of the page; empty for a tombstone. */
    public Bytes payload() {
        if (heldKey != null) {
            return heldPayload;
        }
        int stamp = suffix + suffixLength;
        // Time and client at a time.
        int payload = (PageFormat.u16(array, stamp) & MORE_OF_TWO) == 0
                ? stamp + 2
                : PageFormat.behindVarint(array, PageFormat.behindVarint(array, stamp));
        return Bytes.wrap(array, payload, end - payload);
    }

    /** The newest time of all entries of the leaf, those of other runs and tombstones among them. */
    public long newestTime() {
        return page().newestTime();
    }

    /** The time of the stamp of a leaf's entry, as in {@link Stamp#time()}. */
    public long time() {
        return page().time(index);
    }

    /** When and by whom the entry was written. */
    public Stamp stamp() {
        return page().stamp(index);
    }

    /** Whether {@code stamp} is newer than the entry's. */
    public boolean isOlderThan(Stamp stamp) {
        return page().isNewer(stamp, index);
    }

    private PageImage page() {
        if (page == null) {
            throw new IllegalStateException("no entry of a leaf");
        }
        return page;
    }
}
