package io.penstock.btree;

import io.penstock.btree.TreeReport.Violation;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.memory.ExternalSort;
import io.penstock.core.memory.Workspace;
import io.penstock.core.page.InnerEntries;
import io.penstock.core.page.Origin;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageImage;
import io.penstock.core.pool.PageFrame;
import io.penstock.core.pool.PageManager;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A check of a whole tree that lists every violation. Reads every page from the store, past the pool. While writers
 * work it may report changes that are only half done; run it when they rest. For one thread.
 */
public final class TreeCheck extends LevelWalk {
    /** The maximum number of violations reported; the rest is left out. */
    private static final int VIOLATIONS_MAX = 10_000;

    private final Consumer<PageImage> visitor;
    private final OriginCheck origins;
    private final List<Violation> violations = new ArrayList<>();
    private final List<Violation> notes = new ArrayList<>();

    /** The levels of the tree, from the root down. */
    private final List<Lenient> levels = new ArrayList<>();

    private TreeCheck(PageManager pages, TreeId tree, Workspace room, Consumer<PageImage> visitor) {
        super(pages, tree, room.part(2));
        this.visitor = visitor;
        this.origins = new OriginCheck(room.part(2));
    }

    /** Checks the tree; an unreadable page is a violation, an unavailable store an exception. */
    public static TreeReport run(PageManager pages, TreeId tree, Workspace room) {
        return run(pages, tree, room, page -> {});
    }

    /**
     * Checks the tree as {@link #run(PageManager, TreeId, Workspace)} does, and shows {@code visitor} each of its
     * pages.
     */
    public static TreeReport run(PageManager pages, TreeId tree, Workspace room, Consumer<PageImage> visitor) {
        TreeCheck check = new TreeCheck(pages, tree, room, visitor);
        try (check.origins) {
            return check.check();
        }
    }

    private TreeReport check() {
        if (pages.read(PageId.root(tree)).isEmpty()) {
            checkNeverFounded();
        } else {
            Lenient root = new Lenient(null);
            root.expect(new InnerEntries.Entry(Bytes.EMPTY, PageId.ROOT));
            walk(root);
            origins.run((page, rule, detail) -> report(new PageId(tree, page), rule, detail));
        }
        List<TreeReport.Level> counts =
                levels.reversed().stream().map(level -> level.counted).toList();
        return new TreeReport(violations, notes, counts);
    }

    @Override
    Level below(Level above, InnerEntries.Entry first) {
        return new Lenient(above);
    }

    /** A tree without a root page is empty, and sound, unless its pages prove that there was one. */
    private void checkNeverFounded() {
        if (new RootLossCheck(pages, tree).wasThere()
                && pages.read(PageId.root(tree)).isEmpty()) {
            report(PageId.root(tree), "a tree that has pages has a root", "missing; restore it");
        }
    }

    private void report(PageId page, String rule, String detail) {
        if (violations.size() < VIOLATIONS_MAX) {
            violations.add(new Violation(page, rule, detail));
        }
    }

    private void note(PageId page, String rule, String detail) {
        if (notes.size() < VIOLATIONS_MAX) {
            notes.add(new Violation(page, rule, detail));
        }
    }

    private PageId id(long number) {
        return new PageId(tree, number);
    }

    /**
     * The walk along one level, by sibling links, compared with the entries of the level above. It ends, whatever the
     * pages say: each step goes further to the right, or uses up an entry of the level above.
     */
    private final class Lenient extends Level {
        /** The entries of the level above that are not passed yet, in order, as far as they were read. */
        private final ArrayDeque<InnerEntries.Entry> named = new ArrayDeque<>();

        private boolean chainEnded;
        private TreeReport.Level counted;

        Lenient(@Nullable Level above) {
            super(above);
            counted = new TreeReport.Level(Math.max(0, level), 0, 0, 0, 0);
            levels.add(this);
        }

