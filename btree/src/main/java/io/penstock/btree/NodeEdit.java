package io.penstock.btree;

import io.penstock.core.Bytes;
import io.penstock.core.page.InnerEntries;
import io.penstock.core.page.NodeEntries;
import io.penstock.core.page.PageImage;
import io.penstock.core.record.ChangeApplier;
import io.penstock.core.record.RecordChange;
import java.util.List;

/** What is to be done to the nodes of a level: items sorted by key, and how they are merged into a node. Pure. */
interface NodeEdit<T> {
    int level();

    Bytes keyOf(T item);

    Merged merge(PageImage node, List<T> items);

    /**
     * Whether a pooled image that lacks the items is to be looked at again before it is written, as it may just be old:
     * a question costs a tenth of a write that conflicts.
     */
    boolean isDoubtful();

    /**
     * What to tell of items that met {@code node}: nothing, but for changes of records on a leaf with an index epoch.
     */
    default List<MarkedChanges> marked(PageImage node, List<T> items) {
        return List.of();
    }

    /**
     * The new content of a node, to be written only if an item was applied.
     *
     * @param unreferenced references that no page will name any more when that is done
     */
    record Merged(NodeEntries entries, int applied, int superseded, List<Bytes> unreferenced) {}

    /** Changes of records, on leaves. */
    record Records(long purgeBeforeMillis) implements NodeEdit<RecordChange> {
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
            ChangeApplier.Applied applied = ChangeApplier.apply(node, changes, purgeBeforeMillis);
            return new Merged(applied.entries(), applied.applied(), applied.superseded(), applied.unreferenced());
        }

        @Override
        public List<MarkedChanges> marked(PageImage node, List<RecordChange> changes) {
            long epoch = node.header().indexEpoch();
            return epoch == 0 ? List.of() : List.of(new MarkedChanges(epoch, List.copyOf(changes)));
        }

        @Override
        public boolean isDoubtful() {
            return false;
        }
    }

    /** Children that their parents must forget, retired pages; a node is written again also if it has none of them. */
    record Unlinks(int level) implements NodeEdit<InnerEntries.Entry> {
        @Override
        public Bytes keyOf(InnerEntries.Entry link) {
            return link.separator();
        }

        /** A first child stays, as its separator is the lower bound of the node. */
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

    /** Children that their parents must learn of: split off just now, or found through their left siblings. */
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
