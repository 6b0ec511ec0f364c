package io.penstock.btree;

/**
 * Decides how many leaves a scan asks for before it needs them: numbers alone, no pages.
 *
 * <p>It begins when the scan is through with its first leaf, for most scans end there, and grows with each leaf that
 * is used: at first fast, until as many are asked for as may be under way; then as long as no more is ahead than was
 * used. Beyond what is under way it needs that room because answers come in any order: those that came wait for the
 * slowest one before them, and must not keep others from being asked for. A scan that is said to go to its end begins
 * with as many as may be under way. Not thread-safe.
 */
final class ReadaheadWindow {
    /** Leaves asked for when the scan needs its second one, and how much more with each that it uses. */
    private static final int GROWTH = 4;

    /** How many times as many leaves as may be under way may be asked for and not used yet. */
    private static final int AHEAD_SHARE = 4;

    /**
     * What is fetched ahead must still be pooled when its turn comes: it takes no more of the pool than pages that
     * nobody has used yet are left there when room is short.
     */
    private static final int POOL_SHARE = 10;

    private final int underWayMax;
    private final long bytesMax;

    private int width;
    private long used;
    private long usedRecords;
    private long leafBytes;
    private long recordsMax = Long.MAX_VALUE;

    /** Whether a leaf was gone before it was used: from then on the width grows slowly. */
    private boolean lost;

    private int usedSinceGrowth;

    /**
     * @param underWayMax how many pages may be asked for at a time
     * @param leafBytes what a leaf may be thought to take before there was one
     * @param poolBytes the room of the pool that holds the leaves until they are used
     */
    ReadaheadWindow(int underWayMax, long leafBytes, long poolBytes) {
        this.underWayMax = underWayMax;
        this.leafBytes = leafBytes;
        this.bytesMax = poolBytes / POOL_SHARE;
    }

    /** The scan is through with a leaf. */
    void use(long bytes, int records) {
        leafBytes = used == 0 ? bytes : Math.max(leafBytes, bytes);
        used++;
        usedRecords += records;
        if (lost) {
            grow();
        } else {
            // Who said how much it needs is taken at its word.
            long fast = isLimited() ? underWayMax : Math.min(underWayMax, Math.max(1L, width) * GROWTH);
            width = (int) Math.max(fast, Math.min((long) underWayMax * AHEAD_SHARE, used));
        }
    }

    /** By one leaf each time that as many as it is wide were used. */
    private void grow() {
        if (++usedSinceGrowth >= width) {
            width = Math.min(underWayMax * AHEAD_SHARE, width + 1);
            usedSinceGrowth = 0;
        }
    }

    /** A leaf that was fetched ahead had left the pool before it was used, or was too old: there are too many. */
    void lose() {
        lost = true;
        usedSinceGrowth = 0;
        width = Math.max(1, width / 2);
    }

    /** The scan will end with so many records, or before. */
    void expect(long records) {
        recordsMax = records;
    }

    /** The scan will go to its end. */
    void expectAll() {
        width = Math.max(width, underWayMax);
    }

    /** How many leaves may be asked for and not used yet. */
    int ahead() {
        long room = bytesMax / Math.max(1, leafBytes);
        return (int) Math.min(room, Math.min(width, leavesExpected()));
    }

    /** How many leaves the records that are still expected fill, if they are like those that were used. */
    private long leavesExpected() {
        return isLimited()
                ? (long) Math.ceil((double) (recordsMax - usedRecords) * used / usedRecords)
                : Long.MAX_VALUE;
    }

    /** Whether it is known where the scan ends; not so where most of what it uses are tombstones. */
    private boolean isLimited() {
        return recordsMax != Long.MAX_VALUE && usedRecords > 0 && usedRecords < recordsMax;
    }

    /**
     * How many pages may be asked for now.
     *
     * @param underWay asked for, and not come yet
     * @param ahead leaves asked for, and not used yet
     */
    int more(int underWay, int ahead) {
        return Math.max(0, Math.min(underWayMax - underWay, ahead() - ahead));
    }
}
