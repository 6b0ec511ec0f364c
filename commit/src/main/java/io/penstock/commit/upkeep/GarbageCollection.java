package io.penstock.commit.upkeep;

import io.penstock.btree.TreeGarbage;
import io.penstock.btree.TreeGarbage.Verdict;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.catalog.FormerTrees;
import io.penstock.commit.domain.Domain;
import io.penstock.commit.domain.LogSurvey.Removable;
import io.penstock.commit.query.SummaryStore;
import io.penstock.commit.queue.DeadLetterStore;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.commit.settings.Bounds;
import io.penstock.core.CorruptDataException;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.memory.Workspace;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.overflow.OverflowStore;
import io.penstock.core.pool.PageManager;
import io.penstock.core.task.Parallel;
import io.penstock.report.GcReport;
import io.penstock.report.GcReport.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One garbage collection of a store. It lists first and walks the trees then, so that nothing that is made in the
 * meantime is taken for garbage. For one thread.
 */
public final class GarbageCollection {
    private static final Logger LOG = LoggerFactory.getLogger(GarbageCollection.class);

    /** The number of trees that are collected at a time. */
    private static final int WIDTH = 8;

    /** The number of objects that are removed at a time. */
    private static final int DELETES_MAX = 1000;

    /**
     * The least age of a dropped tree's last change of definition: a client looks there again within its {@code ttl}.
     */
    private static final Duration DROPPED_AGE_MIN = Duration.ofHours(1);

    /** The reasons by the verdicts on pages that seem to be garbage and stay. Ledgers do not seem so. */
    private static final Map<Verdict, Reason> REASONS = Map.of(
            Verdict.NO_ORIGIN, Reason.NO_ORIGIN,
            Verdict.UNREADABLE, Reason.UNREADABLE,
            Verdict.CONTESTED, Reason.CONTESTED,
            Verdict.REFERRED, Reason.REFERRED,
            Verdict.ROOT_LOST, Reason.ROOT_LOST,
            Verdict.SET_BACK, Reason.SET_BACK);

    private static final Duration GRACE_MAX = Duration.ofDays(3_650);

    private final StoreContents store;
    private final Workspace room;
    private final Duration grace;
    private final boolean removing;
    private final ReferencedKeys named;

    /** The trees whose root was listed. */
    private final Set<TreeId> rooted = new HashSet<>();

    private GcReport report = GcReport.NONE;

    /** Whether all that may name an object was seen; if not, such objects stay. */
    private boolean whole = true;

    /** @param removing false: only looks */
    public GarbageCollection(StoreContents store, Workspace room, Duration grace, boolean removing) {
        this.store = store;
        this.room = room;
        this.grace = Bounds.requireRange("grace", grace, Duration.ZERO, GRACE_MAX);
        this.removing = removing;
        this.named = new ReferencedKeys(store.lane().overflows(), room.part(4));
    }

    /**
     * A tree's collection, and what becomes of the tree. A dropped collection counts as in use until all clients have
     * noticed.
     *
     * @param dropped whether the tree is an index that was dropped
     * @param settled whether it was dropped, and no client reads or writes it any more
     */
    private record Owner(CollectionDefinition collection, boolean dropped, boolean settled) {}

    public GcReport run() {
        try (named;
                ListedPages pages = new ListedPages(room.part(4))) {
            if (removing) {
                store.serverClock().requireKnownInStep();
            }
            long begunMillis = store.serverClock().nowMillis();
            PageManager manager = store.lane().pages();
            list(manager, pages);
            noteWaiting();
            collectTrees(pages);
            if (removing) {
                store.trees().catalog().mark();
                Ping.removeLeftOver(store.lane().objects(), store.lane().names().prefix(), begunMillis);
                store.lane().names().store().mendCopy(store.lane().objects());
            }
            whole &= store.trees().catalog().unreadable().isEmpty();
            collectObjects(begunMillis);
            store.logs().all().forEach(domain -> report = report.plus(LogGarbage.collect(domain, removing)));
            return report;
        }
    }

