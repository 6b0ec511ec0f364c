package io.penstock.btree;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.page.InnerEntries;
import io.penstock.core.page.PageImage;
import io.penstock.core.pool.PageFrame;
import io.penstock.core.pool.PageManager;
import io.penstock.core.record.RecordChange;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Applies changes to a tree: the only class that writes pages of a live tree.
 *
 * <p>It works optimistically on pooled pages, level by level: first the leaves, many at a time; then the parents of
 * those that were split, and so on up. Each write is conditional on the page version it was made from, so a writer that
 * was overtaken, or paused for a day, fails and repeats the work. A crash between any two writes leaves a correct tree.
 * It may leave pages that nothing refers to, which are garbage, and pages that their parent does not know, which the
 * next writer that meets them enters there.
 *
 * <p>Safe for use by many threads, clients and hosts at the same time.
 */
public final class TreeWriter {
    /**
     * The number of conflicts up to which an attempt is repeated at once: the other writer made progress, so it is our
     * turn.
     */
    private static final int PATIENT_ATTEMPTS = 2;

    private static final int BACKOFF_MILLIS_MAX = 256;

    /** The maximum number of merges that a writer completes on its way to one node; more are damage. */
    private static final int TAKEOVERS_MAX = 64;

    private final PageManager pages;
    private final TreeId tree;
    private final TreeSettings settings;
    private final Tasks tasks;
    private final Descent descent;
    private final Grouping grouping;
    private final NodeWriter nodes;
    private final RootLossCheck missingRoot;

    public TreeWriter(PageManager pages, TreeId tree, TreeSettings settings, Tasks tasks) {
        this.pages = pages;
        this.tree = tree;
        this.settings = settings;
        this.tasks = tasks;
        this.descent = new Descent(pages, tree);
        this.grouping = new Grouping(descent);
        this.nodes = new NodeWriter(pages, settings, tasks);
        this.missingRoot = new RootLossCheck(pages, tree);
    }

    /** The result of a group of items: counts, entries for the parents, and entries that they seem to lack. */
    private record Outcome(ApplyResult result, List<InnerEntries.Entry> promoted, List<Descent.MissedLink> missed) {}

    /** A node as it was found, with the condition under which it may be replaced. */
    private record Target(PageImage page, WriteCondition condition) {}

    /** Applies changes by {@link #apply(List, WriteMode)} with {@link WriteMode#CONDITIONAL}. */
    public ApplyResult apply(List<RecordChange> changes) {
        return apply(changes, WriteMode.CONDITIONAL);
    }

    /**
     * Applies changes; for each record the last stamp wins. Idempotent: after any failure, apply them again.
     *
     * @param changes sorted by key; a key may occur more than once
     * @throws InvalidRequestException when changes are not sorted, or a record exceeds {@link TreeSettings#keyBytesMax}
     *     or {@link TreeSettings#recordBytesMax}; nothing was done
     * @throws ConflictException when other writers kept changing a page; some changes may be applied
     * @throws UnavailableException when the store is; some changes may be applied
     * @throws io.penstock.core.OutcomeUnknownException when an answer was lost for good; some changes may be applied
     * @throws CorruptDataException when pages fail a check; all changes that these do not hide are applied
     */
    public ApplyResult apply(List<RecordChange> changes, WriteMode mode) {
        return applyReachable(changes, mode, knownNow()).whole();
    }

    /** @param timely see {@link #knownNow} */
    public ApplyResult apply(List<RecordChange> changes, Runnable timely) {
        return applyReachable(changes, timely).whole();
    }

    /**
     * Returns the check for changes that follow from what is read from now on: it fails half the life of a tombstone
     * later, before what was deleted meanwhile can be forgotten. A machine may stand still for that long.
     */
    public Runnable knownNow() {
        long beganMillis = tasks.nowMillis();
        return () -> {
            if (tasks.nowMillis() - beganMillis > settings.tombstoneLife().toMillis() / 2) {
                throw new UnavailableException("changes became too old while they were applied; make them again");
            }
        };
    }

    /**
     * Applies changes as {@link #apply(List)} does, but returns those that damaged pages keep from being applied
     * instead of failing.
     *
     * @param timely the check of the changes' age, see {@link NodeEdit.Records}
     */
    public ApplyResult applyReachable(List<RecordChange> changes, Runnable timely) {
        return applyReachable(changes, WriteMode.CONDITIONAL, timely);
    }

    private ApplyResult applyReachable(List<RecordChange> changes, WriteMode mode, Runnable timely) {
        require(changes);
        if (changes.isEmpty()) {
            return ApplyResult.NONE;
        }
        long purgeBefore = tasks.nowMillis() - settings.tombstoneLife().toMillis();
        TreeMap<Integer, TreeMap<Bytes, InnerEntries.Entry>> links = new TreeMap<>();
        ApplyResult result = applyLevel(new NodeEdit.Records(purgeBefore, timely), changes, mode, links);
        return result.plus(applyLinks(links));
    }

