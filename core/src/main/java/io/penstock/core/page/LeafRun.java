package io.penstock.core.page;

import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import org.jspecify.annotations.Nullable;

/**
 * A run of consecutive entries of a leaf, for loops over many entries; or one record from elsewhere, so that a caller
 * reads both the same way. Positioned on one entry at a time; initially before the first.
 *
 * <p>It creates no objects except those it returns, and no list of entries: the processor prefetches consecutive memory
 * by itself, and a separate pass ahead of the reader is slower. For one thread.
 */
public final class LeafRun {
    /** The continuation bits of two varints of two bytes; set if one of them is longer. */
    private static final int MORE_OF_TWO = 0x8080;

    /** The leaf of the entries; null for a record from elsewhere. */
    private @Nullable PageImage page;

    /** Whether keys have no prefix. */
    private boolean whole;

    /** The current entry: its index in the leaf, and the array offsets of its start and its end. */
    private int index;

    private int start;
    private int end;

    /** Whether the next entry is the one to the right. */
    private boolean ascending = true;

    /** The index of the last entry of the run. */
    private int last;

    /** The flags of all entries. */
    private byte flags;

    /** The one record from elsewhere. */
    private @Nullable Bytes heldKey;

    private Bytes heldPayload = Bytes.EMPTY;
    private long heldExpiryMillis = Expiry.NEVER;
    private @Nullable Stamp heldStamp;

    /** The time from which the entries are looked at: what has expired by then is passed over like a tombstone. */
    private final long asOfMillis;

    /** A run in which nothing has expired. */
    public LeafRun() {
        this(Long.MIN_VALUE);
    }

    /** @param asOfMillis a record is hidden if its expiry is not after this, in milliseconds since 1970 */
    public LeafRun(long asOfMillis) {
        this.asOfMillis = asOfMillis;
    }

    /** Positions the run on one entry of any kind; it has no others. */
    public void look(PageImage leaf, int at) {
        begin(leaf, java.util.Objects.checkIndex(at, leaf.count()), at + 1, 1);
        flags = isHidden(leaf, at) ? PageFormat.TOMBSTONE : leaf.flags(at);
        next();
    }

    /**
     * Positions the run on one live record.
     *
     * @param stamp of one that was read from a leaf; null for one that is in none
     */
    public void hold(Bytes key, Bytes payload, boolean reference, long expiryMillis, @Nullable Stamp stamp) {
        page = null;
        heldKey = key;
        heldPayload = payload;
        heldExpiryMillis = expiryMillis;
        heldStamp = stamp;
        flags = reference ? PageFormat.REFERENCE : PageFormat.PUT;
        ascending = true;
        index = 0;
        last = 1;
    }

    /**
     * Takes the first live entries from {@code from} on, up to the next tombstone or expired record. A reference to a
     * payload gets a run of its own.
     *
     * @param stop the end (exclusive): above {@code from} to the right, below it to the left
     * @return the start of the next run. The run may be empty if this is {@code stop}
     */
    public int fill(PageImage leaf, int from, int stop) {
        int towards = from < stop ? 1 : -1;
        int live = from;
        int behind = stop;
        if (!leaf.isPlain()) {
            while (live != stop && isHidden(leaf, live)) {
                live += towards;
            }
            boolean reference = live != stop && leaf.isReference(live);
            behind = reference ? live + towards : behind(leaf, live, stop, towards);
        }
        begin(leaf, live, behind, towards);
        flags = live == behind ? PageFormat.PUT : leaf.flags(live);
        return behind;
    }

    /** The first entry that is hidden or has other flags, or {@code stop}. */
    private int behind(PageImage leaf, int from, int stop, int towards) {
        int at = from;
        while (at != stop && leaf.flags(at) == leaf.flags(from) && !isHidden(leaf, at)) {
            at += towards;
        }
        return at;
    }

    private boolean isHidden(PageImage leaf, int at) {
        byte kind = leaf.flags(at);
        boolean expires = (kind & PageFormat.EXPIRES) != 0;
        return expires ? leaf.expiryMillis(at) <= asOfMillis : kind == PageFormat.TOMBSTONE;
    }

    /** Positions the run before {@code first}; it is empty if that is {@code behind}. */
    private void begin(PageImage leaf, int first, int behind, int towards) {
        page = leaf.requireLeaf();
        whole = leaf.hasWholeKeys();
        ascending = towards > 0;
        index = first - towards;
        last = behind - towards;
        if (first != behind) {
            start = ascending ? leaf.entryAt(first) : leaf.entryEnd(first);
            end = start;
        }
    }