    private void list(PageManager manager, ListedPages pages) {
        long foreign = 0;
        for (Iterator<Listing.Entry> all = listing(manager.objectKeyPrefix()); all.hasNext(); ) {
            Listing.Entry entry = all.next();
            Optional<PageId> page = manager.pageAt(entry.key());
            page.ifPresent(id -> pages.add(id, entry));
            page.filter(PageId::isRoot).ifPresent(id -> rooted.add(id.tree()));
            if (page.isEmpty() && foreign++ == 0) {
                LOG.warn("an object among the pages has a key of another form; it stays key={}", entry.key());
            }
        }
        count(foreign, 0, 0, Map.of(Reason.FOREIGN, foreign));
    }

    private void collectTrees(ListedPages pages) {
        Map<TreeId, Owner> owners = owners();
        collectQueues(owners);
        if (removing) {
            collectMarks(owners);
        }
        List<TreeCollection> some = new ArrayList<>();
        for (Optional<TreeId> next = pages.tree(); next.isPresent(); next = pages.tree()) {
            TreeId tree = next.get();
            Owner owner = owners.remove(tree);
            if (owner == null) {
                long unknown = pages.drain(tree, page -> {});
                count(unknown, 0, 0, Map.of(Reason.UNKNOWN_TREE, unknown));
                whole = false;
            } else if (owner.dropped || owner.settled) {
                collectDropped(pages, tree, owner.settled);
            } else {
                collectSoon(pages, tree, owner.collection, some);
            }
        }
        // Trees without a page when pages were listed may have leaves by now that name objects.
        owners.forEach((tree, owner) -> {
            if (!owner.dropped && !owner.settled) {
                collectSoon(pages, tree, owner.collection, some);
            }
        });
        collect(some);
    }

    /** Marks the roots of trees that their founders could not mark, and removes the marks of dropped trees. */
    private void collectMarks(Map<TreeId, Owner> owners) {
        PageManager manager = store.lane().pages();
        Set<String> marked = new HashSet<>();
        listing(manager.marksPrefix()).forEachRemaining(entry -> marked.add(entry.key()));
        owners.forEach((tree, owner) -> {
            boolean isMarked = marked.contains(manager.markKey(tree));
            if (owner.settled && isMarked) {
                removeSummaries(tree);
                store.lane().objects().delete(manager.markKey(tree));
            } else if (!owner.dropped && rooted.contains(tree) && !isMarked) {
                manager.mark(tree);
            }
        });
    }

    /** Removes the summaries of the leaves of a tree that was dropped. */
    private void removeSummaries(TreeId tree) {
        try (Deletions summaries = new Deletions()) {
            String prefix = store.lane().names().prefix() + "/";
            listing(SummaryStore.keys(prefix, tree))
                    .forEachRemaining(entry -> summaries.add(entry.key(), entry.bytes()));
        }
    }

    /** Adds a tree to those that are collected together, as soon as these are enough. */
    private void collectSoon(
            ListedPages pages, TreeId tree, CollectionDefinition definition, List<TreeCollection> some) {
        Workspace part = room.part(2 * WIDTH);
        TreeGarbage garbage = store.trees().background().garbage(tree, definition, part.part(4));
        TreeCollection collection = new TreeCollection(tree, garbage, part, newestMillis(grace), removing);
        collection.take(pages);
        some.add(collection);
        if (some.size() == WIDTH) {
            collect(some);
        }
    }

    private void collect(List<TreeCollection> some) {
        try {
            Parallel.map(room.tasks(), WIDTH, some, collection -> collection.run(named::addFrom))
                    .forEach(this::count);
        } finally {
            some.forEach(TreeCollection::close);
            some.clear();
        }
    }

