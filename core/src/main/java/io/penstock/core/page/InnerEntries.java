package io.penstock.core.page;

import io.penstock.core.Bytes;
import java.util.ArrayList;
import java.util.List;

/** The entries of inner pages: for each child the lower bound of its keys (empty: -infinity) and its page number. */
public final class InnerEntries implements NodeEntries {
    private final List<Entry> entries;
    private final boolean ascending;

    /**
     * One child.
     *
     * @param separator the lower bound of the child's keys; fixed as long as the child lives
     * @param child the page number
     */
    public record Entry(Bytes separator, long child) {}

    private InnerEntries(List<Entry> entries, boolean ascending) {
        this.entries = List.copyOf(entries);
        this.ascending = ascending;
    }

    /** Entries sorted by separator. */
    public static InnerEntries of(List<Entry> entries) {
        return new InnerEntries(entries, true);
    }

    /** The entries of a page. */
    public static List<Entry> read(PageImage page) {
        List<Entry> entries = new ArrayList<>(page.count());
        for (int i = 0; i < page.count(); i++) {
            entries.add(new Entry(page.key(i), page.child(i)));
        }
        return entries;
    }

    /**
     * The page's entries merged with {@code added} (sorted). A separator that exists already keeps its child, because
     * the page that begins at a key never changes.
     */
    public static InnerEntries merge(PageImage page, List<Entry> added) {
        List<Entry> old = read(page);
        List<Entry> merged = new ArrayList<>(old.size() + added.size());
        int next = 0;
        for (Entry entry : added) {
            while (next < old.size() && old.get(next).separator.compareTo(entry.separator) < 0) {
                merged.add(old.get(next++));
            }
            boolean there = next < old.size() && old.get(next).separator.equals(entry.separator);
            boolean repeated = !merged.isEmpty() && merged.getLast().separator.equals(entry.separator);
            if (!there && !repeated) {
                merged.add(entry);
            }
        }
        boolean ascending = next == old.size();
        merged.addAll(old.subList(next, old.size()));
        return new InnerEntries(merged, ascending);
    }

    @Override
    public int count() {
        return entries.size();
    }

    @Override
    public Bytes key(int index) {
        return entries.get(index).separator;
    }

    @Override
    public int weight(int index) {
        return key(index).length() + PageFormat.CHILD_BYTES + Integer.BYTES;
    }

    @Override
    public boolean isAscending() {
        return ascending;
    }

    @Override
    public Bytes separator(int index) {
        return key(index);
    }

    @Override
    public PageLayout layout(PageHeader header, int from, int to) {
        return new Layout(header, entries.subList(from, to));
    }

    private static final class Layout implements PageLayout {
        private final PageHeader header;
        private final List<Entry> entries;
        private final int prefixLength;
        private final int slotWidth;
        private final long bodyBytes;

        Layout(PageHeader header, List<Entry> entries) {
            this.header = header;
            this.entries = entries;
            this.prefixLength = entries.getFirst().separator.sharedPrefix(entries.getLast().separator);
            long heap = 0;
            for (Entry entry : entries) {
                heap += PageFormat.CHILD_BYTES + entry.separator.length() - prefixLength;
            }
            this.slotWidth = PageFormat.slotWidth(heap);
            this.bodyBytes = prefixLength + (long) slotWidth * entries.size() + heap;
        }

        private Layout(PageHeader header, Layout same) {
            this.header = header;
            this.entries = same.entries;
            this.prefixLength = same.prefixLength;
            this.slotWidth = same.slotWidth;
            this.bodyBytes = same.bodyBytes;
        }

        @Override
        public long bytes() {
            return header.bytes() + bodyBytes;
        }

        @Override
        public PageLayout under(PageHeader next) {
            return new Layout(next, this);
        }

        @Override
        public PageImage encode() {
            PageComposer page = new PageComposer(header, bytes());
            int[] heads = new int[entries.size()];
            page.setBody(entries.size(), prefixLength, slotWidth);
            entries.getFirst().separator.slice(0, prefixLength).copyTo(page.array, page.prefixAt);
            int slotsAt = page.prefixAt + prefixLength;
            int heapAt = slotsAt + slotWidth * entries.size();
            int next = heapAt;
            for (int i = 0; i < entries.size(); i++) {
                Entry entry = entries.get(i);
                PageFormat.putSlot(page.array, slotsAt, slotWidth, i, next - heapAt);
                PageFormat.putI64(page.array, next, entry.child);
                next += PageFormat.CHILD_BYTES;
                Bytes suffix = entry.separator.slice(prefixLength, entry.separator.length());
                suffix.copyTo(page.array, next);
                heads[i] = PageFormat.head(page.array, next, suffix.length());
                next += suffix.length();
            }
            return page.seal(new EntryIndex(heads, Long.MIN_VALUE, false));
        }
    }
}