        @Override
        void expect(InnerEntries.Entry entry) {
            named.add(entry);
            super.expect(entry);
        }

        @Override
        void pass() {
            boolean expected = comparePosition(next, low);
            PageImage page = visit(next, low);
            next = PageId.NONE;
            if (page != null) {
                checkLow(page);
                count(page);
                goOn(page, expected);
            }
        }

        private InnerEntries.@Nullable Entry first() {
            while (named.isEmpty() && above != null && above.step()) {
                // one page more of the parents
            }
            return named.peek();
        }

        /** Begins the chain, or goes on after a break at the next page that the level above names. */
        @Override
        boolean resume() {
            if (chainEnded) {
                skipRetired();
                InnerEntries.Entry missed = first();
                if (missed != null) {
                    report(
                            id(missed.child()),
                            "the sibling chain has every child of the level above",
                            "the chain ends before it");
                }
                chainEnded = false;
            }
            InnerEntries.Entry start = first();
            while (start != null && start.separator().compareTo(low) < 0) {
                named.remove();
                start = first();
            }
            if (start == null) {
                return false;
            }
            next = start.child();
            low = start.separator();
            return true;
        }

        /** Skips leaves that were taken over: they are no longer in the chain, though a parent may still name them. */
        private void skipRetired() {
            for (InnerEntries.Entry entry = first(); entry != null && isRetired(entry.child()); entry = first()) {
                note(id(entry.child()), "a parent names pages in use", "it is retired");
                named.remove();
            }
        }

        private boolean isRetired(long number) {
            try {
                return pages.read(id(number))
                        .filter(page -> page.image().isRetired())
                        .isPresent();
            } catch (CorruptDataException damaged) {
                return false;
            }
        }

        /** Returns whether the level above names this page at this place. */
        private boolean comparePosition(long number, Bytes bound) {
            InnerEntries.Entry entry = first();
            while (entry != null && entry.child() != number && entry.separator().compareTo(bound) <= 0) {
                if (isRetired(entry.child())) {
                    note(id(entry.child()), "a parent names pages in use", "it is retired");
                } else {
                    report(
                            id(entry.child()),
                            "siblings have the order of their parents' entries",
                            "the chain passes it by");
                }
                named.remove();
                entry = first();
            }
            if (entry == null || entry.child() != number) {
                note(id(number), "a parent knows its child", "no entry yet");
                return false;
            }
            if (!entry.separator().equals(bound)) {
                report(id(number), "the parent's separator is the child's lower bound", "they differ");
            }
            named.remove();
            return true;
        }

        private @Nullable PageImage visit(long number, Bytes bound) {
            PageId id = id(number);
            Optional<PageFrame> read;
            try {
                read = reads.read(number, bound);
            } catch (CorruptDataException e) {
                report(id, "a page is readable", String.valueOf(e.getMessage()));
                return null;
            }
            if (read.isEmpty()) {
                report(id, "a page that is named exists", "missing");
                return null;
            }
            PageImage page = read.get().image();
            origins.add(page.header());
            if (page.isRetired()) {
                note(id, "a retired page is taken over", "not yet");
            }
            return checkLevel(page) ? page : null;
        }

        private boolean checkLevel(PageImage page) {
            if (above == null) {
                level = page.level();
                counted = new TreeReport.Level(level, 0, 0, 0, 0);
                if (page.header().right() != PageId.NONE) {
                    report(page.id(), "the root has no sibling", "it has one");
                }
            }
            if (page.level() != level || page.isLeaf() != (level == 0)) {
                report(page.id(), "a page is one level below its parent", "level " + page.level() + ", not " + level);
                return false;
            }
            return true;
        }

        private void checkLow(PageImage page) {
            if (page.isLeaf()) {
                if (page.count() > 0 && page.key(0).compareTo(low) < 0) {
                    report(page.id(), "keys are not below the lower bound", "the first key is");
                }
            } else if (!page.key(0).equals(low)) {
                report(page.id(), "the first separator is the lower bound", "they differ");
            }
        }

