package io.penstock.btree;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.page.InnerEntries;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import io.penstock.core.pool.PageFrame;
import io.penstock.core.pool.PageManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The search for a page from the root down, after Lehman and Yao, "Efficient Locking for Concurrent Operations on
 * B-Trees" (TODS 1981).
 *
 * <p>It goes down by separators, and to the right whenever the key is not below a page's high key. Nothing is locked,
 * and any pooled page on the way may be outdated. That is safe because a split only moves keys to the right: a page's
 * lower bound never changes, and its upper bound only falls. An outdated image therefore leads to the right page or to
 * one left of it, and the links to right siblings lead on. Age costs steps, never a wrong answer. A page that was
 * reached over a sibling link, not from its parent, is noted as a {@link MissedLink}, so that a writer can complete the
 * parent.
 *
 * <p>A merge of leaves is the exception: it moves keys to the left, and Lehman and Yao have none. A retired page's keys
 * belong to its left sibling from the moment that this sibling no longer links to it. So a search that arrives at a
 * retired page has three ways on. It starts again with fresh pages. It accepts the page if its fresh left sibling still
 * links to it. Or, if a parent still names it, it finds the page to the left of it and continues there.
 *
 * <p>Age cannot explain a missing page or a wrong level. The search then repeats with fresh pages a few times; after
 * that the data is corrupt. Safe for use by many threads.
 */
record Descent(PageManager pages, TreeId tree) {
    private static final Logger LOG = LoggerFactory.getLogger(Descent.class);

    /** The first attempt uses pooled pages, the others refresh every page on the way. */
    private static final int ATTEMPTS_MAX = 4;

    /**
     * The maximum number of steps to the right. High keys grow with every step, so there is no cycle; but a longer
     * chain is damage.
     */
    private static final int STEPS_RIGHT_MAX = 1 << 20;

    /** The maximum number of retired leaves in a row that wait to be taken over; a longer row is damage. */
    private static final int RETIRED_MAX = 64;

    /**
     * A page that a descent reached through its left sibling instead of its parent, which may lack it.
     *
     * @param level the page's level
     * @param entry the entry that the parent should have
     */
    record MissedLink(int level, InnerEntries.Entry entry) {}

    /**
     * A page and the way it was found.
     *
     * @param low the lower bound of its keys; empty: -infinity
     * @param missed pages on the way that were reached over a sibling link
     */
    record Found(PageFrame page, Bytes low, List<MissedLink> missed) {}

    /**
     * The part of a tree that damage hides.
     *
     * @param page the highest page that cannot be reached or read
     * @param high the upper bound of the keys below it; null: +infinity
     */
    record Hidden(PageId page, @Nullable Bytes high) {}

    /** The target on each level: the page that covers a key, or the one below a bound. */
    private record Goal(@Nullable Bytes key, boolean before) {
        boolean isRightOf(PageImage page) {
            Bytes high = page.header().highKey();
            if (high == null) {
                return false;
            }
            if (key == null) {
                return true;
            }
            int order = key.compareTo(high);
            return before ? order > 0 : order >= 0;
        }

        int childOf(PageImage page) {
            return before || key == null ? page.childBefore(key) : page.childFor(key);
        }
    }

    /** The page of {@code level} that covers {@code key}; empty when the tree is empty or lower than that. */
    Optional<Found> to(Bytes key, int level) {
        return find(new Goal(key, false), level);
    }

    /**
     * The leaf that covers {@code key}, if all pages on the way are pooled, young and lead straight down; otherwise
     * null, which means nothing. The usual case of a read: it creates no object.
     */
    @Nullable
    PageImage pooledLeaf(Bytes key) {
        long now = pages.nanoTime();
        PageImage page = pages.pooled(PageId.root(tree), now);
        int depth = 1;
        while (page != null && page.isBelowHighKey(key)) {
            int level = page.level();
            if (level == 0) {
                pages.countPooled(depth);
                return page.isLeaf() && !page.isRetired() ? page : null;
            }
            page = pages.pooled(new PageId(tree, page.child(page.childFor(key))), now);
            if (page != null && page.level() != level - 1) {
                return null;
            }
            depth++;
        }
        return null;
    }

