package io.penstock.commit.catalog;

import io.penstock.commit.catalog.DefinitionCache.Stored;
import io.penstock.core.Compression;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.TreeId;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.page.StoredPage;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The catalog of a store's collections. Definitions change seldom. So they are cached, and read again when there is a
 * sign that they are out of date, and once a minute while they are used. Safe for use by many threads.
 */
public final class Catalog {
    private static final Logger LOG = LoggerFactory.getLogger(Catalog.class);

    private static final int ATTEMPTS = 4;

    /** The time within which a client that uses a collection notices that it was dropped, emptied or renamed. */
    public static final Duration LOOK_EVERY = Duration.ofMinutes(1);

    private static final long LOOK_EVERY_NANOS = LOOK_EVERY.toNanos();

    /** The number of definitions that are read at a time. */
    static final int WIDTH = 16;

    private final Tasks tasks;
    private final CatalogObjects entries;
    private final boolean mayDefine;
    private final TreeNames treeNames;
    private final DefinitionCache known;
    private final Renaming renaming;

    /**
     * @param store the prefix of the keys of the store's objects, such as {@code store/}
     * @param mayDefine whether collections that the store does not have are written to it
     * @param unknownFor the time for which a tree that the store does not have is not asked for again
     */
    public Catalog(Tasks tasks, ObjectStore objects, String store, boolean mayDefine, Duration unknownFor) {
        this.tasks = tasks;
        this.known = new DefinitionCache(tasks, unknownFor);
        this.entries = new CatalogObjects(tasks, objects, store + "catalog/", known);
        this.mayDefine = mayDefine;
        this.treeNames = new TreeNames(tasks, objects, store + "trees/");
        this.renaming = new Renaming(entries, known);
    }

    /**
     * Returns the store's definition of the collection, which may disagree, and writes {@code wanted} first if there is
     * none.
     *
     * @throws InvalidRequestException when the store has none and this client may not write one
     * @throws UnavailableException when it could neither be written nor read
     */
    public CollectionDefinition define(CollectionDefinition wanted) {
        Optional<CollectionDefinition> cached =
                known.get(wanted.name()) == null ? Optional.empty() : inUse(wanted.name());
        return cached.orElseGet(() -> known.keep(readOrWrite(wanted))).requireRestored();
    }

    private Stored readOrWrite(CollectionDefinition wanted) {
        StoreException failure = null;
        for (int attempt = 0; ; attempt++) {
            Optional<Stored> stored = renaming.read(wanted.name());
            if (stored.isPresent() && !stored.get().definition().isGone()) {
                if (failure != null) {
                    entries.mark(List.of(wanted.name())); // whoever wrote it may not have come so far
                }
                return stored.get();
            }
            if (failure != null && attempt == ATTEMPTS) {
                throw new UnavailableException(
                        "the collection's definition could neither be written nor read; retry later",
                        failure,
                        "collection",
                        wanted.name());
            }
            requireMayDefine(wanted.name());
            try {
                Optional<Stored> before = stored.isPresent() ? renaming.vacated(wanted.name()) : stored;
                if (before.isEmpty() || Renaming.isVacant(before.get())) {
                    CollectionDefinition fresh =
                            before.map(gone -> wanted.after(gone.definition())).orElse(wanted);
                    Stored written = entries.write(fresh, condition(before));
                    treeNames.write(namesOf(wanted));
                    return written;
                }
            } catch (ConflictException | OutcomeUnknownException e) {
                failure = e; // another client's definition, or this one's after all: the next read tells
            }
        }
    }

    /**
     * Makes a collection that a run restores, or takes it over from another run.
     *
     * @return its definition now; at revision 0 where this has made it, under a name that had none
     */
    public CollectionDefinition restoring(CollectionDefinition wanted, String run) {
        CollectionDefinition there = known.keep(readOrWrite(wanted));
        return there.isRestoredBy(run) || !there.tree().equals(wanted.tree())
                ? there
                : change(there.name(), now -> now.takenOver(run));
    }

