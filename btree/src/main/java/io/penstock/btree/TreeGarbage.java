package io.penstock.btree;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.memory.Workspace;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.page.InnerEntries;
import io.penstock.core.page.Origin;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import io.penstock.core.pool.PageFrame;
import io.penstock.core.pool.PageManager;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Garbage collection of a tree: finds and removes pages that nothing refers to, now or ever. These are the new pages of
 * a split whose writer stopped halfway, and retired leaves that their left siblings have taken over.
 *
 * <p>A page from a split becomes part of the tree by one put alone: that of its <em>origin</em>, which is conditional
 * on the version it was made from. So first every origin is <em>fenced</em>: moved past that version, by a put of our
 * own if no other did it. From then on the put of the split can only be refused, whenever it arrives. Only then the
 * tree is walked once more, and a page that is still not part of it will never be. Age proves nothing here; neither
 * does a walk before the fence.
 *
 * <p>A retired leaf could still be named by its parent, if a writer saw the leaf before it was retired. So the parent
 * is written once more, without the leaf.
 *
 * <p>Safe to run beside readers, writers and other collectors, and to stop anywhere. For one thread.
 */
public final class TreeGarbage {
    private static final int WIDTH = 8;
    private static final int ATTEMPTS_MAX = 4;

    /** The maximum number of young pages that are read to see which work is under way. */
    public static final int YOUNG_MAX = 256;

    private final PageManager pages;
    private final TreeId tree;
    private final Workspace room;
    private final Tasks tasks;
    private final NodeWriter nodes;
    private final TreeWriter writer;
    private final RootLossCheck missingRoot;
    private final Map<Verdict, Set<Long>> kept = new EnumMap<>(Verdict.class);

    /** The judgement on a page that no link led to at first. */
    public enum Verdict {
        /** The page was removed or, in a dry run, seems removable. */
        ORPHAN,
        /** The page is the home page of a queue: only its number leads to it. */
        LEDGER,
        /** The page was not made by a split; its writer may still be at work. */
        NO_ORIGIN,
        /** The page fails a check. */
        UNREADABLE,
        /** Others kept changing its origin, or the outcome of the origin's put is unknown. */
        CONTESTED,
        /** The page has become part of the tree meanwhile. */
        REFERRED,
        /** The page's tree had a root and has none any more. */
        ROOT_LOST,
        /** The page was part of the tree: the page that led to it was set back to an older version. */
        SET_BACK,
        /** The page's writer is still at work: it has put a page not long ago. */
        UNDER_WAY
    }

    /** @param room for the pages of a walk; suspects are the caller's */
    public TreeGarbage(PageManager pages, TreeId tree, TreeSettings settings, Workspace room) {
        this.pages = pages;
        this.tree = tree;
        this.room = room;
        this.tasks = room.tasks();
        this.nodes = new NodeWriter(pages, settings, tasks);
        this.writer = new TreeWriter(pages, tree, settings, tasks);
        this.missingRoot = new RootLossCheck(pages, tree);
    }

    /** Shows {@code visitor} every page of the tree, and gives {@code found} their numbers; some of them twice. */
    public void walk(Consumer<PageImage> visitor, LongConsumer found) {
        TreeWalk.run(pages, tree, room, visitor, found);
    }

    /**
     * Judges pages that were not part of the tree in a walk just before; changes nothing.
     *
     * @param suspects listed before that walk began
     * @param young pages that were not part of the tree either and are too young to be suspects, the youngest first:
     *     work of which one is a part is left alone, however old its first pages are
     * @return the pages that {@link #remove} would examine, and the others by the reason to keep them; pages that are
     *     gone are left out
     */
    public Map<Verdict, Set<Long>> judge(Collection<Long> suspects, List<Long> young) {
        return verdicts(look(suspects, young));
    }

    /** Judges pages as {@link #judge} does, and removes those that provably nothing will ever refer to. */
    public Map<Verdict, Set<Long>> remove(Collection<Long> suspects, List<Long> young) {
        Map<Long, Look> orphans = look(suspects, young);
        if (orphans.isEmpty()) {
            return verdicts(orphans);
        }
        // A page that was listed exists, and its origin existed before it: from here on no read can miss that origin.
        for (Map.Entry<Long, Long> origin : newestOrigins(orphans).entrySet()) {
            if (!fence(new PageId(tree, origin.getKey()), origin.getValue())) {
                keep(orphans, look -> !look.isRetired() && look.origin.page() == origin.getKey(), Verdict.CONTESTED);
            }
        }
        if (!unlinkRetired(orphans)) {
            keep(orphans, Look::isRetired, Verdict.CONTESTED);
        }
        if (!orphans.isEmpty()) {
            Set<Long> reached = new TreeSet<>();
            walk(page -> {}, number -> {
                if (orphans.containsKey(number)) {
                    reached.add(number);
                }
            });
            keep(orphans, look -> reached.contains(look.number), Verdict.REFERRED);
        }
        Parallel.map(tasks, WIDTH, List.copyOf(orphans.keySet()), number -> {
            nodes.remove(new PageId(tree, number));
            return number;
        });
        return verdicts(orphans);
    }

