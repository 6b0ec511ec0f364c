package io.penstock.btree;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.PageId;
import io.penstock.core.StoreException;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.page.InnerEntries;
import io.penstock.core.page.LeafEntries;
import io.penstock.core.page.NodeEntries;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import io.penstock.core.pool.PageFrame;
import io.penstock.core.pool.PageManager;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import java.util.List;
import java.util.Optional;

/**
 * Writes the pages of a {@link SplitPlan} in an order that is safe under crashes: first the new pages, which nothing
 * refers to, then the node, which makes all of them part of the tree at once. Safe for use by many threads.
 */
record NodeWriter(PageManager pages, TreeSettings settings, Tasks tasks) {
    /** The number of attempts to put one new page before the whole write starts again. */
    private static final int FRESH_ATTEMPTS_MAX = 4;

    /**
     * Makes {@code entries} the content of a node.
     *
     * @param condition on the node; new pages are always written if absent
     * @throws ConflictException when another writer changed the node first; with {@link WriteMode#OVERWRITE}, when
     *     another writer changed which keys it covers, or it must be split
     */
    SplitPlan write(PageHeader node, WriteCondition condition, NodeEntries entries, WriteMode mode) {
        SplitPlan plan = planner().plan(node, entries);
        try {
            put(plan, condition);
        } catch (ConflictException conflict) {
            if (plan.isSplit() || mode == WriteMode.CONDITIONAL) {
                throw conflict;
            }
            overwrite(plan.last().header(), entries, conflict);
        }
        return plan;
    }

    private SplitPlan.Planner planner() {
        return new SplitPlan.Planner(settings, pages::newNumber, tasks.nowMillis());
    }

    private void put(SplitPlan plan, WriteCondition condition) {
        // From right to left: with a width of one, no page ever links to a sibling that does not exist.
        Parallel.map(tasks, settings.parallelWidth(), plan.fresh().reversed(), this::putFresh);
        try {
            pages.put(plan.last(), condition, settings.compression());
        } catch (ConflictException conflict) {
            if (plan.isSplit() && isCertain(plan.last())) {
                discard(plan.fresh());
            }
            throw conflict;
        }
    }

    /** Replaces all that others have written meanwhile with {@code entries}, if the node still covers its keys. */
    private void overwrite(PageHeader ours, NodeEntries entries, ConflictException conflict) {
        ConflictException last = conflict;
        for (int attempt = 0; attempt < settings.attemptsMax(); attempt++) {
            Optional<PageFrame> winner = pages.get(ours.id());
            if (winner.isEmpty() || !winner.get().image().header().coversAs(ours)) {
                throw last;
            }
            PageHeader next = winner.get().image().header().next(pages.newNumber(), tasks.nowMillis());
            try {
                pages.put(
                        entries.layout(next, 0, entries.count()).encode(),
                        WriteCondition.ifVersion(winner.get().version()),
                        settings.compression());
                return;
            } catch (ConflictException again) {
                last = again;
            }
        }
        throw last;
    }

    /** Writes a node again unchanged, as its next version: no write made from this one can succeed afterwards. */
    void rewrite(PageImage node, WriteCondition condition) {
        putAgain(node, next(node), condition);
    }

    private PageHeader next(PageImage node) {
        return node.header().next(pages.newNumber(), tasks.nowMillis());
    }

    /** Writes a node's content under another header. */
    private void putAgain(PageImage node, PageHeader header, WriteCondition condition) {
        if (node.header().kind() == PageKind.LEDGER) {
            throw new CorruptDataException(
                    ErrorCode.PAGE_DAMAGED,
                    "a ledger is in the place of a page of a tree; run verify",
                    "page",
                    node.id());
        }
        NodeEntries same =
                node.isLeaf() ? LeafEntries.builder(node).keepAll().build() : InnerEntries.of(InnerEntries.read(node));
        pages.put(same.layout(header, 0, same.count()).encode(), condition, settings.compression());
    }

    /** Retires a leaf: no writer changes it from then on. Its left sibling must take it over. */
    void retire(PageFrame leaf, Bytes low) {
        putAgain(leaf.image(), next(leaf.image()).retired(low), WriteCondition.ifVersion(leaf.version()));
    }

    /**
     * Merges a retired leaf into its left sibling. If an index build has visited only one of them, the retired leaf's
     * entries move to a fresh page instead: a build does not return, so the index epoch of a key must never fall.
     *
     * @return the entries that the parents must learn
     */
    List<InnerEntries.Entry> takeOver(PageFrame left, PageImage retired) {
        requireAdjacent(left.image(), retired);
        PageHeader header = left.image().header();
        WriteCondition condition = WriteCondition.ifVersion(left.version());
        if (header.indexEpoch() != retired.header().indexEpoch()) {
            SplitPlan plan = planner().renew(left.image(), retired);
            put(plan, condition);
            return plan.promoted();
        }
        LeafEntries both =
                LeafEntries.builder(left.image()).keepAll().copyAll(retired).build();
        return write(header.takingOver(retired.header(), tasks.nowMillis()), condition, both, WriteMode.CONDITIONAL)
                .promoted();
    }

    /** Keys of a retired leaf that are not above those of the left one would make a page without order. */
    private void requireAdjacent(PageImage left, PageImage retired) {
        Bytes low = retired.header().retiredLow();
        boolean fits = low.equals(left.header().highKey()) && (retired.count() == 0 || retired.compareKey(low, 0) <= 0);
        if (!fits) {
            throw new CorruptDataException(
                    ErrorCode.PAGE_DAMAGED,
                    "a retired page does not follow its left sibling; run verify",
                    "key",
                    pages.objectKey(retired.id()));
        }
    }

    /** Removes a page that nothing refers to, now or ever. */
    void remove(PageId orphan) {
        pages.delete(orphan);
    }

    /** Writes a leaf again with another index epoch. It grows by a few bytes, which every page has to spare. */
    void mark(PageImage leaf, WriteCondition condition, long indexEpoch) {
        putAgain(leaf, next(leaf).withIndexEpoch(indexEpoch), condition);
    }

    /** Puts a new page. It has no other writer, so a put whose answer was lost is simply repeated. */
    private PageFrame putFresh(PageImage page) {
        for (int attempt = 1; ; attempt++) {
            try {
                return pages.put(page, WriteCondition.IF_ABSENT, settings.compression());
            } catch (ConflictException | OutcomeUnknownException failure) {
                if (attempt == FRESH_ATTEMPTS_MAX) {
                    throw failure;
                }
            }
        }
    }

    /**
     * Whether a refused write certainly never takes effect: only if another write has the page version it wanted. A
     * higher version may be a successor that names our new pages, if the refusal answered a repeat; at a lower one our
     * write may still be on its way, if its answer was lost.
     */
    private boolean isCertain(PageImage refused) {
        Optional<PageFrame> winner = pages.get(refused.id());
        return winner.isPresent()
                && winner.get().image().version() == refused.version()
                && winner.get().image().header().writeId() != refused.header().writeId();
    }

    private void discard(List<PageImage> fresh) {
        for (PageImage page : fresh) {
            PageId id = page.id();
            try {
                pages.delete(id);
            } catch (StoreException ignored) {
                // Garbage collection will find it, because nothing refers to it.
                return;
            }
        }
    }
}
