package io.penstock.btree;

import io.penstock.core.Bytes;
import io.penstock.core.overflow.OverflowReference;
import io.penstock.core.page.InnerEntries;
import io.penstock.core.page.NodeEntries;
import io.penstock.core.page.PageImage;
import io.penstock.core.record.ChangeApplier;
import io.penstock.core.record.RecordChange;
import java.util.List;

/** A change to the nodes of a level: items sorted by key, and the way they are merged into a node. Pure. */
interface NodeEdit<T> {
    int level();

    Bytes keyOf(T item);

    Merged merge(PageImage node, List<T> items);

    /**
     * Whether a pooled image that lacks the items is refreshed before it is written, because it may be outdated: that
     * costs a tenth of a write that conflicts.
     */
    boolean isDoubtful();

    /** The items to report for {@code node}: changes of records on a leaf with an index epoch, otherwise none. */
    default List<ApplyResult.Marked> marked(PageImage node, List<T> items) {
        return List.of();
    }

    /** The changes of records among the items: all on leaves, otherwise none. */
    default List<RecordChange> changesOf(List<T> items) {
        return List.of();
    }

    /**
     * The new content of a node, to be written only if an item was applied.
     *
     * @param unreferenced references that no page names any more once it is written
     */
    record Merged(NodeEntries entries, int applied, int superseded, List<OverflowReference> unreferenced) {}

    /**
     * Changes of records, on leaves.
     *
     * @param timely called with each leaf that was read, before it is replaced: throws when the changes are too old by
     *     then to be distinguished from redeliveries
     */
    record Records(long purgeBeforeMillis, Runnable timely) implements NodeEdit<RecordChange> {
        @Override
        public int level() {
            return 0;
        }

        @Override
        public Bytes keyOf(RecordChange change) {
            return change.key();
        }

        @Override
        public Merged merge(PageImage node, List<RecordChange> changes) {
            timely.run();
            ChangeApplier.Applied applied = ChangeApplier.apply(node, changes, purgeBeforeMillis);
            return new Merged(applied.entries(), applied.applied(), applied.superseded(), applied.unreferenced());
        }

        @Override
        public List<ApplyResult.Marked> marked(PageImage node, List<RecordChange> changes) {
            long epoch = node.header().indexEpoch();
            return epoch == 0 ? List.of() : List.of(new ApplyResult.Marked(epoch, List.copyOf(changes)));
        }

        @Override
        public List<RecordChange> changesOf(List<RecordChange> changes) {
            return changes;
        }

        @Override
        public boolean isDoubtful() {
            return false;
        }
    }

    /** Retired children that their parents must drop; a node without any of them is written again too. */
    record Unlinks(int level) implements NodeEdit<InnerEntries.Entry> {
        @Override
        public Bytes keyOf(InnerEntries.Entry link) {
            return link.separator();
        }

        /** A first child stays, because its separator is the lower bound of the node. */
        @Override
        public Merged merge(PageImage node, List<InnerEntries.Entry> links) {
            List<InnerEntries.Entry> rest = InnerEntries.read(node);
            rest.subList(1, rest.size()).removeAll(links);
            return new Merged(InnerEntries.of(rest), links.size(), 0, List.of());
        }

        @Override
        public boolean isDoubtful() {
            return true;
        }
    }

    /** Children that their parents must learn: just split off, or found through their left siblings. */
    record Links(int level) implements NodeEdit<InnerEntries.Entry> {
        @Override
        public Bytes keyOf(InnerEntries.Entry link) {
            return link.separator();
        }

        @Override
        public Merged merge(PageImage node, List<InnerEntries.Entry> links) {
            InnerEntries merged = InnerEntries.merge(node, links);
            return new Merged(merged, merged.count() - node.count(), 0, List.of());
        }

        @Override
        public boolean isDoubtful() {
            return true;
        }
    }
}
