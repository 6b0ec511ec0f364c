package io.penstock;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.PageId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.page.InnerEntries;
import io.penstock.core.page.LeafEntries;
import io.penstock.core.page.LedgerPages;
import io.penstock.core.page.NodeEntries;
import io.penstock.core.page.Origin;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import io.penstock.testing.MemoryObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A tree of a few pages, each sound by itself, drawn from bytes. Most edges lead a level down, so that operations come
 * far before they meet what cannot be.
 */
final class DrawnTree {
    static final TreeId TREE = new TreeId(0x7ee);
    static final String PREFIX = "drawn/";

    /** Keys are the empty one and so many letters. */
    static final int KEYS = 12;

    private static final int PAGES_MAX = 9;
    private static final int HEIGHT_MAX = 3;

    private final byte[] bytes;
    private final int[] levels;
    private int next;

    DrawnTree(byte[] bytes) {
        this.bytes = bytes;
        this.levels = new int[1 + draw(PAGES_MAX)];
        for (int i = levels.length - 1; i >= 0; i--) {
            levels[i] = i == 0 ? draw(HEIGHT_MAX) : draw(2) * draw(HEIGHT_MAX);
        }
    }

    static Bytes key(int index) {
        return index == 0 ? Bytes.EMPTY : Bytes.utf8(String.valueOf((char) ('a' + index - 1)));
    }

    /** The numbers of all pages, and of one that is missing. */
    static List<Long> numbers() {
        return LongStream.rangeClosed(1, PAGES_MAX + 1).boxed().toList();
    }

    private int draw(int bound) {
        int drawn = next < bytes.length ? bytes[next] & 0xff : 0;
        next++;
        return drawn % bound;
    }

    private boolean oneOf(int number) {
        return draw(number) == number - 1;
    }

    MemoryObjectStore store() {
        MemoryObjectStore store = new MemoryObjectStore();
        for (int i = 0; i < levels.length; i++) {
            PageImage page = page(i + 1, levels[i]);
            String name = PREFIX + "pages/" + TREE.hex() + "/" + page.id().hex();
            if (!oneOf(12)) {
                store.put(name, page.bytes(), WriteCondition.ALWAYS);
            }
        }
        return store;
    }

    private PageImage page(long number, int level) {
        PageHeader header = header(number, level);
        if (level > 0) {
            return encode(children(header), header);
        }
        if (oneOf(6)) {
            return encode(records(header), header.retired(key(draw(KEYS))));
        }
        if (oneOf(20)) {
            return LedgerPages.encode(
                    PageHeader.of(header.id(), PageKind.LEDGER, 0, header.version(), number), Bytes.utf8("ledger"));
        }
        return encode(records(header), header);
    }

    private static PageImage encode(NodeEntries entries, PageHeader header) {
        return entries.layout(header, 0, entries.count()).encode();
    }

    private PageHeader header(long number, int level) {
        boolean isLast = number == PageId.ROOT ? !oneOf(12) : oneOf(3);
        long right = isLast ? PageId.NONE : pageOf(level);
        Bytes high = isLast ? null : key(1 + draw(KEYS));
        Origin origin = oneOf(2) ? new Origin(1 + draw(levels.length), draw(4)) : Origin.NONE;
        PageHeader header = new PageHeader(
                new PageId(TREE, number),
                level == 0 ? PageKind.LEAF : PageKind.INNER,
                level,
                1 + draw(5),
                number,
                right,
                high,
                origin,
                0,
                Bytes.EMPTY);
        return oneOf(6) && level == 0 ? header.outdating(headerOf(1 + draw(levels.length)), draw(100)) : header;
    }

    private static PageHeader headerOf(long number) {
        return PageHeader.of(new PageId(TREE, number), PageKind.LEAF, 0, 3, 1);
    }

    /** The number of a page of this level, or sometimes of any. */
    private long pageOf(int level) {
        int first = draw(levels.length);
        for (int i = 0; i < levels.length && !oneOf(20); i++) {
            int at = (first + i) % levels.length;
            if (levels[at] == level) {
                return at + 1;
            }
        }
        return 1 + draw(PAGES_MAX + 1);
    }

    private NodeEntries records(PageHeader header) {
        LeafEntries.Builder entries = LeafEntries.builder(null);
        for (int key : keys(header.highKey())) {
            Stamp stamp = new Stamp(1 + draw(200), new ClientId(1 + draw(3)));
            if (oneOf(4)) {
                entries.tombstone(key(key), stamp);
            } else {
                entries.put(key(key), Bytes.wrap(new byte[draw(200)]), stamp);
            }
        }
        return entries.build();
    }

    private NodeEntries children(PageHeader header) {
        List<InnerEntries.Entry> entries = new ArrayList<>();
        for (int key : keys(header.highKey())) {
            entries.add(new InnerEntries.Entry(key(key), pageOf(header.level() - 1)));
        }
        if (entries.isEmpty()) {
            entries.add(new InnerEntries.Entry(Bytes.EMPTY, pageOf(header.level() - 1)));
        }
        return InnerEntries.of(entries);
    }

    /** Some keys below a bound, in order; usually the empty one is among them. */
    private List<Integer> keys(@Nullable Bytes high) {
        List<Integer> keys = new ArrayList<>();
        int step = 1 + draw(5);
        for (int key = oneOf(4) ? 1 : 0; key <= KEYS && isBelow(key, high); key += 1 + draw(step)) {
            keys.add(key);
        }
        return keys;
    }

    private static boolean isBelow(int key, @Nullable Bytes high) {
        return high == null || key(key).compareTo(high) < 0;
    }
}
