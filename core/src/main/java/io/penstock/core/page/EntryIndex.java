package io.penstock.core.page;

/**
 * An index in memory over the entries of one page, beside its bytes. Code that goes through the entries anyway, to
 * check or to write them, builds it on the way. Immutable.
 *
 * <p>Of each key it has the head, that is its first bytes after the prefix. A straight line from the first head to the
 * last estimates the place of a head, and {@code error} bounds the error of that: a search looks at no other entries.
 * The line is exact for numbers in a row, and wrong by few entries for hashes and random keys; where most keys are
 * close together it is of no use, and does no harm. After Kraska, Beutel, Chi, Dean, Polyzotis, "The Case for Learned
 * Index Structures" (SIGMOD 2018).
 */
final class EntryIndex {
    static final EntryIndex NONE = new EntryIndex(new int[0], Long.MIN_VALUE, false);

    /**
     * The distance, in entries, between those that are examined to find the {@link #error}: to examine all takes a
     * tenth of a page's check.
     */
    private static final int STEP = 8;

    /** The heads of all keys, in order; in one array, so that a search touches few cache lines. */
    final int[] heads;

    /** The newest time of all entries of a leaf, as in {@code Stamp.time}; the lowest number for any other page. */
    final long newestTime;

    /** Whether this is a leaf without tombstones, references and records that expire. */
    final boolean isPlain;

    private final double first;

    /** Entries for each step from one head to the next possible one. */
    private final double slope;

    /** The most entries that {@link #guess} is wrong for one of these heads. */
    private final int error;

    /**
     * @param heads the heads of the keys, by {@link PageFormat#head}, in the order of the keys; not changed afterwards
     */
    EntryIndex(int[] heads, long newestTime, boolean isPlain) {
        this.heads = heads;
        this.newestTime = newestTime;
        this.isPlain = isPlain;
        int last = heads.length - 1;
        first = last < 0 ? 0 : heads[0];
        double span = last < 0 ? 0 : heads[last] - first;
        slope = span == 0 ? 0 : last / span;
        error = farthest();
    }

    /**
     * Returns the greatest error of a guess: between two examined entries, guesses are wrong by no more than at these,
     * and the step.
     */
    private int farthest() {
        int farthest = 0;
        for (int i = 0; i < heads.length; i += STEP) {
            farthest = Math.max(farthest, Math.abs(guess(heads[i]) - i));
        }
        return farthest + STEP;
    }

    /**
     * Returns the approximate place of a head. A higher head has no lower guess, so guesses serve for heads that are
     * not here too.
     */
    int guess(int head) {
        return Math.clamp((long) ((head - first) * slope), -1, heads.length);
    }

    /** The first entry that can have a head of this {@link #guess}: those before it have lower ones. */
    int low(int guess) {
        return Math.max(0, guess - error);
    }

    /** Returns the last entry that can have a head of this {@link #guess}: entries after it have higher ones. */
    int high(int guess) {
        return Math.min(heads.length - 1, guess + error);
    }

    long heapBytes() {
        return (long) heads.length * Integer.BYTES;
    }
}
