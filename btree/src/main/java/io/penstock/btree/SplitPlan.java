package io.penstock.btree;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import io.penstock.core.page.InnerEntries;
import io.penstock.core.page.LeafEntries;
import io.penstock.core.page.NodeEntries;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The pages of one write of a node: a split if the content has outgrown its page, otherwise the node alone.
 *
 * <p>A split moves the upper part of a node to new pages, and never moves the node itself: its number, and with it its
 * lower bound, stay. So a reader with an outdated parent still arrives at the node, and follows its link to the right
 * (Lehman and Yao, TODS 1981). Nothing refers to the {@code fresh} pages until {@code last} is written; that one put
 * makes the whole split visible. A crash before it leaves garbage, and a crash after it leaves a correct tree whose
 * parent lacks {@code promoted}, which any later writer adds.
 *
 * <p>The root keeps its number too. When it splits, all its entries move to new children, and the root becomes their
 * parent; a large batch may need several levels at once.
 *
 * <p>Every new page names the node as its {@link io.penstock.core.page.Origin}, with the version it was split from.
 * Garbage collection decides by it whether the split can still take effect.
 *
 * @param fresh new pages, from left to right, lower levels first
 * @param last the node itself
 * @param promoted entries for the parent; none when nothing was split or the node is the root
 */
record SplitPlan(List<PageImage> fresh, PageImage last, List<InnerEntries.Entry> promoted) {
    /** The room, in bytes, in a planned page for the length field of its high key, and for rounding. */
    private static final int MARGIN_BYTES = 16;

    boolean isSplit() {
        return !fresh.isEmpty();
    }

    /** Makes plans with one setting, clock reading and source of random numbers. Pure except for the numbers drawn. */
    static final class Planner {
        private final TreeSettings settings;
        private final LongSupplier numbers;
        private final long nowMillis;
        private final List<PageImage> fresh = new ArrayList<>();

        Planner(TreeSettings settings, LongSupplier numbers, long nowMillis) {
            this.settings = settings;
            this.numbers = numbers;
            this.nowMillis = nowMillis;
        }

        /** The plan that makes {@code entries} the content of the node {@code current}. */
        SplitPlan plan(PageHeader current, NodeEntries entries) {
            PageLayout whole = entries.layout(current, 0, entries.count());
            if (fits(current, entries, whole)) {
                return new SplitPlan(List.of(), whole.under(next(current)).encode(), List.of());
            }
            return current.id().isRoot() ? growRoot(current, entries, whole) : splitRight(current, entries, whole);
        }

        /** The plan that replaces a leaf's right sibling, which is retired, by a fresh copy. */
        SplitPlan renew(PageImage left, PageImage retired) {
            PageHeader outdating = left.header().outdating(retired.header(), nowMillis);
            long number = numbers.getAsLong();
            PageHeader copy = outdating
                    .splitOff(number, numbers.getAsLong(), nowMillis)
                    .withRight(retired.header().right(), retired.header().highKey())
                    .withIndexEpoch(retired.header().indexEpoch());
            Bytes low = retired.header().retiredLow();
            NodeEntries moved = LeafEntries.builder(null).copyAll(retired).build();
            NodeEntries same = LeafEntries.builder(left).keepAll().build();
            return new SplitPlan(
                    List.of(encode(copy, moved, 0, moved.count())),
                    encode(next(outdating).withRight(number, low), same, 0, same.count()),
                    List.of(new InnerEntries.Entry(low, number)));
        }

        private boolean fits(PageHeader header, NodeEntries entries, PageLayout whole) {
            return entries.count() < 2 || whole.bytes() <= settings.bytesTarget(header.level());
        }

        private PageHeader next(PageHeader header) {
            return header.next(numbers.getAsLong(), nowMillis);
        }

        private static PageImage encode(PageHeader header, NodeEntries entries, int from, int to) {
            return entries.layout(header, from, to).encode();
        }

        private SplitPlan splitRight(PageHeader current, NodeEntries entries, PageLayout whole) {
            List<Part> parts = parts(current, entries, whole);
            List<InnerEntries.Entry> promoted = new ArrayList<>();
            for (Part part : parts.subList(1, parts.size())) {
                promoted.add(new InnerEntries.Entry(entries.separator(part.from), numbers.getAsLong()));
            }
            writeChain(current, parts.subList(1, parts.size()), promoted);
            InnerEntries.Entry first = promoted.getFirst();
            PageHeader left = next(current).withRight(first.child(), first.separator());
            return new SplitPlan(fresh, parts.getFirst().layout.under(left).encode(), promoted);
        }

        /** Moves all entries of the root to new children, in as many levels as needed for one page to name them. */
        private SplitPlan growRoot(PageHeader root, NodeEntries entries, PageLayout whole) {
            PageHeader node = root;
            NodeEntries content = entries;
            PageLayout layout = whole;
            while (!fits(node, content, layout)) {
                List<Part> parts = parts(node, content, layout);
                List<InnerEntries.Entry> children = new ArrayList<>();
                for (Part part : parts) {
                    Bytes separator = part.from == 0 ? Bytes.EMPTY : content.separator(part.from);
                    children.add(new InnerEntries.Entry(separator, numbers.getAsLong()));
                }
                writeChain(node, parts, children);
                content = InnerEntries.of(children);
                node = root.asInner(node.level() + 1);
                layout = content.layout(node, 0, content.count());
            }
            return new SplitPlan(fresh, layout.under(next(node)).encode(), List.of());
        }

        /**
         * Writes one new page for each of {@code pages}, each linked to the next, and the last to the right sibling of
         * {@code origin}.
         */
        private void writeChain(PageHeader origin, List<Part> parts, List<InnerEntries.Entry> pages) {
            for (int i = 0; i < pages.size(); i++) {
                boolean isLast = i + 1 == pages.size();
                PageHeader header = origin.splitOff(pages.get(i).child(), numbers.getAsLong(), nowMillis);
                if (!isLast) {
                    InnerEntries.Entry following = pages.get(i + 1);
                    header = header.withRight(following.child(), following.separator());
                }
                fresh.add(parts.get(i).layout.under(header).encode());
            }
        }

        private List<Part> parts(PageHeader header, NodeEntries entries, PageLayout whole) {
            List<Integer> cuts =
                    NodeSplit.cuts(entries, settings.bytesTarget(header.level()), header.bytes(), whole.bytes());
            PageHeader unbounded = header.withRight(PageId.NONE, null);
            List<Part> exact = new ArrayList<>();
            int from = 0;
            for (int cut : cuts) {
                halve(unbounded, entries, from, cut, exact);
                from = cut;
            }
            halve(unbounded, entries, from, entries.count(), exact);
            return exact;
        }

        /** Adds a range in as many parts as needed for none to exceed the largest page. */
        private void halve(PageHeader header, NodeEntries entries, int from, int to, List<Part> parts) {
            PageLayout layout = entries.layout(header, from, to);
            long bytes = layout.bytes() + settings.keyBytesMax() + MARGIN_BYTES;
            if (to - from < 2 || bytes <= settings.pageBytesMax()) {
                parts.add(new Part(from, layout));
                return;
            }
            int middle = (from + to) >>> 1;
            halve(header, entries, from, middle, parts);
            halve(header, entries, middle, to, parts);
        }
    }

    /** A range of entries that gets a page of its own: its first entry, and its layout, which needs a header only. */
    private record Part(int from, PageLayout layout) {}
}
