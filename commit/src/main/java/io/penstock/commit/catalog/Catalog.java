package io.penstock.commit.catalog;

import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.TreeId;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.Written;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The catalog of a store's collections. Only the indexes of a definition ever change. So a definition is cached, and
 * read again when there is a sign that it is out of date. Safe for use by many threads.
 */
public final class Catalog {
    /** Far above any definition. */
    private static final int DEFINITION_BYTES_MAX = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(Catalog.class);

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final String SUFFIX = ".json";
    private static final int ATTEMPTS = 4;

    /** Definitions that are read at a time. */
    static final int WIDTH = 16;

    /** The most trees that are remembered as nobody's. */
    private static final int UNKNOWN_MAX = 1000;

    private final Tasks tasks;
    private final ObjectStore objects;
    private final String prefix;
    private final boolean mayDefine;
    private final Duration unknownFor;
    private final TreeNames treeNames;
    private final Map<String, Stored> known = new ConcurrentHashMap<>();

    /** The names of the collections that trees belong to, as far as they are known. */
    private final Map<TreeId, String> trees = new ConcurrentHashMap<>();

    /** Trees that the store was asked for in vain, and when, by {@link Tasks#nanoTime}. */
    private final Map<TreeId, Long> unknown = new ConcurrentHashMap<>();

    /** The collections whose entries could not be read when they were listed last, and why. */
    private final Map<String, String> unreadable = new ConcurrentHashMap<>();

    /**
     * @param store the prefix of the keys of the store's objects, such as {@code store/}
     * @param mayDefine whether collections that the store does not have are written to it
     * @param unknownFor how long a tree that the store does not have is not asked for again; zero where reads lag
     */
    public Catalog(Tasks tasks, ObjectStore objects, String store, boolean mayDefine, Duration unknownFor) {
        this.tasks = tasks;
        this.objects = objects;
        this.prefix = store + "catalog/";
        this.mayDefine = mayDefine;
        this.unknownFor = unknownFor;
        this.treeNames = new TreeNames(tasks, objects, store + "trees/");
    }

    static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /**
     * Checks the name of a collection or an index.
     *
     * @throws InvalidRequestException when the name is not allowed
     */
    public static void requireName(String what, String name) {
        if (!isName(name)) {
            throw new InvalidRequestException(
                    "a name is 1 to 64 of A-Z a-z 0-9 . _ - and starts with a letter or digit; choose another",
                    what,
                    name);
        }
    }

    /**
     * Returns the store's definition of the collection, and writes {@code wanted} first if there is none.
     *
     * @throws InvalidRequestException when the store has a definition that disagrees, or has none and this client may
     *     not write one
     * @throws UnavailableException when it could neither be written nor read
     */
    public CollectionDefinition define(CollectionDefinition wanted) {
        Stored cached = known.get(wanted.name());
        CollectionDefinition stored = cached == null ? keep(readOrWrite(wanted)) : cached.definition;
        if (!stored.agreesWith(wanted)) {
            throw new InvalidRequestException(
                    "the collection is defined differently in the store; use its definition or another name",
                    "collection",
                    wanted.name(),
                    "stored",
                    stored.describe(),
                    "wanted",
                    wanted.describe());
        }
        return stored;
    }

    private Stored readOrWrite(CollectionDefinition wanted) {
        StoreException failure = null;
        for (int attempt = 0; ; attempt++) {
            Optional<Stored> stored = read(wanted.name());
            if (stored.isPresent()) {
                return stored.get();
            }
            if (failure != null && attempt == ATTEMPTS) {
                throw new UnavailableException(
                        "the collection's definition could neither be written nor read; retry later",
                        failure,
                        "collection",
                        wanted.name());
            }
            if (!mayDefine) {
                throw new InvalidRequestException(
                        "the store has no such collection and this client may not make it; check its name, or make it"
                                + " with Penstock.provision",
                        "collection",
                        wanted.name());
            }
            try {
                Written written =
                        objects.put(key(wanted.name()), CatalogEntry.encode(wanted), WriteCondition.IF_ABSENT);
                treeNames.write(namesOf(wanted));
                return new Stored(wanted, written.version());
            } catch (ConflictException | OutcomeUnknownException e) {
                failure = e; // another client's definition, or this one's after all: the next read tells
            }
        }
    }

    /** The definition of a collection; empty when the store has none. */
    public Optional<CollectionDefinition> find(String name) {
        Stored cached = known.get(name);
        return cached == null ? refresh(name) : Optional.of(cached.definition);
    }