    /** The leaf with the largest keys below {@code bound} (null: the last leaf); empty when the tree is empty. */
    Optional<Found> before(@Nullable Bytes bound) {
        return before(bound, 0);
    }

    /** The page of {@code level} with the largest keys below {@code bound}. */
    Optional<Found> before(@Nullable Bytes bound, int level) {
        return find(new Goal(bound, true), level);
    }

    /**
     * The leaf to the left of the one with the lower bound {@code low}, by fresh pages; or the leaf that covers {@code
     * low} by now.
     */
    Optional<Found> leftOf(Bytes low) {
        return find(new Goal(low, true), 0, true);
    }

    /** The part around {@code key} that is hidden by damage on the way to its page of {@code level}. */
    Hidden hidden(Bytes key, int level) {
        for (int above = level + 1; above <= heightSeen(); above++) {
            try {
                Optional<Found> parent = to(key, above);
                if (parent.isPresent()) {
                    PageImage page = parent.get().page().image();
                    return new Hidden(new PageId(tree, page.child(page.childFor(key))), upperBound(page, key));
                }
            } catch (CorruptDataException damaged) {
                LOG.debug("a page above a damaged one cannot be read either why={}", damaged.getMessage());
            }
        }
        return new Hidden(PageId.root(tree), null);
    }

    /** The level of the root; 0 when it cannot be read. */
    private int heightSeen() {
        try {
            return pages.get(PageId.root(tree))
                    .map(root -> root.image().level())
                    .orElse(0);
        } catch (CorruptDataException damaged) {
            return 0;
        }
    }

    /** The upper bound of the child of {@code parent} that covers {@code key}; null: +infinity. */
    static @Nullable Bytes upperBound(PageImage parent, Bytes key) {
        int child = parent.childFor(key);
        return child + 1 < parent.count()
                ? parent.key(child + 1)
                : parent.header().highKey();
    }

    /** Whether there is a level above {@code level}, as far as the pool knows. */
    boolean isPooledRootAbove(int level) {
        return pages.get(PageId.root(tree))
                .map(root -> root.image().level() > level)
                .orElse(false);
    }

    private Optional<Found> find(Goal goal, int level) {
        return find(goal, level, false);
    }

    private Optional<Found> find(Goal goal, int level, boolean fresh) {
        for (int attempt = 1; ; attempt++) {
            try {
                return new Walk(goal, level, fresh || attempt > 1, 0).run();
            } catch (BrokenWay broken) {
                if (attempt >= ATTEMPTS_MAX) {
                    throw new CorruptDataException(
                            ErrorCode.PAGE_DAMAGED,
                            "the pages of a tree do not fit together; run verify",
                            "key",
                            pages.objectKey(broken.page),
                            "check",
                            broken.check,
                            "expected",
                            broken.expected,
                            "found",
                            broken.found);
                }
            }
        }
    }

    /** One attempt. */
    private final class Walk {
        private final Goal goal;
        private final int level;
        private final boolean fresh;

        /** Retired leaves that this search passes on its way to the left. */
        private final int passed;

        private final List<MissedLink> missed = new ArrayList<>();
        private Bytes low = Bytes.EMPTY;

        Walk(Goal goal, int level, boolean fresh, int passed) {
            this.goal = goal;
            this.level = level;
            this.fresh = fresh;
            this.passed = passed;
        }

