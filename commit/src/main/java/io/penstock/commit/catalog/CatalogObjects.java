package io.penstock.commit.catalog;

import io.penstock.commit.catalog.DefinitionCache.Stored;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.StoreException;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.Written;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects of a catalog's entries, one for each name, and a mark beside each, which proves that it was there. An
 * entry is never removed, so one that is missing beside its mark is lost: no client takes its collection for a new one.
 * An entry that cannot be read is logged, and left out of listings. Decision 0016. Safe for use by many threads.
 */
final class CatalogObjects {
    private static final Logger LOG = LoggerFactory.getLogger(CatalogObjects.class);

    static final String ENTRY = ".json";
    static final String MARK = ".mark";

    /** The content of a mark. No program reads it; it is for people who come upon the object. */
    private static final Bytes DEFINED = Bytes.utf8("this collection is defined\n");

    /** The maximum size of a definition, in bytes: far above any. */
    private static final int DEFINITION_BYTES_MAX = 1 << 20;

    private final Tasks tasks;
    private final ObjectStore objects;
    private final String prefix;
    private final DefinitionCache known;

    /** The collections whose entries could not be read when they were listed last, and why. */
    private final Map<String, String> unreadable = new ConcurrentHashMap<>();

    /** @param prefix of the objects' keys, such as {@code store/catalog/} */
    CatalogObjects(Tasks tasks, ObjectStore objects, String prefix, DefinitionCache known) {
        this.tasks = tasks;
        this.objects = objects;
        this.prefix = prefix;
        this.known = known;
        CatalogEntry.prepare();
    }

    /**
     * The entry of a name; empty when there never was one.
     *
     * @throws CorruptDataException when it is damaged, or lost
     */
    Optional<Stored> read(String name) {
        long nanos = tasks.nanoTime();
        Optional<StoredObject> found = objects.get(key(name, ENTRY));
        if (found.isEmpty() && isMarked(name)) {
            found = objects.get(key(name, ENTRY)); // both may have been written since
            if (found.isEmpty()) {
                throw new CorruptDataException(
                        ErrorCode.CATALOG_DAMAGED,
                        "a collection's definition is lost, its records are not; restore the object from a backup. To"
                                + " begin with an empty collection instead, remove the mark",
                        "collection",
                        name,
                        "key",
                        key(name, ENTRY),
                        "mark",
                        key(name, MARK));
            }
        }
        return found.map(object -> stored(name, object, nanos));
    }

    private boolean isMarked(String name) {
        try {
            return objects.get(key(name, MARK)).isPresent();
        } catch (CorruptDataException damaged) {
            return true; // whatever it says by now, it was written
        }
    }

    /** Writes a definition under its name. Throws what a conditional put throws. */
    Stored write(CollectionDefinition definition, WriteCondition condition) {
        long nanos = tasks.nanoTime();
        Written written = objects.put(key(definition.name(), ENTRY), CatalogEntry.encode(definition), condition);
        if (condition.equals(WriteCondition.IF_ABSENT)) {
            mark(List.of(definition.name()));
        }
        return new Stored(definition, written.version(), nanos);
    }

    /** Marks entries that are there. A failure is left to the next garbage collection. */
    void mark(List<String> names) {
        try {
            Parallel.map(
                    tasks, Catalog.WIDTH, names, name -> objects.put(key(name, MARK), DEFINED, WriteCondition.ALWAYS));
        } catch (StoreException failure) {
            LOG.debug("entries of the catalog could not be marked why={}", failure.getMessage());
        }
    }

    private Stored stored(String name, StoredObject object, long nanos) {
        String key = key(name, ENTRY);
        return new Stored(CatalogEntry.decode(name, object.body(), key, object.version()), object.version(), nanos);
    }

    private String key(String name, String suffix) {
        return prefix + name + suffix;
    }

    /** @param read of an entry that is not too large to be a definition */
    List<CollectionDefinition> list(Function<Listing.Entry, Optional<CollectionDefinition>> read) {
        List<Listing.Entry> entries = entriesAndLost();
        unreadable.keySet().retainAll(entries.stream().map(this::name).collect(Collectors.toSet()));
        return Parallel.map(tasks, Catalog.WIDTH, entries, entry -> attempt(name(entry), () -> small(entry, read)))
                .stream()
                .flatMap(Optional::stream)
                .collect(Collectors.toMap(
                        CollectionDefinition::name, found -> found, CatalogObjects::newer, TreeMap::new))
                .values()
                .stream()
                .toList();
    }

    /** Returns the newer of two definitions of a renamed collection that was found by two names. */
    private static CollectionDefinition newer(CollectionDefinition a, CollectionDefinition b) {
        return b.isNewerThan(a) ? b : a;
    }

    /** Reads an entry, and refuses one that is too large to be a definition: many are read at a time. */
    private static Optional<CollectionDefinition> small(
            Listing.Entry entry, Function<Listing.Entry, Optional<CollectionDefinition>> read) {
        if (entry.bytes() > DEFINITION_BYTES_MAX) {
            throw new CorruptDataException(
                    ErrorCode.CATALOG_DAMAGED,
                    "a definition is larger than any can be; restore it",
                    "key",
                    entry.key(),
                    "bytes",
                    entry.bytes());
        }
        return read.apply(entry);
    }

    /** Reads a definition; returns the known one when the collection's entry cannot be read. */
    Optional<CollectionDefinition> attempt(String name, Supplier<Optional<CollectionDefinition>> read) {
        try {
            Optional<CollectionDefinition> found = read.get();
            unreadable.remove(name);
            return found;
        } catch (CorruptDataException damaged) {
            String why = String.valueOf(damaged.getMessage());
            if (unreadable.put(name, why) == null) {
                LOG.warn("a collection is left out, because its definition cannot be read name={} why={}", name, why);
            }
            return Optional.ofNullable(known.get(name)).map(DefinitionCache.Stored::definition);
        }
    }

    /** The collections whose entries could not be read when they were listed last, by name, and why. */
    SortedMap<String, String> unreadable() {
        return new TreeMap<>(unreadable);
    }

    /** The time of each definition's last change, in the servers' milliseconds since 1970. */
    Map<String, Long> changedMillis() {
        Map<String, Long> changed = new HashMap<>();
        listed().entries.forEach((name, entry) -> changed.put(name, entry.modifiedMillis()));
        return changed;
    }

    /** The name that an entry, or a mark, belongs to. */
    String name(Listing.Entry entry) {
        return entry.key().substring(prefix.length(), entry.key().lastIndexOf('.'));
    }

    /** The objects of the catalog, by the names they belong to. Objects with other keys are ignored. */
    private record Listed(SortedMap<String, Listing.Entry> entries, SortedMap<String, Listing.Entry> marks) {}

    private Listed listed() {
        Listed listed = new Listed(new TreeMap<>(), new TreeMap<>());
        for (Listing.Entry object : ObjectStores.listAll(objects, prefix)) {
            if (object.key().endsWith(ENTRY)) {
                listed.entries.put(name(object), object);
            } else if (object.key().endsWith(MARK)) {
                listed.marks.put(name(object), object);
            }
        }
        return listed;
    }

    /** The entries, and the marks of those that are missing: a read of such a name fails, because the entry is lost. */
    private List<Listing.Entry> entriesAndLost() {
        Listed listed = listed();
        listed.marks.putAll(listed.entries);
        return List.copyOf(listed.marks.values());
    }

    /** The names whose entries have no mark. */
    List<String> unmarked() {
        Listed listed = listed();
        listed.entries.keySet().removeAll(listed.marks.keySet());
        return List.copyOf(listed.entries.keySet());
    }
}
