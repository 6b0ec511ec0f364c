package io.penstock.commit.upkeep;

import io.penstock.btree.TreeGarbage;
import io.penstock.btree.TreeGarbage.Verdict;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.engine.NamedObjects;
import io.penstock.commit.queue.KeptObjects;
import io.penstock.core.CorruptDataException;
import io.penstock.core.TreeId;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.page.PageImage;
import io.penstock.core.pool.PageManager;
import io.penstock.report.GcReport;
import io.penstock.report.GcReport.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One garbage collection of a store. It lists first and walks the trees then, so that nothing that is made in the
 * meantime is taken for garbage. For one thread.
 */
public final class GarbageCollection {
    private static final Logger LOG = LoggerFactory.getLogger(GarbageCollection.class);

    /** Objects that are removed at a time. */
    private static final int DELETES_MAX = 1000;

    /** Since the last change of its definition, a dropped tree's: a client looks there again within its {@code ttl}. */
    private static final Duration DROPPED_AGE_MIN = Duration.ofHours(1);

    /** Verdicts on pages that seem to be garbage and stay. Ledgers do not seem so. */
    private static final Map<Verdict, Reason> REASONS = Map.of(
            Verdict.NO_ORIGIN, Reason.NO_ORIGIN,
            Verdict.UNREADABLE, Reason.UNREADABLE,
            Verdict.CONTESTED, Reason.CONTESTED,
            Verdict.REFERRED, Reason.REFERRED,
            Verdict.ROOT_LOST, Reason.ROOT_LOST,
            Verdict.SET_BACK, Reason.SET_BACK);

    private final StoreContents store;
    private final Duration grace;
    private final boolean removing;
    private final Map<NamedObjects, Set<String>> named = new LinkedHashMap<>();
    private GcReport report = GcReport.NONE;

    /** Whether all that may name an object was seen; if not, such objects stay. */
    private boolean whole = true;

    /** @param removing false: only looks */
    public GarbageCollection(StoreContents store, Duration grace, boolean removing) {
        this.store = store;
        this.grace = grace;
        this.removing = removing;
        store.named().forEach(kind -> named.put(kind, new HashSet<>()));
    }

    public GcReport run() {
        if (removing) {
            store.serverClock().requireKnownInStep();
        }
        Map<NamedObjects, List<Listing.Entry>> objects = new LinkedHashMap<>();
        named.keySet().forEach(kind -> objects.put(kind, list(kind.prefix())));
        Map<TreeId, Map<Long, Listing.Entry>> pages = listPages();
        noteWaiting();
        Map<String, Long> changed = store.trees().catalog().changedMillis();
        long settledMillis = store.serverClock().nowMillis() - DROPPED_AGE_MIN.toMillis();
        for (CollectionDefinition definition : store.trees().catalog().list()) {
            definition.trees().forEach(tree -> {
                Map<Long, Listing.Entry> ofTree = pages.remove(tree);
                attempt(store.trees().background().garbage(tree, definition), ofTree == null ? Map.of() : ofTree);
            });
            boolean settled = changed.getOrDefault(definition.name(), Long.MAX_VALUE) < settledMillis;
            definition.dropped().stream()
                    .map(TreeId::fromHex)
                    .forEach(tree -> collectDropped(pages.remove(tree), settled));
        }
        pages.values()
                .forEach(unknown ->
                        count(unknown.size(), List.of(), Map.of(Reason.UNKNOWN_TREE, (long) unknown.size())));
        whole &= pages.isEmpty() && store.trees().catalog().unreadable().isEmpty();
        objects.forEach(this::collect);
        return report;
    }

    /** A damaged tree is left as it is: what its unreadable pages refer to cannot be told. */
    private void attempt(TreeGarbage garbage, Map<Long, Listing.Entry> listed) {
        try {
            collect(garbage, listed);
        } catch (CorruptDataException damaged) {
            LOG.warn("a tree is damaged and left as it is; repair it why={}", damaged.getMessage());
            whole = false;
            count(listed.size(), List.of(), Map.of(Reason.UNREADABLE, (long) listed.size()));
        }
    }

    private void collect(TreeGarbage garbage, Map<Long, Listing.Entry> listed) {
        Map<Long, Listing.Entry> suspects = new TreeMap<>(listed);
        suspects.keySet().removeAll(garbage.walk(this::note));
        Map<Reason, Long> kept = new EnumMap<>(Reason.class);
        Map<Long, Listing.Entry> unnamed = new TreeMap<>(suspects);
        long dropped = dropYoung(suspects.values(), grace);
        List<Long> young = youngestFirst(unnamed, suspects.keySet());
        Map<Verdict, Set<Long>> verdicts =
                removing ? garbage.remove(suspects.keySet(), young) : garbage.judge(suspects.keySet(), young);
        kept.put(
                Reason.YOUNG,
                dropped + verdicts.getOrDefault(Verdict.UNDER_WAY, Set.of()).size());
        REASONS.forEach((verdict, reason) ->
                kept.put(reason, (long) verdicts.getOrDefault(verdict, Set.of()).size()));
        if (verdicts.containsKey(Verdict.ROOT_LOST)) {
            whole = false;
            LOG.warn(
                    "the root of a tree is missing; restore it before anything is written to the tree pages={}",
                    listed.values().iterator().next().key());
        }
        suspects.keySet().retainAll(verdicts.getOrDefault(Verdict.ORPHAN, Set.of()));
        count(listed.size(), suspects.values(), kept);
    }

