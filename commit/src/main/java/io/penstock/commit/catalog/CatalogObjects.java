package io.penstock.commit.catalog;

import io.penstock.commit.catalog.DefinitionCache.Stored;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.StoreException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.Written;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects of a catalog's entries, one for each name, and a mark beside each, which proves that it was there. An
 * entry is never removed, so one that is missing beside its mark is lost: no client takes its collection for a new one.
 * Decision 0016. Safe for use by many threads.
 */
final class CatalogObjects {
    private static final Logger LOG = LoggerFactory.getLogger(CatalogObjects.class);

    static final String ENTRY = ".json";
    static final String MARK = ".mark";

    /** The content of a mark. No program reads it; it is for people who come upon the object. */
    private static final Bytes DEFINED = Bytes.utf8("this collection is defined\n");

    private final Tasks tasks;
    private final ObjectStore objects;
    private final String prefix;

    /** @param prefix of the objects' keys, such as {@code store/catalog/} */
    CatalogObjects(Tasks tasks, ObjectStore objects, String prefix) {
        this.tasks = tasks;
        this.objects = objects;
        this.prefix = prefix;
        CatalogEntry.prepare();
    }

    /**
     * The entry of a name; empty when there never was one.
     *
     * @throws CorruptDataException when it is damaged, or lost
     */
    Optional<Stored> read(String name) {
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
        return found.map(object -> stored(name, object));
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
        Written written = objects.put(key(definition.name(), ENTRY), CatalogEntry.encode(definition), condition);
        if (condition.equals(WriteCondition.IF_ABSENT)) {
            mark(List.of(definition.name()));
        }
        return new Stored(definition, written.version());
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

    private Stored stored(String name, StoredObject object) {
        String key = key(name, ENTRY);
        return new Stored(CatalogEntry.decode(name, object.body(), key, object.version()), object.version());
    }

    private String key(String name, String suffix) {
        return prefix + name + suffix;
    }
}
