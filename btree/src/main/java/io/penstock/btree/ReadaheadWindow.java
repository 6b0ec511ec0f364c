package io.penstock.btree;

/**
 * The number of leaves that a scan requests before it needs them. Works on counts alone, without pages.
 *
 * <p>The window opens when the scan finishes its first leaf, since most scans end there. It grows with each leaf used:
 * fast until it has the allowed number of requests under way, then while no more leaves are ahead than were used. It
 * needs that extra room because answers arrive in any order: those that have arrived wait for the slowest one before
 * them, and must not hold up further requests. For a scan that announced that it reads to its end, the window opens at
 * the allowed number at once. Not thread-safe.
 */
final class ReadaheadWindow {
    /** The leaves requested when the scan needs its second one, and the growth with each one used. */
    private static final int GROWTH = 4;

    /** The most leaves ahead, as a multiple of the requests under way. */
    private static final int AHEAD_SHARE = 4;

    /**
     * A fetched leaf must still be pooled when its turn comes, so readahead uses no more of the pool than its share for
     * unread pages.
     */
    private static final int POOL_SHARE = 10;

    private final int underWayMax;
    private final long bytesMax;

    private int width;
    private long used;
    private long usedRecords;
    private long leafBytes;
    private long recordsMax = Long.MAX_VALUE;

    /** Whether a leaf was evicted before its use: from then on the window grows slowly. */
    private boolean lost;

    private int usedSinceGrowth;

    /**
     * @param underWayMax the most requests at a time
     * @param leafBytes the assumed size of a leaf before the first one
     * @param poolBytes the room of the pool that holds the leaves until they are used
     */
    ReadaheadWindow(int underWayMax, long leafBytes, long poolBytes) {
        this.underWayMax = underWayMax;
        this.leafBytes = leafBytes;
        this.bytesMax = poolBytes / POOL_SHARE;
    }

    /** Notes that the scan has finished a leaf. */
    void use(long bytes, int records) {
        leafBytes = used == 0 ? bytes : Math.max(leafBytes, bytes);
        used++;
        usedRecords += records;
        if (lost) {
            grow();
        } else {
            // A scan that announced how much it needs is taken at its word.
            long fast = isLimited() ? underWayMax : Math.min(underWayMax, Math.max(1L, width) * GROWTH);
            width = (int) Math.max(fast, Math.min((long) underWayMax * AHEAD_SHARE, used));
        }
    }

    /** Grows by one leaf each time that as many leaves were used as the window is wide. */
    private void grow() {
        if (++usedSinceGrowth >= width) {
            width = Math.min(underWayMax * AHEAD_SHARE, width + 1);
            usedSinceGrowth = 0;
        }
    }

    /** Notes that a fetched leaf was evicted or too old before its use: the window is too wide. */
    void lose() {
        lost = true;
        usedSinceGrowth = 0;
        width = Math.max(1, width / 2);
    }

    /** Notes that the scan will read at most {@code records} records. */
    void expect(long records) {
        recordsMax = records;
    }

    /** Notes that the scan will read to the end of its range. */
    void expectAll() {
        width = Math.max(width, underWayMax);
    }

    /** The most leaves that may be requested and unused. */
    int ahead() {
        long room = bytesMax / Math.max(1, leafBytes);
        return (int) Math.min(room, Math.min(width, leavesExpected()));
    }

    /** The number of leaves for the records still expected, if they are like those used so far. */
    private long leavesExpected() {
        return isLimited()
                ? (long) Math.ceil((double) (recordsMax - usedRecords) * used / usedRecords)
                : Long.MAX_VALUE;
    }

    /** Whether the scan's end is known; not if most of its entries are tombstones. */
    private boolean isLimited() {
        return recordsMax != Long.MAX_VALUE && usedRecords > 0 && usedRecords < recordsMax;
    }

    /**
     * The number of pages that may be requested now.
     *
     * @param underWay requested and not arrived
     * @param ahead leaves requested and not used
     */
    int more(int underWay, int ahead) {
        return Math.max(0, Math.min(underWayMax - underWay, ahead() - ahead));
    }
}