        /** Goes on to the right sibling, if that is further to the right. */
        private void goOn(PageImage page, boolean expected) {
            Bytes high = page.header().highKey();
            if (high == null) {
                chainEnded = true;
            } else if (high.compareTo(low) > 0) {
                next = page.header().right();
                low = high;
            } else if (expected) {
                report(page.id(), "the high key is above the lower bound", "not above");
            } else {
                report(page.id(), "a page is reached once", "the chain leads back to it");
            }
        }

        private void count(PageImage page) {
            visitor.accept(page);
            long tombstones = 0;
            for (int i = 0; i < page.count(); i++) {
                if (page.isLeaf()) {
                    tombstones += page.isTombstone(i) ? 1 : 0;
                } else {
                    name(new InnerEntries.Entry(page.key(i), page.child(i)));
                }
            }
            counted = new TreeReport.Level(
                    level,
                    counted.pages() + 1,
                    counted.entries() + page.count(),
                    counted.tombstones() + tombstones,
                    counted.bytes() + page.bytes().length());
        }
    }

    /**
     * A comparison of the pages of a tree with the pages that they were split from. Both are sorted by number, outside
     * of memory where they are many, and then met in one pass. For one thread; close it when done.
     */
    private static final class OriginCheck implements AutoCloseable {
        /** The versions of pages, by page number. */
        private final ExternalSort versions;

        /**
         * The splits, by the number of the origin and then of the page: the version of the split, and the page's own.
         */
        private final ExternalSort splits;

        /** A receiver of violations. */
        interface Reporter {
            void report(long page, String rule, String detail);
        }

        OriginCheck(Workspace room) {
            this.versions = room.part(2).sort();
            this.splits = room.part(2).sort();
        }

        void add(PageHeader page) {
            versions.add(longs(page.id().number()), longs(page.version()), false);
            Origin origin = page.origin();
            if (origin.page() != PageId.NONE) {
                splits.add(longs(origin.page(), page.id().number()), longs(origin.version(), page.version()), false);
            }
        }

        void run(Reporter reporter) {
            Iterator<ExternalSort.Item> origins = versions.sorted();
            ExternalSort.Item origin = null;
            for (Iterator<ExternalSort.Item> all = splits.sorted(); all.hasNext(); ) {
                ExternalSort.Item split = all.next();
                Bytes number = split.key().slice(0, Long.BYTES);
                while (isBefore(origin, number) && origins.hasNext()) {
                    origin = origins.next();
                }
                if (origin != null && origin.key().equals(number)) { // else it was retired, and may be gone
                    compare(reporter, split, at(origin.value(), 0));
                }
            }
        }

        private static boolean isBefore(ExternalSort.@Nullable Item item, Bytes number) {
            return item == null || item.key().compareTo(number) < 0;
        }

        private static void compare(Reporter reporter, ExternalSort.Item split, long originVersion) {
            long page = at(split.key(), 1);
            long splitAt = at(split.value(), 0);
            long version = at(split.value(), 1);
            if (originVersion <= splitAt) {
                reporter.report(
                        page,
                        "the origin has moved past the version of the split",
                        "origin version " + originVersion + ", split at " + splitAt);
            } else if (version < splitAt) {
                reporter.report(page, "a page inherits the version it was split from", "version " + version);
            }
        }

        private static Bytes longs(long... values) {
            ByteBuffer bytes = ByteBuffer.allocate(values.length * Long.BYTES);
            for (long value : values) {
                bytes.putLong(value);
            }
            return Bytes.wrap(bytes.array());
        }

        private static long at(Bytes bytes, int index) {
            return ByteBuffer.wrap(bytes.array(), bytes.offset(), bytes.length())
                    .getLong(index * Long.BYTES);
        }

        @Override
        public void close() {
            versions.close();
            splits.close();
        }
    }
}
