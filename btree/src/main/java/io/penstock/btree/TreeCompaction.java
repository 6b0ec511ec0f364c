package io.penstock.btree;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.PageId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.memory.Workspace;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.page.InnerEntries;
import io.penstock.core.page.LeafEntries;
import io.penstock.core.page.PageImage;
import io.penstock.core.pool.PageFrame;
import io.penstock.core.pool.PageManager;
import io.penstock.core.record.ChangeApplier;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reclaims space: drops old tombstones and expired records from leaves, and merges nearly empty leaves with
 * their left siblings under the same parent. Brings pages to the size and compression that the settings ask for, if
 * these have changed.
 *
 * <p>A merge takes three puts. First the right leaf is <em>retired</em>: no writer changes it any more, but its entries
 * still count. Then its left sibling <em>takes over</em> its entries and keys with one put, and from then on alone
 * counts. Then the parent drops the retired leaf, which becomes garbage. If a client stops in between, any later writer
 * that meets the leaves completes the merge.
 *
 * <p>Safe to run beside readers, writers and other compactions. For one thread.
 */
public final class TreeCompaction {
    /** The number of leaves that are read at a time, if they are not large. */
    private static final int WIDTH = 8;

    /**
     * The maximum percentage of one leaf that two leaves may fill to be merged, which leaves room for later inserts.
     */
    public static final int JOINED_PERCENT_MAX = 50;

    /** The percentage of its target size at which a leaf is split here: headers may grow a little above the target. */
    private static final int LARGE_PERCENT_MIN = 110;

    /**
     * The rest of a leaf after a merge. Meanwhile it informs all pools that may still have the retired leaf; no pool
     * keeps pages for that long without asking.
     */
    private static final Duration REST = Duration.ofHours(1);

    /**
     * The time for which an expired record stays on its leaf. Much longer than the clocks of two clients may differ, so
     * that no reader misses it before its time.
     */
    public static final Duration EXPIRY_GRACE = Duration.ofHours(1);

    private final PageManager pages;
    private final TreeId tree;
    private final TreeSettings settings;
    private final Tasks tasks;
    private final int width;
    private final int joinedPercentMax;
    private final boolean reforms;
    private final Descent descent;
    private final NodeWriter nodes;
    private final TreeWriter writer;
    private long purged;
    private long rewritten;
    private long joined;
    private long reformed;

    /**
     * The counts of one run.
     *
     * @param purged tombstones that were dropped, and records that had expired
     * @param rewritten leaves that were written again without them
     * @param joined leaves that were merged into their left siblings
     * @param reformed leaves that were split, being too large, and pages that were stored with another compression
     */
    public record Result(long purged, long rewritten, long joined, long reformed) {}

    /**
     * The choices of a run.
     *
     * @param joinedPercentMax the fill of two leaves together up to which they are merged, in percent of one; usually
     *     {@link #JOINED_PERCENT_MAX}
     * @param reforms whether pages may be larger, or compressed otherwise, than the settings say; to find out costs a
     *     request for each
     */
    public record Choices(int joinedPercentMax, boolean reforms) {
        /** The choices where the settings have never changed. */
        public static final Choices USUAL = new Choices(JOINED_PERCENT_MAX, false);
    }

    public TreeCompaction(PageManager pages, TreeId tree, TreeSettings settings, Workspace room, Choices choices) {
        this.pages = pages;
        this.tree = tree;
        this.settings = settings;
        this.tasks = room.tasks();
        this.reforms = choices.reforms;
        this.width = (int) Math.clamp(room.bytes() / 2 / settings.pageBytesMax(), 1, WIDTH);
        this.joinedPercentMax = choices.joinedPercentMax;
        this.descent = new Descent(pages, tree);
        this.nodes = new NodeWriter(pages, settings, tasks);
        this.writer = new TreeWriter(pages, tree, settings, tasks);
    }

    /** A leaf and its lower bound, from its parent. */
    private record Leaf(PageFrame frame, Bytes low) {
        PageImage image() {
            return frame.image();
        }
    }

