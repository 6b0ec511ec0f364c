package io.penstock.commit.catalog;

import io.penstock.commit.catalog.DefinitionCache.Stored;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.object.WriteCondition;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * New names for collections, and the way from an old name to the new one. Three conditional puts rename a collection:
 * its entry names its destination; the entry of the new name is written, from which moment on it has that name; the old
 * entry is left with the forwarding address alone. A client that changes a definition first completes renames that
 * others have begun, so a crash in between leaves one definition in force, under one of the two names. Decision 0037.
 * Safe for use by many threads.
 */
record Renaming(CatalogObjects objects, DefinitionCache known) {
    private static final int ATTEMPTS = 8;

    /** The most forwarding addresses in a row: an address is changed when that which it leads to moves on. */
    static final int HOPS_MAX = 8;

    /**
     * The entry that is in force for a name, which may have another name; empty when there is none.
     *
     * @throws CorruptDataException when a name leads nowhere
     */
    Optional<Stored> read(String name) {
        Deque<Stored> way = new ArrayDeque<>();
        Optional<Stored> found = follow(name, way);
        // A reader that finds an address among the known entries also finds the entry that it leads to.
        found.ifPresent(known::keep);
        way.forEach(known::keep);
        return found;
    }

    private Optional<Stored> follow(String name, Deque<Stored> way) {
        Optional<Stored> at = objects.read(name);
        while (at.isPresent() && at.get().to() != null) {
            Stored entry = at.get();
            way.push(entry);
            requireThere(entry, way.size() <= HOPS_MAX);
            at = objects.read(String.valueOf(entry.to())).filter(found -> isTargetOf(entry, found));
            if (at.isEmpty()) {
                // It may have moved on since the address was read.
                at = objects.read(entry.definition().name());
                boolean same = at.map(Stored::version).equals(Optional.of(entry.version()));
                if (same && !entry.isAddress()) {
                    return at;
                }
                requireThere(entry, !same);
            }
        }
        return at;
    }

    private static void requireThere(Stored entry, boolean there) {
        if (!there) {
            throw new CorruptDataException(
                    ErrorCode.CATALOG_DAMAGED,
                    "a collection was renamed, and is not under its new name; restore its catalog entry",
                    "collection",
                    entry.definition().name(),
                    "renamedTo",
                    String.valueOf(entry.to()));
        }
    }

    /** Whether an entry was written for the forwarding address, and not before. */
    static boolean isTargetOf(Stored entry, Stored target) {
        CollectionDefinition from = entry.definition();
        CollectionDefinition found = target.definition();
        if (entry.to() == null || !OtherNames.of(found).from().contains(from.name())) {
            return false;
        }
        return entry.isAddress()
                ? !from.isNewerThan(found)
                : found.isNewerThan(from)
                        && found.hasHad(from.treeId())
                        && !OtherNames.of(from).replaces(target.version());
    }

