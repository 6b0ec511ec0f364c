package io.penstock.btree;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.page.InnerEntries;
import io.penstock.core.page.Origin;
import io.penstock.core.page.PageImage;
import io.penstock.core.pool.PageFrame;
import io.penstock.core.pool.PageManager;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A check of a whole tree, level by level, that lists every violation. Reads every page from the store, past the pool.
 * While writers work it may report changes that are only half done; run it when they rest. For one thread.
 */
public final class TreeCheck {
    /** Violations that are told; a tree with more is past telling. */
    private static final int VIOLATIONS_MAX = 10_000;

    private final PageManager pages;
    private final TreeId tree;
    private final List<Violation> violations = new ArrayList<>();
    private final List<Violation> notes = new ArrayList<>();
    private final List<TreeReport.Level> levels = new ArrayList<>();

    /** Every page met so far, by number: for finding cycles and the origins of pages. */
    private final Map<Long, Visit> visited = new LinkedHashMap<>();

    private final Consumer<PageImage> visitor;

    private record Visit(long version, Origin origin) {}

    private TreeCheck(PageManager pages, TreeId tree, Consumer<PageImage> visitor) {
        this.pages = pages;
        this.tree = tree;
        this.visitor = visitor;
    }

    /** Checks the tree; an unreadable page is a violation, an unavailable store an exception. */
    public static TreeReport run(PageManager pages, TreeId tree) {
        return run(pages, tree, page -> {});
    }

    /** As {@link #run(PageManager, TreeId)}, and shows {@code visitor} each page that is part of the tree. */
    public static TreeReport run(PageManager pages, TreeId tree, Consumer<PageImage> visitor) {
        return new TreeCheck(pages, tree, visitor).check();
    }

    private TreeReport check() {
        if (pages.read(PageId.root(tree)).isEmpty()) {
            checkNeverFounded();
        } else {
            List<InnerEntries.Entry> children = List.of(new InnerEntries.Entry(Bytes.EMPTY, PageId.ROOT));
            int level = -1;
            while (!children.isEmpty()) {
                LevelWalk walk = new LevelWalk(children, level);
                walk.run();
                children = walk.below;
                level = walk.level - 1;
            }
            checkOrigins();
        }
        return new TreeReport(violations, notes, levels.reversed());
    }

    /** A tree without a root page is empty, and sound, unless its pages prove that there was one. */
    private void checkNeverFounded() {
        if (new MissingRoot(pages, tree).wasThere()
                && pages.read(PageId.root(tree)).isEmpty()) {
            report(PageId.root(tree), "a tree that has pages has a root", "missing; restore it");
        }
    }

    private void checkOrigins() {
        visited.forEach((number, visit) -> {
            Origin origin = visit.origin;
            if (origin.page() == PageId.NONE) {
                return;
            }
            PageId id = new PageId(tree, number);
            Visit from = visited.get(origin.page());
            if (from == null) {
                return; // it was retired, and may be gone
            }
            if (from.version <= origin.version()) {
                report(
                        id,
                        "the origin has moved past the version of the split",
                        "origin version " + from.version + ", split at " + origin.version());
            } else if (visit.version < origin.version()) {
                report(id, "a page inherits the version it was split from", "version " + visit.version);
            }
        });
    }

    private void report(PageId page, String rule, String detail) {
        if (violations.size() < VIOLATIONS_MAX) {
            violations.add(new Violation(page, rule, detail));
        }
    }

    private void note(Violation seen) {
        if (notes.size() < VIOLATIONS_MAX) {
            notes.add(seen);
        }
    }

    /** The walk along one level, by sibling links, compared with the entries of the level above. */
    private final class LevelWalk {
        /** The entries of the level above, in order. */
        private final List<InnerEntries.Entry> named;

        private final Map<Long, Integer> positions = new LinkedHashMap<>();
        private final List<InnerEntries.Entry> below = new ArrayList<>();

        /** Negative: any level, as the root says. */
        private int level;

        private int nextNamed;
        private long pageCount;
        private long entryCount;
        private long tombstones;
        private long bytes;

        LevelWalk(List<InnerEntries.Entry> named, int level) {
            this.named = named;
            this.level = level;
            for (int i = 0; i < named.size(); i++) {
                if (positions.putIfAbsent(named.get(i).child(), i) != null) {
                    report(id(named.get(i).child()), "a child has one parent entry", "named twice");
                }
            }
        }