    private Map<Verdict, Set<Long>> verdicts(Map<Long, Look> orphans) {
        Map<Verdict, Set<Long>> all = new EnumMap<>(kept);
        all.put(Verdict.ORPHAN, new TreeSet<>(orphans.keySet()));
        return all;
    }

    private void keep(Map<Long, Look> orphans, Predicate<Look> which, Verdict why) {
        List<Long> numbers =
                orphans.values().stream().filter(which).map(look -> look.number).toList();
        numbers.forEach(number -> keep(number, why));
        orphans.keySet().removeAll(numbers);
    }

    private void keep(long number, Verdict why) {
        kept.computeIfAbsent(why, v -> new TreeSet<>()).add(number);
    }

    /** The suspects that may be removed. */
    private Map<Long, Look> look(Collection<Long> suspects, List<Long> young) {
        kept.clear();
        Map<Long, Look> orphans = new TreeMap<>();
        for (Look look : Parallel.map(tasks, WIDTH, List.copyOf(new TreeSet<>(suspects)), this::look)) {
            if (look.verdict == Verdict.ORPHAN) {
                orphans.put(look.number, look);
            } else if (look.verdict != null) {
                keep(look.number, look.verdict);
            }
        }
        if (isRootLost(orphans)) {
            keep(orphans, look -> true, Verdict.ROOT_LOST);
        }
        if (!orphans.isEmpty()) {
            Set<Origin> underWay = origins(young);
            keep(orphans, look -> underWay.contains(look.origin), Verdict.UNDER_WAY);
            keepSetBack(orphans);
        }
        return orphans;
    }

    /**
     * Returns the origins of the youngest pages. One piece of work makes all its pages from one version of one page.
     */
    private Set<Origin> origins(List<Long> young) {
        List<Long> some = young.subList(0, Math.min(young.size(), YOUNG_MAX));
        return Parallel.map(tasks, WIDTH, some, this::look).stream()
                .map(Look::origin)
                .filter(origin -> origin.page() != PageId.NONE)
                .collect(Collectors.toSet());
    }

    /**
     * Keeps pages that were part of the tree once: they were written again, which only happens to pages that are found;
     * or they were made from a version of their origin that it has not reached.
     */
    private void keepSetBack(Map<Long, Look> orphans) {
        keep(orphans, look -> look.writtenSince, Verdict.SET_BACK);
        newestOrigins(orphans).forEach((origin, version) -> {
            boolean older = pages.read(new PageId(tree, origin))
                    .filter(now -> now.image().version() < version)
                    .isPresent();
            if (older) {
                keep(orphans, look -> !look.isRetired() && look.origin.page() == origin, Verdict.SET_BACK);
            }
        });
    }

    /** Whether the root is missing though it was there once. What proves it may be too young to be a suspect. */
    private boolean isRootLost(Map<Long, Look> orphans) {
        return !orphans.isEmpty()
                && pages.read(PageId.root(tree)).isEmpty()
                && (orphans.values().stream().anyMatch(look -> look.provesRoot) || missingRoot.wasThere());
    }

    /** A page's description of itself: no verdict when it is gone, a lower bound when it is retired. */
    private record Look(
            long number,
            @Nullable Verdict verdict,
            Origin origin,
            boolean provesRoot,
            boolean writtenSince,
            @Nullable Bytes low) {
        static Look of(long number, @Nullable Verdict verdict) {
            return new Look(number, verdict, Origin.NONE, false, false, null);
        }

        boolean isRetired() {
            return low != null;
        }
    }

    private Look look(long number) {
        Optional<PageFrame> found;
        try {
            found = pages.read(new PageId(tree, number));
        } catch (CorruptDataException damaged) {
            return Look.of(number, Verdict.UNREADABLE);
        }
        if (found.isEmpty()) {
            return Look.of(number, null);
        }
        PageHeader header = found.get().image().header();
        if (header.kind() == PageKind.LEDGER) {
            return Look.of(number, Verdict.LEDGER);
        }
        if (header.kind() == PageKind.RETIRED) {
            return new Look(number, Verdict.ORPHAN, Origin.NONE, true, false, header.retiredLow());
        }
        Origin origin = header.origin();
        Verdict verdict = origin.page() == PageId.NONE ? Verdict.NO_ORIGIN : Verdict.ORPHAN;
        boolean writtenSince = header.version() > origin.version();
        return new Look(number, verdict, origin, RootLossCheck.isProof(header), writtenSince, null);
    }

    /** Returns, for each origin, the newest version that one of the orphans was split from. */
    private static Map<Long, Long> newestOrigins(Map<Long, Look> orphans) {
        Map<Long, Long> newest = new TreeMap<>();
        orphans.values().stream()
                .filter(look -> !look.isRetired())
                .forEach(look -> newest.merge(look.origin.page(), look.origin.version(), Math::max));
        return newest;
    }