    private ApplyResult applyLinks(TreeMap<Integer, TreeMap<Bytes, InnerEntries.Entry>> links) {
        ApplyResult result = ApplyResult.NONE;
        while (!links.isEmpty()) {
            Map.Entry<Integer, TreeMap<Bytes, InnerEntries.Entry>> lowest = links.pollFirstEntry();
            List<InnerEntries.Entry> items = List.copyOf(lowest.getValue().values());
            ApplyResult upper = applyLevel(new NodeEdit.Links(lowest.getKey()), items, WriteMode.CONDITIONAL, links);
            result = result.plus(upper.withoutCounts());
        }
        return result;
    }

    /** Makes parents learn of pages that they do not name, as far as these are in use. */
    void enter(List<Descent.MissedLink> missed) {
        TreeMap<Integer, TreeMap<Bytes, InnerEntries.Entry>> links = new TreeMap<>();
        missed.forEach(each -> link(links, each.level(), each.entry()));
        var unused = applyLinks(links).whole();
    }

    /**
     * Makes the parents of retired leaves drop them. Each parent is written even if it does not name the leaf, so that
     * a writer fails that read the parent before and is about to enter the leaf.
     *
     * @param retired sorted by separator, the leaves' lower bounds
     */
    void unlink(List<InnerEntries.Entry> retired) {
        var unused = applyLevel(new NodeEdit.Unlinks(1), retired, WriteMode.CONDITIONAL, new TreeMap<>())
                .whole();
    }

    /**
     * Writes a leaf again with an index epoch, or with its own if that is newer, in exactly the version that was read.
     *
     * @param leaf the leaf, from a read of the tree
     * @throws ConflictException when it was changed or retired since; then the pool has its present version
     * @throws io.penstock.core.OutcomeUnknownException when an answer was lost for good
     */
    public void mark(PageFrame leaf, long indexEpoch) {
        if (leaf.image().isRetired()) {
            var unused = takeOver(leaf.image());
            throw new ConflictException(
                    "the leaf was retired; read it again", "page", leaf.image().id());
        }
        long newest = Math.max(indexEpoch, leaf.image().header().indexEpoch());
        nodes.mark(leaf.image(), WriteCondition.ifVersion(leaf.version()), newest);
    }

    /**
     * Creates the root of a tree that has none, an empty leaf.
     *
     * @throws ConflictException when there is a root
     * @throws CorruptDataException when the tree had one, which was lost
     */
    public void createRoot(long indexEpoch) {
        missingRoot.requireNone();
        nodes.mark(RootLossCheck.emptyRoot(tree), WriteCondition.IF_ABSENT, indexEpoch);
    }

    /** Whether a page of this tree can hold the change; {@link #apply} refuses others. */
    public boolean holds(RecordChange change) {
        return change.key().length() <= settings.keyBytesMax() && change.bytes() <= settings.recordBytesMax();
    }

    private void require(List<RecordChange> changes) {
        for (int i = 0; i < changes.size(); i++) {
            RecordChange change = changes.get(i);
            if (!holds(change)) {
                throw new InvalidRequestException(
                        ErrorCode.TOO_LARGE,
                        "a record is too large for a page; make it smaller or the pages larger",
                        "keyBytes",
                        change.key().length(),
                        "keyBytesMax",
                        settings.keyBytesMax(),
                        "recordBytes",
                        change.bytes(),
                        "recordBytesMax",
                        settings.recordBytesMax());
            }
            if (i > 0 && changes.get(i - 1).key().compareTo(change.key()) > 0) {
                throw new InvalidRequestException("changes are not sorted by key; sort them", "index", i);
            }
        }
    }

    /** Applies items to the nodes of a level, and adds entries for their parents to {@code links}. */
    private <T> ApplyResult applyLevel(
            NodeEdit<T> edit,
            List<T> items,
            WriteMode mode,
            TreeMap<Integer, TreeMap<Bytes, InnerEntries.Entry>> links) {
        List<Descent.MissedLink> missed = new ArrayList<>();
        List<List<T>> groups = grouping.groups(edit, items, missed);
        ApplyResult result = ApplyResult.NONE;
        for (Outcome outcome : Parallel.map(
                tasks, settings.parallelWidth(), groups, group -> new GroupWork<>(edit, mode).apply(group))) {
            result = result.plus(outcome.result);
            missed.addAll(outcome.missed);
            for (InnerEntries.Entry entry : outcome.promoted) {
                link(links, edit.level(), entry);
            }
        }
        for (Descent.MissedLink link : missed) {
            link(links, link.level(), link.entry());
        }
        return result;
    }