    private Map<TreeId, Owner> owners() {
        Map<TreeId, Owner> owners = new TreeMap<>();
        List<CollectionDefinition> definitions = store.trees().catalog().listWithDropped();
        // After them: what is dropped between the two looks is young.
        Map<String, Long> changed = store.trees().catalog().changedMillis();
        long settledMillis = store.serverClock().nowMillis() - DROPPED_AGE_MIN.toMillis();
        for (CollectionDefinition definition : definitions) {
            Owner inUse = new Owner(definition, false, false);
            boolean settled = changed.getOrDefault(definition.name(), Long.MAX_VALUE) < settledMillis;
            Owner ofDropped = new Owner(definition, true, settled);
            definition.trees().forEach(tree -> owners.put(tree, inUse));
            definition.dropped().forEach(tree -> owners.put(TreeId.fromHex(tree), ofDropped));
            for (FormerTrees former : definition.former()) {
                // Leaves of a tree that a client may still read name large payloads.
                Owner owner = new Owner(definition, false, former.untilMillis() < settledMillis);
                former.trees().forEach(tree -> owners.put(tree, owner));
            }
        }
        return owners;
    }

    /** Removes the queues of trees that no client sends to any more, with messages that would be discarded. */
    private void collectQueues(Map<TreeId, Owner> owners) {
        List<PuQueueId> gone = store.lane().puQueues().list().stream()
                .filter(queue -> Optional.ofNullable(owners.get(queue.tree()))
                        .filter(Owner::settled)
                        .isPresent())
                .toList();
        if (removing) {
            Parallel.map(room.tasks(), WIDTH, gone, queue -> {
                store.lane().queues().delete(store.lane().names().pu(queue));
                store.lane().queues().delete(store.lane().names().lock(queue));
                return true;
            });
        }
        report = report.plus(new GcReport(0, 0, 0, 0, gone.size(), Map.of()));
    }

    private void count(TreeCollection collection) {
        CorruptDataException damage = collection.damage();
        if (damage != null) {
            LOG.warn("a tree is damaged and left as it is; repair it why={}", damage.getMessage());
            whole = false;
            count(collection.listed(), 0, 0, Map.of(Reason.UNREADABLE, collection.listed()));
            return;
        }
        Map<Reason, Long> kept = new EnumMap<>(Reason.class);
        kept.put(Reason.YOUNG, collection.young());
        REASONS.forEach((verdict, reason) -> kept.put(reason, collection.count(verdict)));
        if (collection.count(Verdict.ROOT_LOST) > 0) {
            whole = false;
            LOG.warn(
                    "the root of a tree is missing; restore it before anything is written to the tree tree={}",
                    collection.tree().hex());
        }
        count(collection.listed(), collection.count(Verdict.ORPHAN), collection.orphanBytes(), kept);
    }

    /**
     * No client reads a dropped tree once all have looked at the catalog again, and what is still put into it is as
     * dead.
     */
    private void collectDropped(ListedPages pages, TreeId tree, boolean settled) {
        long newest = newestMillis(grace);
        PageManager manager = store.lane().pages();
        try (Deletions orphans = new Deletions()) {
            long listed = pages.drain(tree, page -> {
                if (settled && page.modifiedMillis() <= newest) {
                    orphans.add(manager.objectKey(page.id()), page.bytes());
                }
            });
            count(listed, orphans.count, orphans.bytes, Map.of(Reason.YOUNG, listed - orphans.count));
        }
    }

    /**
     * Notes what log records name that wait for a repair, or for a checkpoint: a commit log may be of any age. Read
     * before the leaves: what is applied meanwhile is in both.
     */
    private void noteWaiting() {
        store.logs().all().forEach(domain -> whole &= noteTail(domain));
        for (DeadLetterStore.Kept kept : store.parked().list()) {
            whole &= noteWaiting(store.parked(), kept.name());
        }
        for (DeadLetterStore.Kept kept : store.quarantined().list()) {
            noteWaiting(store.quarantined(), kept.name());
        }
    }

