package io.penstock.report;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The findings of a garbage collection.
 *
 * @param objects looked at: pages, and objects that pages name
 * @param orphans to which nothing refers and that are old enough
 * @param bytes of these
 * @param deleted the number of them that were removed; none in a dry run
 * @param queues of collections and indexes that were dropped an hour ago or more; removed, unless in a dry run
 * @param kept those to which nothing seems to refer and that stay nevertheless, by the reason
 */
public record GcReport(long objects, long orphans, long bytes, long deleted, long queues, Map<Reason, Long> kept) {
    public static final GcReport NONE = new GcReport(0, 0, 0, 0, 0, Map.of());

    /** The reason for which an object stays. */
    public enum Reason {
        /** The object is younger than the grace age; it was not looked at. */
        YOUNG,
        /** No collection has the object's tree: the catalog may be wrong. */
        UNKNOWN_TREE,
        /** The page was not made by a split, so that its maker is unknown. */
        NO_ORIGIN,
        /** The object is damaged. */
        UNREADABLE,
        /** Others kept changing the page that it comes from; the next collection tries again. */
        CONTESTED,
        /** The object has come into use meanwhile. */
        REFERRED,
        /** The root of its tree is lost: what is left of the tree can still be saved. */
        ROOT_LOST,
        /**
         * The page was part of its tree, and a page that led to it was set back: restore the newest version of that
         * one.
         */
        SET_BACK,
        /**
         * The object's key is not one that a client of this store would give, such as that of a server's temporary
         * file.
         */
        FOREIGN
    }

    public GcReport {
        // In the order of the reasons.
        EnumMap<Reason, Long> ordered = new EnumMap<>(Reason.class);
        ordered.putAll(kept);
        kept = Collections.unmodifiableMap(ordered);
    }

    /** The sum of two reports. */
    public GcReport plus(GcReport other) {
        Map<Reason, Long> sum = new EnumMap<>(Reason.class);
        sum.putAll(kept);
        other.kept.forEach((reason, count) -> sum.merge(reason, count, Long::sum));
        return new GcReport(
                objects + other.objects,
                orphans + other.orphans,
                bytes + other.bytes,
                deleted + other.deleted,
                queues + other.queues,
                sum);
    }
}