        Optional<Found> run() {
            Optional<PageFrame> root = load(PageId.ROOT);
            if (root.isPresent() && root.get().image().level() < level && !fresh) {
                // A pooled root may be older than the tree's last growth.
                root = pages.refresh(PageId.root(tree));
            }
            if (root.isEmpty() || root.get().image().level() < level) {
                return Optional.empty();
            }
            requireRoot(root.get().image());
            PageFrame frame = moveRight(root.get());
            while (frame.image().level() > level) {
                frame = moveRight(child(frame.image()));
            }
            if (goal.key() != null && goal.before() && !goal.key().isEmpty() && low.compareTo(goal.key()) >= 0) {
                throw new BrokenWay(frame.image().id(), "lower bound", "below the one searched for", "not below");
            }
            return Optional.of(new Found(frame, low, missed));
        }

        /** Fails if the root is no tree page: it would look like an empty tree otherwise. */
        private void requireRoot(PageImage root) {
            PageHeader header = root.header();
            boolean isNode = header.kind() == PageKind.LEAF || header.kind() == PageKind.INNER;
            if (!isNode || header.right() != PageId.NONE) {
                throw new BrokenWay(root.id(), "root", "a leaf or an inner page, alone on its level", header.kind());
            }
        }

        private PageFrame child(PageImage parent) {
            int index = goal.childOf(parent);
            Bytes separator = parent.key(index);
            if (separator.compareTo(low) > 0) {
                low = separator;
            }
            PageFrame child = require(parent.child(index), parent.level() - 1);
            return child.image().isRetired() ? leftOf(child.image()) : child;
        }

        /**
         * The page with the largest keys below those of a retired one: it has taken these over, or links to that page.
         */
        private PageFrame leftOf(PageImage retired) {
            Bytes bound = retired.header().retiredLow();
            boolean falls = goal.key() == null || bound.compareTo(goal.key()) < (goal.before() ? 0 : 1);
            if (bound.isEmpty() || !falls || passed == RETIRED_MAX) {
                throw new BrokenWay(retired.id(), "retired page", "right of another", "not");
            }
            Found left = new Walk(new Goal(bound, true), level, true, passed + 1)
                    .run()
                    .orElseThrow(() -> new BrokenWay(retired.id(), "retired page", "right of another", "alone"));
            low = left.low;
            return left.page;
        }

        private PageFrame moveRight(PageFrame start) {
            PageFrame frame = start;
            for (int steps = 0; goal.isRightOf(frame.image()); steps++) {
                PageImage left = frame.image();
                Bytes high = left.header().highKey();
                frame = require(left.header().right(), left.level());
                Bytes nextHigh = frame.image().header().highKey();
                if (high == null || steps == STEPS_RIGHT_MAX || (nextHigh != null && nextHigh.compareTo(high) <= 0)) {
                    throw new BrokenWay(frame.image().id(), "high key", "above the left sibling's", "not above");
                }
                if (!frame.image().isRetired()) {
                    missed.add(new MissedLink(
                            left.level(),
                            new InnerEntries.Entry(high, left.header().right())));
                }
                low = high;
            }
            return frame;
        }

        private PageFrame require(long number, int level) {
            PageId id = new PageId(tree, number);
            Optional<PageFrame> found = load(number);
            if (found.isEmpty()) {
                throw new BrokenWay(id, "page", "present", "missing");
            }
            PageImage image = found.get().image();
            if (image.level() != level || image.isLeaf() != (level == 0)) {
                throw new BrokenWay(id, "level", level, image.level());
            }
            if (image.isRetired() && !fresh) {
                throw new BrokenWay(id, "page", "in use", "retired");
            }
            return found.get();
        }

        private Optional<PageFrame> load(long number) {
            PageId id = new PageId(tree, number);
            return fresh ? pages.refresh(id) : pages.get(id);
        }
    }

    /** Pages that do not fit together, possibly only because some are outdated. Never leaves this class. */
    private static final class BrokenWay extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient PageId page;
        private final String check;
        private final transient Object expected;
        private final transient Object found;

        BrokenWay(PageId page, String check, Object expected, Object found) {
            super(check, null, false, false);
            this.page = page;
            this.check = check;
            this.expected = expected;
            this.found = found;
        }
    }
}
