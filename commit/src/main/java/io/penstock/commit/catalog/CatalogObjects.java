package io.penstock.commit.catalog;

import io.penstock.commit.catalog.DefinitionCache.Stored;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.Written;
import java.util.Optional;

/** The objects of a catalog's entries, one for each name. Safe for use by many threads. */
final class CatalogObjects {
    private final ObjectStore objects;
    private final String prefix;

    /** @param prefix of the objects' keys, such as {@code store/catalog/} */
    CatalogObjects(ObjectStore objects, String prefix) {
        this.objects = objects;
        this.prefix = prefix;
    }

    Optional<Stored> read(String name) {
        return objects.get(key(name)).map(object -> stored(name, object));
    }

    /** Writes a definition under its name. Throws what a conditional put throws. */
    Stored write(CollectionDefinition definition, WriteCondition condition) {
        Written written = objects.put(key(definition.name()), CatalogEntry.encode(definition), condition);
        return new Stored(definition, written.version());
    }

    private Stored stored(String name, StoredObject object) {
        return new Stored(CatalogEntry.decode(name, object.body(), key(name), object.version()), object.version());
    }

    private String key(String name) {
        return prefix + name + Catalog.SUFFIX;
    }
}