    /** Passes over all leaves once. Leaves that others change meanwhile are left to a later run. */
    public Result run() {
        Bytes low = Bytes.EMPTY;
        while (low != null) {
            Optional<Descent.Found> parent = descent.to(low, 1);
            if (parent.isEmpty()) {
                pages.refresh(PageId.root(tree))
                        .filter(root -> root.image().isLeaf())
                        .ifPresent(root -> tidy(new Leaf(root, Bytes.EMPTY)));
                break;
            }
            PageImage named = parent.get().page().image();
            compact(named, new ArrayList<>(parent.get().missed()));
            low = named.header().highKey();
        }
        if (reforms) {
            reformInnerPages();
        }
        return new Result(purged, rewritten, joined, reformed);
    }

    private void reformInnerPages() {
        for (int level = 1; ; level++) {
            Bytes low = Bytes.EMPTY;
            while (low != null) {
                Optional<Descent.Found> found = descent.to(low, level);
                if (found.isEmpty()) {
                    return; // above the root
                }
                PageImage inner = found.get().page().image();
                pages.refresh(inner.id()).ifPresent(this::reform);
                low = inner.header().highKey();
            }
        }
    }

    /** @param missed of the pages above */
    private void compact(PageImage parent, List<Descent.MissedLink> missed) {
        List<InnerEntries.Entry> children = InnerEntries.read(parent);
        List<InnerEntries.Entry> retired = new ArrayList<>();
        Leaf left = null;
        // A parent may name thousands of leaves: no more are held than are read at a time, and one.
        for (int from = 0; from < children.size(); from += width) {
            List<InnerEntries.Entry> some = children.subList(from, Math.min(from + width, children.size()));
            int at = from;
            for (Optional<Leaf> read : Parallel.map(tasks, width, some, this::read)) {
                at++;
                Bytes bound = at < children.size()
                        ? children.get(at).separator()
                        : parent.header().highKey();
                read.ifPresent(leaf -> missed.addAll(missedUntil(bound, leaf.image())));
                left = read.isPresent() ? next(left, read.get(), retired) : left;
            }
        }
        if (!retired.isEmpty()) {
            attempt(() -> writer.unlink(retired));
        }
        if (!missed.isEmpty()) {
            attempt(() -> writer.enter(missed));
        }
    }

    /** The leaves to the right of one, up to a key, which its parent does not name: their writer stopped too early. */
    private List<Descent.MissedLink> missedUntil(@Nullable Bytes bound, PageImage leaf) {
        List<Descent.MissedLink> missed = new ArrayList<>();
        Bytes low = Bytes.EMPTY;
        PageImage at = leaf;
        while (at != null && at.isLeaf() && !at.isRetired()) {
            Bytes high = at.header().highKey();
            if (high == null || !isBetween(low, high, bound)) {
                break;
            }
            long right = at.header().right();
            missed.add(new Descent.MissedLink(0, new InnerEntries.Entry(high, right)));
            at = pages.refresh(new PageId(tree, right)).map(PageFrame::image).orElse(null);
            low = high;
        }
        return missed;
    }

    /** Keys that do not rise are damage, which would lead round in a circle. */
    private static boolean isBetween(Bytes low, Bytes key, @Nullable Bytes bound) {
        return key.compareTo(low) > 0 && (bound == null || key.compareTo(bound) < 0);
    }

    /** Works on a leaf, and returns the one that the next may be merged into. */
    private @Nullable Leaf next(@Nullable Leaf left, Leaf leaf, List<InnerEntries.Entry> retired) {
        if (leaf.image().isRetired()) {
            finish(leaf, retired);
            return left;
        }
        Leaf tidied = tidy(leaf);
        boolean joined = left != null && join(left, tidied, retired);
        return joined ? null : tidied; // the one that took over must be read again, and rests
    }

    private Optional<Leaf> read(InnerEntries.Entry entry) {
        PageId id = new PageId(tree, entry.child());
        Optional<PageFrame> found = pages.refresh(id);
        if (found.isPresent() && !found.get().image().isLeaf()) {
            throw new CorruptDataException(
                    ErrorCode.PAGE_DAMAGED, "a page of level 1 names a page that is no leaf; run verify", "page", id);
        }
        return found.map(frame -> new Leaf(frame, entry.separator()));
    }