        void run() {
            // A broken chain resumes at the next page that the level above names.
            while (nextNamed < named.size()) {
                InnerEntries.Entry start = named.get(nextNamed);
                int after = nextNamed + 1;
                walkChain(start.child(), start.separator());
                nextNamed = Math.max(nextNamed, after); // also when this child is one that was met before
            }
            levels.add(new TreeReport.Level(level, pageCount, entryCount, tombstones, bytes));
        }

        private void walkChain(long start, Bytes startLow) {
            long number = start;
            Bytes low = startLow;
            while (number != PageId.NONE) {
                comparePosition(number, low);
                PageImage page = visit(number);
                if (page == null) {
                    return;
                }
                checkRange(page, low);
                count(page);
                Bytes high = page.header().highKey();
                number = page.header().right();
                low = high == null ? low : high;
            }
            skipRetired(PageId.NONE);
            if (nextNamed < named.size()) {
                report(
                        id(named.get(nextNamed).child()),
                        "the sibling chain has every child of the level above",
                        "the chain ends before it");
            }
        }

        private void comparePosition(long number, Bytes low) {
            Integer position = positions.get(number);
            if (position == null) {
                note(new Violation(id(number), "a parent knows its child", "no entry yet"));
                return;
            }
            skipRetired(number);
            if (position != nextNamed) {
                report(id(number), "siblings have the order of their parents' entries", "out of order");
            }
            if (!named.get(position).separator().equals(low)) {
                report(id(number), "the parent's separator is the child's lower bound", "they differ");
            }
            nextNamed = Math.max(nextNamed, position + 1);
        }

        /** Skips leaves that were taken over: they are no longer in the chain, though a parent may still name them. */
        private void skipRetired(long number) {
            while (nextNamed < named.size() && named.get(nextNamed).child() != number) {
                long child = named.get(nextNamed).child();
                Optional<PageFrame> page = readable(child);
                if (page.isEmpty() || !page.get().image().isRetired()) {
                    return;
                }
                note(new Violation(id(child), "a parent names pages in use", "it is retired"));
                nextNamed++;
            }
        }

        private Optional<PageFrame> readable(long number) {
            try {
                return pages.read(id(number));
            } catch (CorruptDataException damaged) {
                return Optional.empty();
            }
        }

        private @Nullable PageImage visit(long number) {
            PageId id = id(number);
            if (visited.containsKey(number)) {
                report(id, "a page is reached once", "cycle or second parent");
                return null;
            }
            Optional<PageFrame> read;
            try {
                read = pages.read(id);
            } catch (CorruptDataException e) {
                report(id, "a page is readable", String.valueOf(e.getMessage()));
                return null;
            }
            if (read.isEmpty()) {
                report(id, "a page that is named exists", "missing");
                return null;
            }
            PageImage page = read.get().image();
            visited.put(number, new Visit(page.version(), page.header().origin()));
            if (page.isRetired()) {
                note(new Violation(id, "a retired page is taken over", "not yet"));
            }
            return checkLevel(page) ? page : null;
        }

        private boolean checkLevel(PageImage page) {
            if (level < 0) {
                level = page.level();
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

        private void checkRange(PageImage page, Bytes low) {
            Bytes high = page.header().highKey();
            if (high != null && high.compareTo(low) <= 0) {
                report(page.id(), "the high key is above the lower bound", "not above");
            }
            if (page.isLeaf()) {
                if (page.count() > 0 && page.key(0).compareTo(low) < 0) {
                    report(page.id(), "keys are not below the lower bound", "the first key is");
                }
            } else if (!page.key(0).equals(low)) {
                report(page.id(), "the first separator is the lower bound", "they differ");
            }
        }

        private void count(PageImage page) {
            visitor.accept(page);
            pageCount++;
            entryCount += page.count();
            bytes += page.bytes().length();
            for (int i = 0; i < page.count(); i++) {
                if (page.isLeaf()) {
                    tombstones += page.isTombstone(i) ? 1 : 0;
                } else {
                    below.add(new InnerEntries.Entry(page.key(i), page.child(i)));
                }
            }
        }

        private PageId id(long number) {
            return new PageId(tree, number);
        }
    }
}