    /** Lets the former names of a restored collection lead to it, where they are free. */
    public void forwardNames(CollectionDefinition restored) {
        renaming.forward(restored);
    }

    static WriteCondition condition(Optional<Stored> before) {
        return before.map(there -> WriteCondition.ifVersion(there.version())).orElse(WriteCondition.IF_ABSENT);
    }

    private void requireMayDefine(String name) {
        if (!mayDefine) {
            throw new InvalidRequestException(
                    ErrorCode.NOT_FOUND,
                    "the store has no such collection and this client may not make it; check its name, or make it with"
                            + " Admin.provision",
                    "collection",
                    name);
        }
    }

    /**
     * Renames a collection; its old name leads to it from then on. Does nothing if it has the new name already.
     *
     * @throws InvalidRequestException when the store has no such collection, or another one of the new name
     * @throws ConflictException when others keep changing the definition
     */
    public void rename(String name, String to) {
        NameRule.require("collection", to);
        CollectionDefinition renamed = renaming.rename(name, to);
        treeNames.write(renamed.allTrees().collect(Collectors.toMap(tree -> tree, tree -> to, (a, b) -> a)));
    }

    /**
     * Changes the pages of a collection.
     *
     * @throws InvalidRequestException when the store has no such collection, or when the choice cannot be used
     */
    public void repage(String name, int pageBytes, Compression by) {
        if (pageBytes < CollectionDefinition.PAGE_BYTES_MIN || pageBytes > CollectionDefinition.PAGE_BYTES_MAX) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "pages split at 512 bytes to 16 MiB; choose a size in that range",
                    "pageBytes",
                    pageBytes);
        }
        StoredPage.requireUsable(by);
        var unused = change(name, definition -> definition.withPages(pageBytes, by));
    }

    /**
     * Notes that entries of some indexes may include parts of records, before one does: a program that declares no part
     * then knows that there may be rows. Returns the definition; unchanged where this client may define nothing.
     */
    public CollectionDefinition including(CollectionDefinition definition, Set<String> indexes) {
        UnaryOperator<CollectionDefinition> noting =
                now -> now.changing(each -> indexes.contains(each.name()) ? each.including() : each);
        boolean isNoted = noting.apply(definition).equals(definition);
        return isNoted || !mayDefine ? definition : change(definition.name(), noting);
    }

    /** The definition of a collection; empty when the store has none. */
    public Optional<CollectionDefinition> find(String name) {
        return look(name).filter(found -> !found.isGone());
    }

    /** Returns the definition of a collection as the store had it at most {@code age} ago. */
    public Optional<CollectionDefinition> within(String name, Duration age) {
        return known.isWithin(name, age) ? find(name) : refresh(name);
    }

    /** Reads the definition of a collection from the store, and returns it, or the newer one that this client knows. */
    public Optional<CollectionDefinition> refresh(String name) {
        return lookAgain(name).filter(found -> !found.isGone());
    }

    private Optional<CollectionDefinition> look(String name) {
        Stored cached = known.get(name);
        return cached == null ? lookAgain(name) : Optional.of(cached.definition());
    }

    private Optional<CollectionDefinition> lookAgain(String name) {
        return renaming.read(name).map(known::keep);
    }

    /**
     * The definition of a collection, or what is left of a dropped one, about a minute old at most; older where the
     * store cannot be asked, since commits need the queues alone.
     */
    private Optional<CollectionDefinition> current(String name) {
        if (known.takeLook(name, LOOK_EVERY)) {
            try {
                var unused = lookAgain(name);
            } catch (StoreException failure) {
                LOG.debug("a definition could not be looked at again name={} why={}", name, failure.getMessage());
            }
        }
        return look(name);
    }

    /** The definition of a collection, about a minute old at most; empty when it was dropped, or the store has none. */
    public Optional<CollectionDefinition> inUse(String name) {
        return current(name).filter(found -> !found.isGone());
    }

    /**
     * Returns the definition that {@link #inUse(String)} does, given the time by the monotonic clock. For reads of one
     * record: mostly one look-up.
     */
    public Optional<CollectionDefinition> inUse(String name, long nowNanos) {
        CollectionDefinition young = known.young(name, LOOK_EVERY_NANOS, nowNanos);
        return young == null || young.isGone() ? inUse(name) : Optional.of(young);
    }

    /** @throws InvalidRequestException when there is none */
    public CollectionDefinition requireInUse(String name) {
        return inUse(name).orElseThrow(() -> missing(name)).requireRestored();
    }

    /** Whether a tree was dropped, so that log records for it are thrown away. Seen within about a minute. */
    public boolean isDropped(TreeId tree) {
        return ofTree(tree)
                .flatMap(known -> current(known.name()))
                .map(definition -> definition.hasDropped(tree))
                .orElse(false);
    }

    /**
     * @throws InvalidRequestException when a tree had the records of a collection that was dropped or emptied
     * @throws ConflictException when a collection has come into a domain
     */
    public void requireNoFormer(Collection<TreeId> trees) {
        for (TreeId tree : trees) {
            Optional<CollectionDefinition> owner = requireNotEmptied(tree);
            if (owner.isPresent() && owner.get().domain() != null) {
                throw new ConflictException(
                        "the collection is moved into a domain since the transaction began; nothing was written",
                        "collection",
                        owner.get().name());
            }
        }
    }

    /**
     * The definition of a tree's collection, as far as this client knows of it.
     *
     * @throws InvalidRequestException when the collection was dropped or emptied since it had the tree
     */
    public Optional<CollectionDefinition> requireNotEmptied(TreeId tree) {
        Optional<CollectionDefinition> owner = known.ofTree(tree).flatMap(known -> current(known.name()));
        if (owner.isPresent() && owner.get().hadRecordsIn(tree)) {
            throw new InvalidRequestException(
                    ErrorCode.NOT_FOUND,
                    "the collection was dropped or emptied meanwhile, with what this writes to; nothing was"
                            + " written, do it again if it is still wanted",
                    "collection",
                    owner.get().name());
        }
        return owner;
    }

    /** The name of the collection for each of its trees in use. */
    private static Map<TreeId, String> namesOf(CollectionDefinition definition) {
        return definition.trees().collect(Collectors.toMap(tree -> tree, tree -> definition.name()));
    }

    /**
     * Changes the definition of a collection.
     *
     * @param change returns the same definition when there is nothing to do. It is called again when another client was
     *     faster, or when it is not known whether the change was written
     * @throws ConflictException when other clients kept changing it, or reads do not return the newest yet
     */
    public CollectionDefinition change(String name, UnaryOperator<CollectionDefinition> change) {
        return changeAny(name, definition -> {
            if (definition.isGone()) {
                throw missing(name);
            }
            return change.apply(definition);
        });
    }

    /** Ends what a collection has in its trees, unless others have done that meanwhile, or this call already did. */
    public void end(CollectionDefinition before, UnaryOperator<CollectionDefinition> change) {
        var unused = changeAny(
                before.name(),
                definition -> definition.isGone() || !definition.tree().equals(before.tree())
                        ? definition
                        : change.apply(definition));
    }

    private CollectionDefinition changeAny(String name, UnaryOperator<CollectionDefinition> change) {
        StoreException failure = null;
        for (int attempt = 0; ; attempt++) {
            Stored stored = renaming.readSettled(name).orElseThrow(() -> missing(name));
            CollectionDefinition next = change.apply(stored.definition());
            if (next.equals(stored.definition())) {
                return known.keep(stored);
            }
            if (failure != null && attempt == ATTEMPTS) {
                throw failure;
            }
            try {
                Stored written = entries.write(next, WriteCondition.ifVersion(stored.version()));
                Map<TreeId, String> names = namesOf(next);
                names.keySet().removeAll(namesOf(stored.definition()).keySet());
                treeNames.write(names);
                return known.keep(written);
            } catch (ConflictException | OutcomeUnknownException e) {
                failure = e; // another client's change, or this one's after all: the next read tells
            }
        }
    }

    /** @throws InvalidRequestException when the store has no such collection */
    public CollectionDefinition require(String name) {
        return refresh(name).orElseThrow(() -> missing(name)).requireRestored();
    }

    static InvalidRequestException missing(String name) {
        return new InvalidRequestException(
                ErrorCode.NOT_FOUND, "the store has no such collection; check its name", "collection", name);
    }

    /**
     * All definitions, by name. Those that have not changed since this client read them are not read again. Entries
     * that cannot be read, damaged ones or those of another format, are left out: see {@link #unreadable}.
     */
    public List<CollectionDefinition> list() {
        return listWithDropped().stream().filter(found -> !found.isGone()).toList();
    }

    /** Lists the definitions of all collections, each read from the store again. */
    public List<CollectionDefinition> listAgain() {
        return entries.list(entry -> refresh(entries.name(entry)));
    }

    /** Lists the definitions of all collections, and what is left of dropped ones. */
    public List<CollectionDefinition> listWithDropped() {
        return entries.list(entry -> {
            String name = entries.name(entry);
            Stored cached = known.entry(name);
            boolean same = cached != null && cached.version().equals(entry.version());
            return same ? look(name) : lookAgain(name);
        });
    }

    /** Marks definitions whose writers did not come so far, so that their loss is noticed. */
    public void mark() {
        if (mayDefine) {
            entries.mark(entries.unmarked());
        }
    }

    /** The collections whose entries could not be read when this client listed them last, by name, and why. */
    public SortedMap<String, String> unreadable() {
        return entries.unreadable();
    }

    /** Whether a collection that this client knows belongs to a domain. */
    public boolean knowsDomains() {
        return known.anyInDomain();
    }

    /** The time of each definition's last change, in the servers' milliseconds since 1970. */
    public Map<String, Long> changedMillis() {
        return entries.changedMillis();
    }

    /**
     * The collection that a tree belongs to, or belonged to before it was dropped; empty when the store has no such
     * collection.
     *
     * @throws CorruptDataException when no readable entry has the tree, and there is one that cannot be read
     */
    public Optional<CollectionDefinition> ofTree(TreeId tree) {
        Optional<CollectionDefinition> cached = knownOfTree(tree);
        if (cached.isPresent() || known.isMissing(tree)) {
            return cached;
        }
        // The tree belongs to a new collection, or to a new index of a collection that this client already knows.
        Optional<CollectionDefinition> named =
                treeNames.find(tree).flatMap(name -> entries.attempt(name, () -> lookAgain(name)));
        Optional<CollectionDefinition> fresh = named.flatMap(definition -> knownOfTree(tree));
        return fresh.isPresent() ? fresh : searched(tree);
    }

    /** The collection of a tree that has no name, by the whole catalog. Writes the names that are missing. */
    private Optional<CollectionDefinition> searched(TreeId tree) {
        long now = tasks.nanoTime();
        listWithDropped();
        Optional<CollectionDefinition> found = knownOfTree(tree);
        if (found.isPresent() && mayDefine) {
            treeNames.complete(known.trees());
        }
        if (found.isEmpty() && !unreadable().isEmpty()) {
            throw new CorruptDataException(
                    ErrorCode.CATALOG_DAMAGED,
                    "the catalog does not show whose tree this is, since entries of it cannot be read; restore them, or"
                            + " use the penstock that wrote them",
                    "tree",
                    tree,
                    "unreadable",
                    String.join(",", unreadable().keySet()));
        }
        if (found.isEmpty()) {
            known.miss(tree, now);
        }
        return found;
    }

    /** Asks the store again for trees that it did not have: a lost one may have been restored. */
    public void forgetUnknown() {
        known.forgetMissing();
    }

    /** The number of times that a definition that this client knew was replaced by one of other pages. */
    public int changesOfPages() {
        return known.changesOfPages();
    }

    /** Returns the definition of the collection that has a tree, if this client knows it; makes no request. */
    public Optional<CollectionDefinition> knownOfTree(TreeId tree) {
        return known.ofTree(tree);
    }
}