    /** Does all that needs no other leaf. */
    private Leaf tidy(Leaf leaf) {
        Leaf rest = purge(leaf);
        if (!reforms) {
            return rest;
        }
        boolean large = rest.image().bytes().length() * 100L > (long) settings.bytesTarget(0) * LARGE_PERCENT_MIN;
        if (large && rest.image().count() > 1) {
            return split(rest);
        }
        return reform(rest.frame) ? again(rest) : rest;
    }

    /** Splits a leaf that is larger than leaves are to be by now, and returns the part that keeps its number. */
    private Leaf split(Leaf leaf) {
        LeafEntries all = LeafEntries.builder(leaf.image()).keepAll().build();
        WriteCondition condition = WriteCondition.ifVersion(leaf.frame.version());
        List<Descent.MissedLink> parts = new ArrayList<>();
        boolean split = attempt(() -> nodes.write(leaf.image().header(), condition, all, WriteMode.CONDITIONAL)
                .promoted()
                .forEach(part -> parts.add(new Descent.MissedLink(0, part))));
        if (split) {
            reformed++;
            attempt(() -> writer.enter(parts));
        }
        return again(leaf);
    }

    /** Stores a page as the settings ask for, if it is not; returns whether it was written. */
    private boolean reform(PageFrame page) {
        boolean written = pages.isStoredOtherwise(page.image(), settings.compression())
                && attempt(() -> nodes.rewrite(page.image(), WriteCondition.ifVersion(page.version())));
        reformed += written ? 1 : 0;
        return written;
    }

    private Leaf again(Leaf leaf) {
        return pages.get(leaf.image().id())
                .map(frame -> new Leaf(frame, leaf.low))
                .orElse(leaf);
    }

    private Leaf purge(Leaf leaf) {
        long before = tasks.nowMillis() - settings.tombstoneLife().toMillis();
        long expired = tasks.nowMillis() - EXPIRY_GRACE.toMillis();
        int old = 0;
        for (int i = 0; i < leaf.image().count(); i++) {
            boolean isOld = leaf.image().time(i) >>> Stamp.COUNTER_BITS < before;
            old += leaf.image().isTombstone(i) && isOld || leaf.image().expiryMillis(i) < expired ? 1 : 0;
        }
        if (old == 0) {
            return leaf;
        }
        LeafEntries rest =
                ChangeApplier.apply(leaf.image(), List.of(), before, expired).entries();
        WriteCondition condition = WriteCondition.ifVersion(leaf.frame.version());
        if (attempt(() -> nodes.write(leaf.image().header(), condition, rest, WriteMode.CONDITIONAL))) {
            purged += old;
            rewritten++;
        }
        return again(leaf);
    }

    private boolean join(Leaf left, Leaf right, List<InnerEntries.Entry> retired) {
        if (!fit(left.image(), right.image()) || !attempt(() -> nodes.retire(right.frame, right.low))) {
            return false;
        }
        pages.get(right.image().id())
                .filter(frame -> frame.image().isRetired())
                .ifPresent(frame -> finish(new Leaf(frame, right.low), retired));
        joined++;
        return true;
    }

    private boolean fit(PageImage left, PageImage right) {
        int head = left.header().bytes();
        long both = (long) left.bytes().length() + right.bytes().length() - head;
        return left.header().right() == right.id().number()
                && !left.isRetired()
                && !right.isRetired()
                && both * 100 <= (long) settings.bytesTarget(0) * joinedPercentMax
                && left.header().indexEpoch() == right.header().indexEpoch()
                && isRested(left)
                && isRested(right);
    }

    private boolean isRested(PageImage leaf) {
        long newest = tasks.nowMillis() - REST.toMillis();
        return leaf.header().takeover().filter(last -> last.millis() > newest).isEmpty();
    }

    /** Completes the merge of a retired leaf; then its parent may drop it. */
    private void finish(Leaf leaf, List<InnerEntries.Entry> retired) {
        if (attempt(() -> writer.takeOver(leaf.image()))) {
            retired.add(new InnerEntries.Entry(leaf.low, leaf.image().id().number()));
        }
    }

    /** Returns false when others were faster, or the outcome is unknown: then it is left to them, or to a later run. */
    private static boolean attempt(Runnable write) {
        try {
            write.run();
            return true;
        } catch (ConflictException | OutcomeUnknownException leftToOthers) {
            return false;
        }
    }
}