    /** Writes the parents of retired leaves without them; false when the outcome is unknown. */
    private boolean unlinkRetired(Map<Long, Look> orphans) {
        List<InnerEntries.Entry> links = orphans.values().stream()
                .filter(Look::isRetired)
                .map(look -> new InnerEntries.Entry(Objects.requireNonNull(look.low), look.number))
                .sorted(Comparator.comparing(InnerEntries.Entry::separator))
                .toList();
        try {
            writer.unlink(links);
            return true;
        } catch (ConflictException | OutcomeUnknownException contested) {
            return false;
        }
    }

    /** Makes sure that no put made from {@code version} of a page, or an earlier one, can take effect any more. */
    private boolean fence(PageId origin, long version) {
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            Optional<PageFrame> now = pages.read(origin);
            boolean isPast =
                    now.isPresent() ? now.get().image().version() > version : !origin.isRoot(); // gone: for good
            if (isPast) {
                return true;
            }
            try {
                rewrite(now, origin);
                return true;
            } catch (ConflictException | OutcomeUnknownException perhaps) {
                // The next look decides.
            }
        }
        return false;
    }

    private void rewrite(Optional<PageFrame> now, PageId origin) {
        if (now.isPresent()) {
            nodes.rewrite(now.get().image(), WriteCondition.ifVersion(now.get().version()));
        } else {
            // The first write of the tree was a split that never ended: its root is still to come.
            nodes.rewrite(RootLossCheck.emptyRoot(origin.tree()), WriteCondition.IF_ABSENT);
        }
    }

    /**
     * A walk that finds all pages of a tree, even while others change it: each page that is part of the tree from
     * before the walk begins until it ends.
     *
     * <p>The reason: on every level the first page is never replaced, and the walk reads it. From any page to the left
     * of the one in question, the walk follows the link to the right sibling, which is at most as far right as that
     * page; so it arrives there in the end.
     *
     * <p>A retired page that only a parent names is no longer in the chain of its level; it is found too, and not read.
     */
    private static final class TreeWalk extends LevelWalk {
        /** A page may vanish after the page that names it was read: then the walk starts again. */
        private static final int ATTEMPTS_MAX = 3;

        private final Consumer<PageImage> visitor;
        private final LongConsumer found;

        private TreeWalk(
                PageManager pages, TreeId tree, Workspace room, Consumer<PageImage> visitor, LongConsumer found) {
            super(pages, tree, room);
            this.visitor = visitor;
            this.found = found;
        }

        /**
         * Walks the tree, past the pool.
         *
         * @param visitor shown every page, some of them twice when a walk starts again
         * @param found receives the numbers of all pages, some of them twice; none when the tree is empty
         * @throws CorruptDataException when a page that is named is missing or unreadable
         */
        static void run(
                PageManager pages, TreeId tree, Workspace room, Consumer<PageImage> visitor, LongConsumer found) {
            for (int attempt = 1; ; attempt++) {
                try {
                    new TreeWalk(pages, tree, room, visitor, found).run();
                    return;
                } catch (CorruptDataException broken) {
                    if (attempt == ATTEMPTS_MAX) {
                        throw broken;
                    }
                }
            }
        }

        private void run() {
            pages.read(PageId.root(tree)).map(PageFrame::image).ifPresent(root -> {
                found.accept(PageId.ROOT);
                walk(new Strict(null, PageId.ROOT, root));
            });
        }

        @Override
        Level below(Level above, InnerEntries.Entry first) {
            return new Strict(above, first.child(), null);
        }

        /** The walk along one level, which throws where the pages do not lead to its end. */
        private final class Strict extends Level {
            private @Nullable PageImage root;

            /** @param root the first page, of the root's level */
            Strict(@Nullable Level above, long first, @Nullable PageImage root) {
                super(above);
                this.next = first;
                this.root = root;
                this.level = root == null ? level : root.level();
            }

            @Override
            void pass() {
                PageImage page = root == null ? read() : root;
                root = null;
                if (page.level() != level) {
                    throw broken("a page is not on the level that its parent says; run verify", page.id());
                }
                visitor.accept(page);
                for (int i = 0; i < page.count() && !page.isLeaf(); i++) {
                    found.accept(page.child(i));
                    name(new InnerEntries.Entry(page.key(i), page.child(i)));
                }
                goOn(page);
            }

            private void goOn(PageImage page) {
                Bytes high = page.header().highKey();
                next = page.header().right();
                if (next == PageId.NONE) {
                    return;
                }
                if (high == null || high.compareTo(low) <= 0) {
                    throw broken("the siblings of a level do not lead to the right; run verify", page.id());
                }
                low = high;
                found.accept(next);
            }

            private PageImage read() {
                PageId id = new PageId(tree, next);
                return reads.read(next, low)
                        .orElseThrow(() -> broken("a page that another one names is missing; run verify", id))
                        .image();
            }

            private CorruptDataException broken(String what, PageId page) {
                return new CorruptDataException(ErrorCode.PAGE_DAMAGED, what, "key", pages.objectKey(page));
            }
        }
    }
}