    /** The number of entries remaining. */
    public int left() {
        return ascending ? last - index : index - last;
    }

    /** Moves to the next entry, initially the first; false when there is none. */
    public boolean next() {
        if (index == last) {
            return false;
        }
        if (ascending) {
            index++;
            enterRight();
        } else {
            index--;
            enterLeft();
        }
        return true;
    }

    // The two are apart, so that one direction costs the other nothing. The fewer instructions a record takes, the more
    // of the records ahead does the processor fetch meanwhile.

    private void enterRight() {
        PageImage leaf = page;
        if (leaf != null) {
            start = end; // an entry begins where the one to its left ends
            end = leaf.entryEnd(index);
        }
    }

    private void enterLeft() {
        PageImage leaf = page;
        if (leaf != null) {
            end = start;
            start = leaf.entryAt(index);
        }
    }

    /** Whether the entries are tombstones, or have expired. */
    public boolean isTombstone() {
        return flags == PageFormat.TOMBSTONE;
    }

    /** Whether the payload is a reference to an overflow object. */
    public boolean isReference() {
        return (flags & PageFormat.REFERENCE) != 0;
    }

    private int suffixLength(byte[] array) {
        int first = array[start + 1];
        return first >= 0 ? first : (int) PageFormat.varint(array, start + 1);
    }

    /**
     * Returns the place of a suffix, by the number's first byte and not by the length it stands for: another writer may
     * spend more bytes than needed.
     */
    private int suffixAt(byte[] array) {
        return array[start + 1] >= 0 ? start + 2 : PageFormat.behindVarint(array, start + 1);
    }

    /** The key: a slice of the page if the page stores it whole, otherwise an array of its own. */
    public Bytes key() {
        PageImage leaf = page;
        if (leaf == null) {
            return heldKey();
        }
        byte[] array = leaf.array;
        int length = suffixLength(array);
        int suffix = suffixAt(array);
        return whole ? Bytes.wrapTrusted(array, suffix, length) : Bytes.wrap(leaf.key(suffix, length));
    }

    /** The key of the last entry of the run, or the current one when none is left. */
    public Bytes lastKey() {
        return page == null ? heldKey() : page.key(last);
    }

    /** The payload, as a slice of the page; of use for what is live. */
    public Bytes payload() {
        PageImage leaf = page;
        if (leaf == null) {
            return heldPayload;
        }
        byte[] array = leaf.array;
        int stamp = suffixAt(array) + suffixLength(array);
        // Reads time and client together.
        int payload = (PageFormat.u16(array, stamp) & MORE_OF_TWO) == 0
                ? stamp + 2
                : PageFormat.behindVarint(array, PageFormat.behindVarint(array, stamp));
        payload = (flags & PageFormat.EXPIRES) == 0 ? payload : PageFormat.behindVarint(array, payload);
        return Bytes.wrapTrusted(array, payload, end - payload);
    }

    /** The newest time of all entries of the leaf, including those of other runs and tombstones. */
    public long newestTime() {
        return page().newestTime();
    }

    /** The time of the current entry's stamp, as in {@link Stamp#time()}. */
    public long time() {
        return page().time(index);
    }

    /** The current entry's expiry. */
    public long expiryMillis() {
        return page == null ? heldExpiryMillis : page.expiryMillis(index);
    }

    /** The soonest expiry of the entries remaining, {@link Expiry#NEVER} for most. */
    public long soonestExpiryMillis() {
        PageImage leaf = page;
        if (leaf == null) {
            return heldExpiryMillis;
        }
        long soonest = Expiry.NEVER;
        if ((flags & PageFormat.EXPIRES) != 0) {
            int towards = ascending ? 1 : -1;
            for (int at = index; at != last; at += towards) {
                soonest = Math.min(soonest, leaf.expiryMillis(at + towards));
            }
        }
        return soonest;
    }

    /** The current entry's stamp; null for a record that is in no leaf. */
    public @Nullable Stamp stamp() {
        return page == null ? heldStamp : page.stamp(index);
    }

    /** Whether {@code stamp} is newer than the current entry's. */
    public boolean isOlderThan(Stamp stamp) {
        return page().isNewer(stamp, index);
    }

    private Bytes heldKey() {
        if (heldKey == null) {
            throw new IllegalStateException("no record");
        }
        return heldKey;
    }

    private PageImage page() {
        if (page == null) {
            throw new IllegalStateException("no entry of a leaf");
        }
        return page;
    }
}