    /** Reads the definition of a collection from the store, and returns it, or the newer one that this client knows. */
    public Optional<CollectionDefinition> refresh(String name) {
        return read(name).map(this::keep);
    }

    private CollectionDefinition keep(Stored stored) {
        trees.putAll(namesOf(stored.definition));
        return known.merge(stored.definition.name(), stored, (a, b) -> a.definition.isNewerThan(b.definition) ? a : b)
                .definition;
    }

    /** The name of the collection for each of its trees, dropped ones among them. */
    private static Map<TreeId, String> namesOf(CollectionDefinition definition) {
        Map<TreeId, String> names = new TreeMap<>();
        definition.trees().forEach(tree -> names.put(tree, definition.name()));
        definition.dropped().forEach(tree -> names.put(TreeId.fromHex(tree), definition.name()));
        return names;
    }

    /**
     * Changes the definition of a collection.
     *
     * @param change returns the same definition when there is nothing to do. It is called again when another client was
     *     faster, or when it is not known whether the change was written
     * @throws ConflictException when other clients kept changing it, or reads do not return the newest yet
     */
    public CollectionDefinition change(String name, UnaryOperator<CollectionDefinition> change) {
        StoreException failure = null;
        for (int attempt = 0; ; attempt++) {
            Stored stored = read(name)
                    .orElseThrow(() -> new InvalidRequestException(
                            "the store has no such collection; check its name", "collection", name));
            CollectionDefinition next = change.apply(stored.definition);
            if (next.equals(stored.definition)) {
                return keep(stored);
            }
            if (failure != null && attempt == ATTEMPTS) {
                throw failure;
            }
            try {
                Written written =
                        objects.put(key(name), CatalogEntry.encode(next), WriteCondition.ifVersion(stored.version));
                Map<TreeId, String> names = namesOf(next);
                names.keySet().removeAll(namesOf(stored.definition).keySet());
                treeNames.write(names);
                return keep(new Stored(next, written.version()));
            } catch (ConflictException | OutcomeUnknownException e) {
                failure = e; // another client's change, or this one's after all: the next read tells
            }
        }
    }

    /**
     * All definitions, by name. Those that this client knows are not read again. Entries that cannot be read, damaged
     * ones or those of a newer format, are left out: see {@link #unreadable}.
     */
    public List<CollectionDefinition> list() {
        return list(entry -> find(name(entry)));
    }

    /** As {@link #list()}, but all are read again. */
    public List<CollectionDefinition> listAgain() {
        return list(entry -> refresh(name(entry)));
    }

    /** As {@link #list()}, but those that have changed since are read again. */
    private List<CollectionDefinition> listChanged() {
        return list(entry -> {
            Stored cached = known.get(name(entry));
            return cached != null && cached.version.equals(entry.version())
                    ? Optional.of(cached.definition)
                    : refresh(name(entry));
        });
    }

    private List<CollectionDefinition> list(Function<Listing.Entry, Optional<CollectionDefinition>> read) {
        List<Listing.Entry> entries = entries();
        unreadable.keySet().retainAll(entries.stream().map(this::name).collect(Collectors.toSet()));
        return Parallel.map(tasks, WIDTH, entries, entry -> attempt(name(entry), () -> small(entry, read))).stream()
                .flatMap(Optional::stream)
                .toList();
    }

    /** Many are read at a time, so none that is so large that it cannot be a definition. */
    private static Optional<CollectionDefinition> small(
            Listing.Entry entry, Function<Listing.Entry, Optional<CollectionDefinition>> read) {
        if (entry.bytes() > DEFINITION_BYTES_MAX) {
            throw new CorruptDataException(
                    "a definition is larger than any can be; restore it", "key", entry.key(), "bytes", entry.bytes());
        }
        return read.apply(entry);
    }

    private Optional<CollectionDefinition> attempt(String name, Supplier<Optional<CollectionDefinition>> read) {
        try {
            Optional<CollectionDefinition> found = read.get();
            unreadable.remove(name);
            return found;
        } catch (CorruptDataException damaged) {
            String why = String.valueOf(damaged.getMessage());
            if (unreadable.put(name, why) == null) {
                LOG.warn("a collection is left out, because its definition cannot be read name={} why={}", name, why);
            }
            return Optional.ofNullable(known.get(name)).map(Stored::definition);
        }
    }