    private static void link(
            TreeMap<Integer, TreeMap<Bytes, InnerEntries.Entry>> links, int childLevel, InnerEntries.Entry entry) {
        links.computeIfAbsent(childLevel + 1, level -> new TreeMap<>()).putIfAbsent(entry.separator(), entry);
    }

    /** The work on one group: node after node, each until its write succeeds. For one task. */
    private final class GroupWork<T> {
        private final NodeEdit<T> edit;
        private final WriteMode mode;
        private final List<InnerEntries.Entry> promoted = new ArrayList<>();
        private final List<Descent.MissedLink> missed = new ArrayList<>();
        private ApplyResult result = ApplyResult.NONE;

        GroupWork(NodeEdit<T> edit, WriteMode mode) {
            this.edit = edit;
            this.mode = mode;
        }

        Outcome apply(List<T> group) {
            List<T> rest = group;
            int attempts = 0;
            while (!rest.isEmpty()) {
                try {
                    int done = applyToNode(rest);
                    rest = rest.subList(done, rest.size());
                    attempts = 0;
                } catch (ConflictException conflict) {
                    attempts++;
                    result = result.plus(new ApplyResult(0, 0, 0, 0, 1));
                    giveUpOrWait(attempts, conflict);
                } catch (CorruptDataException damage) {
                    int hidden = refuse(rest, damage);
                    rest = rest.subList(hidden, rest.size());
                    attempts = 0;
                }
            }
            return new Outcome(result, promoted, missed);
        }

        /** Leaves out the items that the damage hides, which are at least the first, and returns their number. */
        private int refuse(List<T> rest, CorruptDataException damage) {
            Descent.Hidden hidden = descent.hidden(edit.keyOf(rest.getFirst()), edit.level());
            int count = Math.max(1, Grouping.firstAtLeast(edit, rest, 0, hidden.high()));
            List<RecordChange> changes = edit.changesOf(rest.subList(0, count));
            result = result.plus(ApplyResult.refusal(new ApplyResult.Refused(hidden.page(), changes, damage)));
            return count;
        }

        private void giveUpOrWait(int attempts, ConflictException conflict) {
            if (attempts >= settings.attemptsMax()) {
                throw new ConflictException(
                        "other writers kept changing a page; apply the changes again later",
                        conflict,
                        "tree",
                        tree.hex(),
                        "level",
                        edit.level(),
                        "attempts",
                        attempts);
            }
            if (attempts > PATIENT_ATTEMPTS) {
                int bound = Math.min(BACKOFF_MILLIS_MAX, 1 << Math.min(attempts, 16));
                tasks.sleep(Duration.ofMillis(1 + tasks.random().nextInt(bound)));
            }
        }

        /** Applies those items that belong to the node of the first, and returns their number. */
        private int applyToNode(List<T> rest) {
            Target target = target(edit.keyOf(rest.getFirst()));
            int covered =
                    Grouping.firstAtLeast(edit, rest, 0, target.page.header().highKey());
            List<T> items = rest.subList(0, covered);
            NodeEdit.Merged merged = edit.merge(target.page, items);
            if (merged.applied() > 0 && edit.isDoubtful()) {
                Optional<PageFrame> current = pages.refresh(target.page.id());
                if (current.isPresent() && current.get().image().version() > target.page.version()) {
                    return applyFresh(rest);
                }
                merged = edit.merge(target.page, standing(items));
            }
            write(target, merged, items);
            return covered;
        }

        /** Applies items to the newer image that the pool has now, without doubt this time. */
        private int applyFresh(List<T> rest) {
            Target target = target(edit.keyOf(rest.getFirst()));
            int covered =
                    Grouping.firstAtLeast(edit, rest, 0, target.page.header().highKey());
            List<T> items = standing(rest.subList(0, covered));
            write(target, edit.merge(target.page, items), items);
            return covered;
        }

        /**
         * The items without children that are retired or removed by now. Checked after the node was read: a child that
         * is retired later is unlinked later too, by a write of the node that makes ours fail.
         */
        private List<T> standing(List<T> items) {
            return edit instanceof NodeEdit.Links
                    ? items.stream().filter(this::stands).toList()
                    : items;
        }

        private boolean stands(T item) {
            return !(item instanceof InnerEntries.Entry entry)
                    || pages.refresh(new PageId(tree, entry.child()))
                            .filter(child -> !child.image().isRetired())
                            .isPresent();
        }

        private void write(Target target, NodeEdit.Merged merged, List<T> items) {
            List<ApplyResult.Marked> marked = edit.marked(target.page, items);
            ApplyResult counts = new ApplyResult(
                    0, 0, merged.applied(), merged.superseded(), 0, marked, merged.unreferenced(), List.of());
            if (merged.applied() > 0) {
                SplitPlan plan = nodes.write(target.page.header(), target.condition, merged.entries(), mode);
                promoted.addAll(plan.promoted());
                counts = counts.plus(new ApplyResult(plan.fresh().size() + 1, plan.isSplit() ? 1 : 0, 0, 0, 0));
            }
            result = result.plus(counts);
        }