    /** Returns false when a segment cannot be read, or was applied and trimmed meanwhile. */
    private boolean noteTail(Domain domain) {
        try {
            domain.survey().pending(named::addFrom);
            return true;
        } catch (CorruptDataException damaged) {
            return false;
        }
    }

    /** Returns false when the object cannot be read. */
    private boolean noteWaiting(DeadLetterStore kept, String name) {
        try {
            kept.read(name).ifPresent(message -> named.addFrom(message, name));
            return true;
        } catch (CorruptDataException damaged) {
            return false;
        }
    }

    /**
     * The leaves of an unknown tree, or of a damaged one, may name any of the objects. They are listed after the walks:
     * what is as old as they must be is named by no log record any more.
     */
    private void collectObjects(long begunMillis) {
        Duration age = grace.compareTo(OverflowStore.LIFE_MIN) > 0 ? grace : OverflowStore.LIFE_MIN;
        long newest = begunMillis - age.toMillis();
        Iterator<Listing.Entry> listed = listing(store.lane().overflows().prefix());
        if (!whole) {
            long count = 0;
            for (; listed.hasNext(); listed.next()) {
                count++;
            }
            count(count, 0, 0, Map.of(Reason.UNKNOWN_TREE, count));
            return;
        }
        long[] young = {0};
        try (Deletions orphans = new Deletions()) {
            long[] missing = {0};
            long there = named.compare(
                    listed,
                    entry -> {
                        if (entry.modifiedMillis() > newest) {
                            young[0]++;
                        } else {
                            orphans.add(entry.key(), entry.bytes());
                        }
                    },
                    key -> missing[0]++);
            long looked = there - missing[0] + young[0] + orphans.count;
            count(looked, orphans.count, orphans.bytes, Map.of(Reason.YOUNG, young[0]));
        }
    }

    /** Objects that are removed, some at a time. */
    private final class Deletions implements AutoCloseable {
        private final List<String> keys = new ArrayList<>();
        private long count;
        private long bytes;

        void add(String key, long size) {
            count++;
            bytes += size;
            if (removing) {
                keys.add(key);
                if (keys.size() == DELETES_MAX) {
                    close();
                }
            }
        }

        /** Removes the last ones. */
        @Override
        public void close() {
            if (!keys.isEmpty()) {
                store.lane().objects().deleteAll(List.copyOf(keys));
                keys.clear();
            }
        }
    }

    /** The time, by the servers' clock, after which objects count as young. */
    private long newestMillis(Duration age) {
        return age.isZero() ? Long.MAX_VALUE : store.serverClock().nowMillis() - age.toMillis();
    }

    private void count(long objects, long orphans, long bytes, Map<Reason, Long> kept) {
        Map<Reason, Long> some = new EnumMap<>(Reason.class);
        kept.forEach((reason, number) -> {
            if (number > 0) {
                some.put(reason, number);
            }
        });
        report = report.plus(new GcReport(objects, orphans, bytes, removing ? orphans : 0, 0, some));
    }

    private Iterator<Listing.Entry> listing(String prefix) {
        return ObjectStores.listing(store.lane().objects(), prefix);
    }

    /**
     * The segments of a commit log that pages have and that are older than the log's retention, and those that a trim
     * has left. For one thread.
     */
    private static final class LogGarbage {
        private static final Logger LOG = LoggerFactory.getLogger(LogGarbage.class);

        private LogGarbage() {}

        /** @param removing false: only looks */
        static GcReport collect(Domain domain, boolean removing) {
            try {
                Removable some = domain.survey().removable();
                if (removing) {
                    long removed = domain.trim();
                    while (removed > 0) {
                        removed = domain.trim();
                    }
                }
                return new GcReport(
                        some.segments(), some.segments(), some.bytes(), removing ? some.segments() : 0, 0, Map.of());
            } catch (CorruptDataException damaged) {
                LOG.warn("a commit log stays as it is; repair it why={}", damaged.getMessage());
                return new GcReport(1, 0, 0, 0, 0, Map.of(Reason.UNREADABLE, 1L));
            }
        }
    }
}
