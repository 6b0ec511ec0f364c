package io.penstock.core.page;

/**
 * What is kept in memory about the entries of one page, beside its bytes. Whoever goes through the entries anyway, to
 * check or to write them, gathers it on the way. Immutable.
 */
final class EntryIndex {
    static final EntryIndex NONE = new EntryIndex(new int[0], Long.MIN_VALUE, false);

    /** The first bytes of each key after the prefix, side by side, so that a search touches few cache lines. */
    final int[] heads;

    /** The newest time of all entries of a leaf, as in {@code Stamp.time}; the lowest number for any other page. */
    final long newestTime;

    /** Whether this is a leaf without tombstones, references and records that expire. */
    final boolean isPlain;

    EntryIndex(int[] heads, long newestTime, boolean isPlain) {
        this.heads = heads;
        this.newestTime = newestTime;
        this.isPlain = isPlain;
    }
}