        private Target target(Bytes key) {
            for (int attempt = 0; attempt < TAKEOVERS_MAX; attempt++) {
                Target found = find(key);
                if (found != null) {
                    return found;
                }
            }
            throw new CorruptDataException(
                    ErrorCode.PAGE_DAMAGED,
                    "retired pages are in the way for good; run verify",
                    "tree",
                    tree.hex(),
                    "level",
                    edit.level());
        }

        /** The node that covers the key; null when a merge had to be completed first. */
        private @Nullable Target find(Bytes key) {
            Optional<Descent.Found> found = descent.to(key, edit.level());
            if (found.isPresent()) {
                missed.addAll(found.get().missed());
                PageFrame page = found.get().page();
                if (page.image().isRetired()) {
                    promoted.addAll(takeOver(page.image()));
                    return null;
                }
                return new Target(page.image(), WriteCondition.ifVersion(page.version()));
            }
            if (edit.level() > 0) {
                throw missingRoot.aboveIts(edit.level());
            }
            missingRoot.requireNone();
            return new Target(RootLossCheck.emptyRoot(tree), WriteCondition.IF_ABSENT);
        }
    }

    /**
     * Completes a merge that another client began when it retired a leaf: its left sibling takes it over, unless that
     * is done.
     *
     * @return entries that the parents must learn
     * @throws ConflictException when others changed the left sibling, or retired it too: read again
     */
    List<InnerEntries.Entry> takeOver(PageImage retired) {
        PageImage next = retired;
        PageFrame left = leftOf(next);
        while (left.image().isRetired()) {
            Bytes low = next.header().retiredLow();
            next = left.image();
            if (next.header().retiredLow().compareTo(low) >= 0) {
                throw new CorruptDataException(
                        ErrorCode.PAGE_DAMAGED,
                        "a retired page is left of itself; run verify",
                        "key",
                        pages.objectKey(next.id()));
            }
            left = leftOf(next);
        }
        boolean isOpen = left.image().header().right() == next.id().number();
        return isOpen ? nodes.takeOver(left, next) : List.of();
    }

    private PageFrame leftOf(PageImage retired) {
        return descent.leftOf(retired.header().retiredLow())
                .orElseThrow(() ->
                        new ConflictException("the left sibling does not exist yet; read again", "page", retired.id()))
                .page();
    }

    /**
     * The division of sorted items into groups, one for each node that parents name for them. Parents may be outdated,
     * and then a group spans several nodes. But no node ever gets two groups, because a separator is a node's bound for
     * good. What damage hides is a group too: the work on it finds the damage again. Safe for use by many threads.
     */
    private static final class Grouping {
        private final Descent descent;

        Grouping(Descent descent) {
            this.descent = descent;
        }

        /** @param missed takes entries that parents on the way seem to lack */
        <T> List<List<T>> groups(NodeEdit<T> edit, List<T> items, List<Descent.MissedLink> missed) {
            if (!hasParents(edit)) {
                return List.of(items);
            }
            List<List<T>> groups = new ArrayList<>();
            for (int from = 0; from < items.size(); ) {
                int to = firstAtLeast(edit, items, from, bound(edit, edit.keyOf(items.get(from)), missed));
                groups.add(items.subList(from, to));
                from = to;
            }
            return groups;
        }

        private boolean hasParents(NodeEdit<?> edit) {
            try {
                return descent.isPooledRootAbove(edit.level());
            } catch (CorruptDataException damagedRoot) {
                return false;
            }
        }

        /** The upper bound of the group that begins with {@code key}; null: +infinity. */
        private @Nullable Bytes bound(NodeEdit<?> edit, Bytes key, List<Descent.MissedLink> missed) {
            Optional<Descent.Found> parent;
            try {
                parent = descent.to(key, edit.level() + 1);
            } catch (CorruptDataException damaged) {
                return descent.hidden(key, edit.level()).high();
            }
            if (parent.isEmpty()) {
                return null;
            }
            missed.addAll(parent.get().missed());
            return Descent.upperBound(parent.get().page().image(), key);
        }

        /**
         * The index of the first item from {@code from} on whose key is not below {@code bound}, or else of the end.
         */
        static <T> int firstAtLeast(NodeEdit<T> edit, List<T> items, int from, @Nullable Bytes bound) {
            int next = bound == null ? items.size() : from;
            while (bound != null
                    && next < items.size()
                    && edit.keyOf(items.get(next)).compareTo(bound) < 0) {
                next++;
            }
            return next;
        }
    }
}
