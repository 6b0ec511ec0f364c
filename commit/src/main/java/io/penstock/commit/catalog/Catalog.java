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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
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
    private static final Logger LOG = LoggerFactory.getLogger(Catalog.class);

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final String SUFFIX = ".json";
    private static final int ATTEMPTS = 4;

    private final ObjectStore objects;
    private final String prefix;
    private final boolean mayDefine;
    private final Map<String, CollectionDefinition> known = new ConcurrentHashMap<>();

    /** The collections whose entries could not be read when they were listed last, and why. */
    private final Map<String, String> unreadable = new ConcurrentHashMap<>();

    /**
     * @param prefix of the objects' keys, such as {@code store/catalog/}
     * @param mayDefine whether collections that the store does not have are written to it
     */
    public Catalog(ObjectStore objects, String prefix, boolean mayDefine) {
        this.objects = objects;
        this.prefix = prefix;
        this.mayDefine = mayDefine;
    }

    /**
     * Checks the name of a collection or an index.
     *
     * @throws InvalidRequestException when the name is not allowed
     */
    public static void requireName(String what, String name) {
        if (!NAME.matcher(name).matches()) {
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
        CollectionDefinition stored = known.get(wanted.name());
        if (stored == null) {
            stored = keep(readOrWrite(wanted));
        }
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

    private CollectionDefinition readOrWrite(CollectionDefinition wanted) {
        StoreException failure = null;
        for (int attempt = 0; ; attempt++) {
            Optional<Stored> stored = read(wanted.name());
            if (stored.isPresent()) {
                return stored.get().definition;
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
                objects.put(key(wanted.name()), CatalogEntry.encode(wanted), WriteCondition.IF_ABSENT);
                return wanted;
            } catch (ConflictException | OutcomeUnknownException e) {
                failure = e; // another client's definition, or this one's after all: the next read tells
            }
        }
    }

    /** The definition of a collection; empty when the store has none. */
    public Optional<CollectionDefinition> find(String name) {
        CollectionDefinition cached = known.get(name);
        if (cached != null) {
            return Optional.of(cached);
        }
        return refresh(name);
    }

    /** Reads the definition of a collection from the store, and returns it, or the newer one that this client knows. */
    public Optional<CollectionDefinition> refresh(String name) {
        return read(name).map(stored -> keep(stored.definition));
    }

    private CollectionDefinition keep(CollectionDefinition stored) {
        return known.merge(stored.name(), stored, (a, b) -> a.isNewerThan(b) ? a : b);
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
                return keep(next);
            }
            if (failure != null && attempt == ATTEMPTS) {
                throw failure;
            }
            try {
                objects.put(key(name), CatalogEntry.encode(next), WriteCondition.ifVersion(stored.version));
                return keep(next);
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
        return list(this::find);
    }

    /** As {@link #list()}, but all are read again. */
    public List<CollectionDefinition> listAgain() {
        return list(this::refresh);
    }

    private List<CollectionDefinition> list(Function<String, Optional<CollectionDefinition>> byName) {
        List<String> names = entries().stream().map(this::name).toList();
        unreadable.keySet().retainAll(names);
        return names.stream()
                .map(name -> attempt(name, byName))
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<CollectionDefinition> attempt(
            String name, Function<String, Optional<CollectionDefinition>> byName) {
        try {
            Optional<CollectionDefinition> found = byName.apply(name);
            unreadable.remove(name);
            return found;
        } catch (CorruptDataException damaged) {
            String why = String.valueOf(damaged.getMessage());
            if (unreadable.put(name, why) == null) {
                LOG.warn("a collection is left out, because its definition cannot be read name={} why={}", name, why);
            }
            return Optional.ofNullable(known.get(name));
        }
    }

    /** The collections whose entries could not be read when this client listed them last, by name, and why. */
    public SortedMap<String, String> unreadable() {
        return new TreeMap<>(unreadable);
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
        // The tree belongs to a new collection, or to a new index of a collection that this client already knows.
        Optional<CollectionDefinition> fresh = ofTree(tree, list());
        Optional<CollectionDefinition> again = fresh.isPresent() ? fresh : ofTree(tree, listAgain());
        if (again.isEmpty() && !unreadable.isEmpty()) {
            throw new CorruptDataException(
                    "the catalog does not show whose tree this is, since entries of it cannot be read; restore them, or"
                            + " use a newer penstock",
                    "tree",
                    tree,
                    "unreadable",
                    String.join(",", unreadable().keySet()));
        }
        return again;
    }

    /** As {@link #ofTree(TreeId)}, but only from the definitions that this client knows. */
    public Optional<CollectionDefinition> knownOfTree(TreeId tree) {
        return ofTree(tree, List.copyOf(known.values()));
    }

    private static Optional<CollectionDefinition> ofTree(TreeId tree, List<CollectionDefinition> definitions) {
        return definitions.stream()
                .filter(definition -> definition.trees().anyMatch(tree::equals) || definition.hasDropped(tree))
                .findFirst();
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
                CollectionDefinition.FORMAT, name, tree.hex(), keys, pageBytes, indexes, 0, 0, List.of(), null);
    }
}