    /** The collections whose entries could not be read when this client listed them last, by name, and why. */
    public SortedMap<String, String> unreadable() {
        return new TreeMap<>(unreadable);
    }

    /** Whether a collection that this client knows belongs to a domain. */
    public boolean knowsDomains() {
        return known.values().stream().anyMatch(stored -> stored.definition.domain() != null);
    }

    /** The time of each definition's last change, in the servers' milliseconds since 1970. */
    public Map<String, Long> changedMillis() {
        return entries().stream().collect(Collectors.toMap(this::name, Listing.Entry::modifiedMillis));
    }

    private String name(Listing.Entry entry) {
        return entry.key().substring(prefix.length(), entry.key().length() - SUFFIX.length());
    }

    /** The objects of the catalog. Objects with other names are ignored. */
    private List<Listing.Entry> entries() {
        return ObjectStores.listAll(objects, prefix).stream()
                .filter(entry -> isDefinition(entry.key()))
                .toList();
    }

    private boolean isDefinition(String key) {
        return key.substring(prefix.length()).endsWith(SUFFIX);
    }

    /**
     * The collection that a tree belongs to, or belonged to before it was dropped; empty when the store has no such
     * collection.
     *
     * @throws CorruptDataException when no readable entry has the tree, and there is one that cannot be read
     */
    public Optional<CollectionDefinition> ofTree(TreeId tree) {
        Optional<CollectionDefinition> cached = knownOfTree(tree);
        if (cached.isPresent()) {
            return cached;
        }
        Long asked = unknown.get(tree);
        if (asked != null && tasks.nanoTime() - asked < unknownFor.toNanos()) {
            return Optional.empty();
        }
        // The tree belongs to a new collection, or to a new index of a collection that this client already knows.
        Optional<CollectionDefinition> named = treeNames.find(tree).flatMap(this::refreshNamed);
        Optional<CollectionDefinition> fresh = named.flatMap(definition -> knownOfTree(tree));
        return fresh.isPresent() ? fresh : searched(tree);
    }

    /** What a name leads to; what cannot be read is reported by the search in the whole catalog. */
    private Optional<CollectionDefinition> refreshNamed(String name) {
        return attempt(name, () -> refresh(name));
    }

    /** The collection of a tree that has no name, by the whole catalog. Writes the names that are missing. */
    private Optional<CollectionDefinition> searched(TreeId tree) {
        long now = tasks.nanoTime();
        listChanged();
        Optional<CollectionDefinition> found = knownOfTree(tree);
        if (found.isPresent() && mayDefine) {
            treeNames.complete(Map.copyOf(trees));
        }
        if (found.isEmpty() && !unreadable.isEmpty()) {
            throw new CorruptDataException(
                    "the catalog does not show whose tree this is, since entries of it cannot be read; restore them, or"
                            + " use a newer penstock",
                    "tree",
                    tree,
                    "unreadable",
                    String.join(",", unreadable().keySet()));
        }
        if (found.isEmpty() && unknownFor.isPositive()) {
            if (unknown.size() >= UNKNOWN_MAX) {
                unknown.clear();
            }
            unknown.put(tree, now);
        }
        return found;
    }

    /** Asks the store again for trees that it did not have: somebody may have restored what was lost. */
    public void forgetUnknown() {
        unknown.clear();
    }

    /** As {@link #ofTree(TreeId)}, but only from the definitions that this client knows. */
    public Optional<CollectionDefinition> knownOfTree(TreeId tree) {
        String name = trees.get(tree);
        return name == null
                ? Optional.empty()
                : Optional.ofNullable(known.get(name))
                        .map(Stored::definition)
                        .filter(definition -> definition.hasHad(tree));
    }

    /** A definition and the version of its object. */
    private record Stored(CollectionDefinition definition, ObjectVersion version) {}

    private Stored stored(String name, StoredObject object) {
        return new Stored(CatalogEntry.decode(name, object.body(), key(name), object.version()), object.version());
    }

    private Optional<Stored> read(String name) {
        return objects.get(key(name)).map(object -> stored(name, object));
    }

    private String key(String name) {
        return prefix + name + SUFFIX;
    }

    /** A definition to pass to {@link #define}. */
    public static CollectionDefinition definition(
            String name, TreeId tree, String keys, int pageBytes, List<CollectionDefinition.IndexDefinition> indexes) {
        return new CollectionDefinition(
                CollectionDefinition.FORMAT, name, tree.hex(), keys, pageBytes, indexes, 0, 0, List.of(), null, null);
    }
}
