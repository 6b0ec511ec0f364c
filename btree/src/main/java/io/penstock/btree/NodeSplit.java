package io.penstock.btree;

import io.penstock.core.page.NodeEntries;
import java.util.ArrayList;
import java.util.List;

/** Decides where an over-full node is cut. Pure. */
final class NodeSplit {
    /** The fill of the left page when all new keys come after the existing ones. */
    private static final int ASCENDING_FILL_PERCENT = 90;

    /** The highest fill in all other cases: it leaves each page room for the next inserts. */
    private static final int EVEN_FILL_PERCENT = 75;

    private NodeSplit() {}

    /**
     * Cuts entries into ranges of at most about {@code bytesTarget} each, at least one entry and at least two ranges.
     *
     * @param headBytes the bytes of every page before its entries
     * @param wholeBytes the exact size of one page with all of them
     * @return the start of each range except the first
     */
    static List<Integer> cuts(NodeEntries entries, int bytesTarget, int headBytes, long wholeBytes) {
        long total = 0;
        for (int i = 0; i < entries.count(); i++) {
            total += entries.weight(i);
        }
        // Weights are upper bounds; the exact size of the whole gives their average excess.
        double weightPerByte = (double) total / Math.max(1, wholeBytes - headBytes);
        long room = Math.max(1, (long) ((bytesTarget - Math.min(headBytes, bytesTarget / 2)) * weightPerByte));
        long share;
        if (entries.isAscending()) {
            share = room * ASCENDING_FILL_PERCENT / 100;
        } else {
            long parts = Math.max(2, Math.ceilDiv(total, Math.max(1, room * EVEN_FILL_PERCENT / 100)));
            share = Math.ceilDiv(total, parts);
        }
        return fill(entries, share, room);
    }

    /**
     * Fills ranges until each holds {@code share}, going over it by less than half an entry, and never over {@code
     * room}.
     */
    private static List<Integer> fill(NodeEntries entries, long share, long room) {
        List<Integer> cuts = new ArrayList<>();
        long filled = 0;
        for (int i = 0; i < entries.count(); i++) {
            int weight = entries.weight(i);
            boolean isFull = filled + weight / 2 > share || filled + weight > room;
            if (isFull && filled > 0) {
                cuts.add(i);
                filled = 0;
            }
            filled += weight;
        }
        if (cuts.isEmpty()) {
            cuts.add(entries.count() - 1);
        }
        return cuts;
    }
}