    private static List<Long> youngestFirst(Map<Long, Listing.Entry> pages, Set<Long> except) {
        return pages.entrySet().stream()
                .filter(page -> !except.contains(page.getKey()))
                .sorted(Comparator.comparingLong(page -> -page.getValue().modifiedMillis()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /**
     * No client reads a dropped tree once all have looked at the catalog again, and what is still put into it is as
     * dead.
     */
    private void collectDropped(@Nullable Map<Long, Listing.Entry> listed, boolean settled) {
        if (listed == null) {
            return;
        }
        List<Listing.Entry> orphans = new ArrayList<>(settled ? listed.values() : List.of());
        long young = settled ? dropYoung(orphans, grace) : listed.size();
        delete(orphans);
        count(listed.size(), orphans, Map.of(Reason.YOUNG, young));
    }

    private void note(PageImage page) {
        if (page.isLeaf()) {
            named.forEach((kind, keys) -> kind.namedBy(page).forEach(keys::add));
        }
    }

    /**
     * Notes what log records name that wait for a repair. Read before the leaves: what is applied meanwhile is in both.
     */
    private void noteWaiting() {
        for (KeptObjects.Kept kept : store.parked().list()) {
            whole &= noteWaiting(store.parked(), kept.name());
        }
        for (KeptObjects.Kept kept : store.quarantined().list()) {
            noteWaiting(store.quarantined(), kept.name());
        }
    }

    /** Returns false when the object cannot be read. */
    private boolean noteWaiting(KeptObjects kept, String name) {
        try {
            kept.read(name)
                    .ifPresent(message -> named.forEach(
                            (kind, keys) -> kind.namedBy(message, name).forEach(keys::add)));
            return true;
        } catch (CorruptDataException damaged) {
            return false;
        }
    }

    /** The leaves of an unknown tree, or of a damaged one, may name any of the objects. */
    private void collect(NamedObjects kind, List<Listing.Entry> listed) {
        if (!whole) {
            count(listed.size(), List.of(), Map.of(Reason.UNKNOWN_TREE, (long) listed.size()));
            return;
        }
        List<Listing.Entry> orphans = new ArrayList<>(listed);
        orphans.removeIf(entry -> named.getOrDefault(kind, Set.of()).contains(entry.key()));
        Duration age = grace.compareTo(kind.ageMin()) > 0 ? grace : kind.ageMin();
        Map<Reason, Long> kept = Map.of(Reason.YOUNG, dropYoung(orphans, age));
        delete(orphans);
        count(listed.size(), orphans, kept);
    }

    private void delete(List<Listing.Entry> orphans) {
        for (int from = 0; removing && from < orphans.size(); from += DELETES_MAX) {
            List<Listing.Entry> some = orphans.subList(from, Math.min(from + DELETES_MAX, orphans.size()));
            store.lane()
                    .objects()
                    .deleteAll(some.stream().map(Listing.Entry::key).toList());
        }
    }

    /** Leaves out what is younger than {@code age}, by the servers' clock, and returns how many these were. */
    private long dropYoung(Collection<Listing.Entry> entries, Duration age) {
        long newest = store.serverClock().nowMillis() - age.toMillis();
        long before = entries.size();
        entries.removeIf(entry -> !age.isZero() && entry.modifiedMillis() > newest);
        return before - entries.size();
    }

    private void count(long objects, Collection<Listing.Entry> orphans, Map<Reason, Long> kept) {
        Map<Reason, Long> some = new EnumMap<>(Reason.class);
        kept.forEach((reason, number) -> {
            if (number > 0) {
                some.put(reason, number);
            }
        });
        long bytes = orphans.stream().mapToLong(Listing.Entry::bytes).sum();
        report = report.plus(new GcReport(objects, orphans.size(), bytes, removing ? orphans.size() : 0, some));
    }

    private Map<TreeId, Map<Long, Listing.Entry>> listPages() {
        Map<TreeId, Map<Long, Listing.Entry>> byTree = new TreeMap<>();
        PageManager manager = store.lane().pages();
        for (Listing.Entry entry : list(manager.objectKeyPrefix())) {
            manager.pageAt(entry.key())
                    .ifPresent(page -> byTree.computeIfAbsent(page.tree(), tree -> new TreeMap<>())
                            .put(page.number(), entry));
        }
        return byTree;
    }

    private List<Listing.Entry> list(String prefix) {
        return ObjectStores.listAll(store.lane().objects(), prefix);
    }
}