    /**
     * The entry in force, after whatever renaming others have begun is complete, or called off as the name was taken.
     *
     * @throws ConflictException when others keep changing it
     */
    Optional<Stored> readSettled(String name) {
        StoreException failure = null;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Stored> at = read(name);
            if (at.isEmpty() || at.get().to() == null) {
                return at;
            }
            failure = tried(() -> carryOn(at.get()));
        }
        throw givenUp(name, failure);
    }

    /** Writes the entry of the new name; calls the renaming off if another entry is there than is to be replaced. */
    private void carryOn(Stored entry) {
        CollectionDefinition from = entry.definition();
        Optional<Stored> there = objects.read(String.valueOf(entry.to()));
        if (OtherNames.of(from).replaces(there.map(Stored::version).orElse(null))) {
            objects.write(arrived(from, there.map(Stored::definition).orElse(null)), Catalog.condition(there));
        } else if (there.isEmpty() || !isTargetOf(entry, there.get())) {
            known.keep(objects.write(
                    from.next(draft -> draft.names = OtherNames.of(from).ofTarget()),
                    WriteCondition.ifVersion(entry.version())));
        }
    }

    /**
     * Renames a collection, or completes that; does nothing if it has the new name already.
     *
     * @throws InvalidRequestException when there is no such collection, or another one of the new name
     * @throws ConflictException when others keep changing it
     */
    CollectionDefinition rename(String name, String to) {
        StoreException failure = null;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Stored at = readSettled(name)
                    .filter(found -> !found.definition().isGone())
                    .orElseThrow(() -> Catalog.missing(name));
            at.definition().requireRestored();
            if (at.definition().name().equals(to)) {
                leave(at.definition());
                return known.keep(at);
            }
            Optional<Stored> there = free(to);
            failure = tried(() -> objects.write(
                    leaving(
                            at.definition(),
                            to,
                            there.map(Stored::version).map(v -> v.tag()).orElse(null)),
                    WriteCondition.ifVersion(at.version())));
        }
        throw givenUp(name, failure);
    }

    /** Returns the entry of a name as {@link #vacated} does, but refuses a name that another collection has. */
    private Optional<Stored> free(String to) {
        Optional<Stored> there = vacated(to);
        if (there.isPresent() && !isVacant(there.get())) {
            throw new InvalidRequestException(
                    ErrorCode.ALREADY_EXISTS,
                    "there is a collection of that name; rename or drop it first, or choose another",
                    "collection",
                    to);
        }
        return there;
    }

    /** The entry of a name, after no other name leads over it to the collection in force. */
    Optional<Stored> vacated(String name) {
        Optional<Stored> before = objects.read(name);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            readSettled(name).map(Stored::definition).ifPresent(this::leave);
            Optional<Stored> there = objects.read(name);
            if (there.map(Stored::version).equals(before.map(Stored::version))) {
                return there;
            }
            before = there;
        }
        throw givenUp(name, null);
    }

    /** Whether another collection may take the place of an entry: of a dropped one, or a forwarding address. */
    static boolean isVacant(Stored entry) {
        return entry.definition().isGone() || entry.isAddress();
    }

    /**
     * Leaves the forwarding address alone under each of the names that a collection had. Those of a dropped one lead
     * nowhere any more.
     */
    private void leave(CollectionDefinition now) {
        for (String former : OtherNames.of(now).from()) {
            StoreException failure = null;
            Optional<Stored> entry = leaving(former, now);
            for (int attempt = 0; entry.isPresent(); attempt++, entry = leaving(former, now)) {
                if (attempt == ATTEMPTS) {
                    throw givenUp(former, failure);
                }
                Stored from = entry.get();
                failure = tried(() -> known.keep(
                        objects.write(address(from.definition(), now), WriteCondition.ifVersion(from.version()))));
            }
        }
    }

    private Optional<Stored> leaving(String former, CollectionDefinition now) {
        return objects.read(former).filter(entry -> needsAddress(entry, now));
    }

    /**
     * Whether a name leads to a collection by way of another one, or is not settled. A definition that is older than an
     * entry knows nothing of where that leads by now.
     */
    private static boolean needsAddress(Stored entry, CollectionDefinition now) {
        String leads = entry.to();
        if (leads == null
                || !now.isNewerThan(entry.definition())
                || !now.hasHad(entry.definition().treeId())) {
            return false;
        }
        return leads.equals(now.name())
                ? now.isGone() || !entry.isAddress()
                : OtherNames.of(now).from().contains(leads);
    }

    private static ConflictException givenUp(String name, @Nullable StoreException failure) {
        String what = "others keep changing the collection; retry later";
        return failure == null
                ? new ConflictException(what, "collection", name)
                : new ConflictException(what, failure, "collection", name);
    }

    private static @Nullable StoreException tried(Runnable step) {
        try {
            step.run();
            return null;
        } catch (ConflictException | OutcomeUnknownException e) {
            return e; // another client's change, or this one's after all: the next read tells
        }
    }

    private static CollectionDefinition leaving(CollectionDefinition from, String to, @Nullable String over) {
        return from.next(
                draft -> draft.names = new OtherNames(OtherNames.of(from).from(), to, over, false));
    }

    /** The definition under its new name: above all revisions that clients may know of either name. */
    private static CollectionDefinition arrived(CollectionDefinition from, @Nullable CollectionDefinition over) {
        String name = String.valueOf(OtherNames.of(from).to());
        List<String> names = Stream.concat(OtherNames.of(from).from().stream(), Stream.of(from.name()))
                .distinct()
                .filter(each -> !each.equals(name))
                .toList();
        return from.next(draft -> {
            draft.name = name;
            draft.revision = Math.max(draft.revision, over == null ? 0 : over.revision() + 1);
            draft.names = new OtherNames(names, null, null, false);
        });
    }

    /** Writes a forwarding address under each of the names that a collection had, unless there is an entry. */
    void forward(CollectionDefinition now) {
        for (String former : OtherNames.of(now).from()) {
            StoreException failure = null;
            for (int attempt = 0; objects.read(former).isEmpty(); attempt++) {
                if (attempt == ATTEMPTS) {
                    throw givenUp(former, failure);
                }
                CollectionDefinition from = now.next(draft -> {
                    draft.name = former;
                    draft.revision = 0;
                });
                failure = tried(() -> known.keep(objects.write(address(from, now), WriteCondition.IF_ABSENT)));
            }
        }
    }

    private static CollectionDefinition address(CollectionDefinition from, CollectionDefinition now) {
        return from.next(draft -> {
            draft.revision = Math.max(draft.revision, now.revision());
            draft.tree = now.isGone() ? now.tree() : from.tree();
            draft.indexes = List.of();
            draft.dropped = now.isGone() ? now.dropped() : List.of();
            draft.former = now.isGone() ? now.former() : List.of();
            draft.domain = null;
            draft.moving = null;
            draft.names =
                    now.isGone() ? null : new OtherNames(OtherNames.of(from).from(), now.name(), null, true);
        });
    }
}
