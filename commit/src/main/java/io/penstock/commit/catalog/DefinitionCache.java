package io.penstock.commit.catalog;

import io.penstock.core.TreeId;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.task.Timekeeper;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The definitions that a client has read, the newest of each, and when it did. Safe for use by many threads. */
final class DefinitionCache {
    /** The most trees that are remembered as missing. */
    private static final int MISSED_MAX = 1000;

    private final Timekeeper time;
    private final Duration unknownFor;
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    /** The names of the collections that trees belong to, as far as they are known. */
    private final Map<TreeId, String> trees = new ConcurrentHashMap<>();

    /** The times at which the store was asked in vain for a tree, by {@link Timekeeper#nanoTime}. */
    private final Map<TreeId, Long> missed = new ConcurrentHashMap<>();

    private final AtomicInteger changesOfPages = new AtomicInteger();

    /** @param unknownFor the time for which the store is not asked again for a tree that it does not have */
    DefinitionCache(Timekeeper time, Duration unknownFor) {
        this.time = time;
        this.unknownFor = unknownFor;
    }

    /**
     * A definition and the version of its object.
     *
     * @param nanos when it began to be read or written, by {@link Timekeeper#nanoTime}: it has all changes before that
     */
    record Stored(CollectionDefinition definition, ObjectVersion version, long nanos) {
        /** The name that the collection has now, or is about to have; null if this is its own entry. */
        @Nullable
        String to() {
            return OtherNames.of(definition).to();
        }

        /** Whether this is a forwarding address, and nothing else. */
        boolean isAddress() {
            return to() != null && OtherNames.of(definition).settled();
        }
    }

    /** @param lookedNanos when the store was last asked for it, whatever the answer */
    private record Known(Stored stored, long lookedNanos) {
        Known lookedAt(long nanos) {
            return new Known(stored, nanos);
        }

        /** Returns this one as read again: with the version that was read if it is the same definition. */
        Known read(Known again) {
            boolean same = again.stored.definition.equals(stored.definition);
            boolean later = again.stored.nanos - stored.nanos > 0;
            return same
                    ? new Known(
                            new Stored(
                                    stored.definition, again.stored.version, later ? again.stored.nanos : stored.nanos),
                            again.lookedNanos)
                    : again;
        }
    }

    /**
     * Notes what was read just now; returns the newest that is known. Where others have renamed the collection after
     * this was read, it is the definition under the new name.
     */
    CollectionDefinition keep(Stored stored) {
        if (!stored.isAddress()) {
            stored.definition.allTrees().forEach(tree -> trees.put(tree, stored.definition.name()));
        }
        long now = time.nanoTime();
        String name = stored.definition.name();
        Stored before = entry(name);
        Stored newest = known.merge(
                        name,
                        new Known(stored, now),
                        (a, b) -> a.stored.definition.isNewerThan(b.stored.definition) ? a : a.read(b))
                .stored;
        if (before != null && before.definition.hasOtherPagesThan(newest.definition)) {
            changesOfPages.incrementAndGet();
        }
        Stored inForce = newest.isAddress() ? get(name) : newest;
        return inForce == null ? stored.definition : inForce.definition;
    }

    /**
     * The number of times that a definition was replaced by one of other pages; counted after the new one can be found.
     */
    int changesOfPages() {
        return changesOfPages.get();
    }

    /** The entry of a name, whatever it leads to. */
    @Nullable
    Stored entry(String name) {
        Known found = known.get(name);
        return found == null ? null : found.stored;
    }

    /** Returns the entry that a name leads to; null when none is known. */
    @Nullable
    Stored get(String name) {
        Known found = follow(name, known -> true);
        return found == null ? null : found.stored;
    }

    /** Whether a definition began to be read within this time. */
    boolean isWithin(String name, Duration age) {
        long now = time.nanoTime();
        return follow(name, read -> now - read.stored.nanos < age.toNanos()) != null;
    }

    private @Nullable Known follow(String name, Predicate<Known> usable) {
        Known at = known.get(name);
        for (int hops = 0; hops < Renaming.HOPS_MAX && at != null && usable.test(at); hops++) {
            String to = at.stored.to();
            if (to == null) {
                return at;
            }
            Known target = known.get(to);
            boolean leads = target != null && Renaming.isTargetOf(at.stored, target.stored);
            if (!leads) {
                return at.stored.isAddress() ? null : at;
            }
            at = target;
        }
        return null;
    }

    /**
     * Returns the definition in a name's own entry if that was looked at less than {@code everyNanos} ago; otherwise
     * null.
     */
    @Nullable
    CollectionDefinition young(String name, long everyNanos, long nowNanos) {
        Known found = known.get(name);
        return found != null
                        && found.stored.to() == null
                        && found.stored.definition.moving() == null
                        && nowNanos - found.lookedNanos < everyNanos
                ? found.stored.definition
                : null;
    }

    /**
     * Whether a definition is to be looked at again; true for one of the callers that ask at the same time, for all of
     * them while it is on its way: once it is in its domain, strict writes that are acknowledged must be seen.
     */
    boolean takeLook(String name, Duration every) {
        Known found = known.get(name);
        long now = time.nanoTime();
        return found != null
                && (found.stored.definition.moving() != null
                        || now - found.lookedNanos >= every.toNanos()
                                && known.replace(name, found, found.lookedAt(now)));
    }

    /** The definition that has a tree, or has had it. */
    Optional<CollectionDefinition> ofTree(TreeId tree) {
        String name = trees.get(tree);
        return name == null
                ? Optional.empty()
                : Optional.ofNullable(get(name)).map(Stored::definition).filter(definition -> definition.hasHad(tree));
    }

    /** Whether the store was asked for a tree in vain, not long ago. */
    boolean isMissing(TreeId tree) {
        Long nanos = missed.get(tree);
        return nanos != null && time.nanoTime() - nanos < unknownFor.toNanos();
    }

    /** Notes that the store did not have a tree when it was asked. */
    void miss(TreeId tree, long nanos) {
        if (missed.size() >= MISSED_MAX) {
            missed.clear();
        }
        missed.put(tree, nanos);
    }

    /** Forgets which trees were asked for in vain. */
    void forgetMissing() {
        missed.clear();
    }

    /** The names of all trees that are known. */
    Map<TreeId, String> trees() {
        return Map.copyOf(trees);
    }

    boolean anyInDomain() {
        return known.values().stream().anyMatch(each -> each.stored.definition.domain() != null);
    }
}
