package io.penstock.commit.catalog;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.StoreException;
import io.penstock.core.TreeId;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The names of the collections that trees belong to, an object for each tree, so that a client that meets a tree for
 * the first time need not read the catalog as a whole. Hints: the catalog is what counts, and a name that is missing is
 * written by the next who had to look there. Safe for use by many threads.
 *
 * @param prefix of the objects' keys, such as {@code store/trees/}
 */
record TreeNames(Tasks tasks, ObjectStore objects, String prefix) {
    private static final Logger LOG = LoggerFactory.getLogger(TreeNames.class);

    /** The name of the collection that a tree seems to belong to. */
    Optional<String> find(TreeId tree) {
        try {
            return objects.get(key(tree)).map(object -> object.body().toUtf8()).filter(NameRule::allows);
        } catch (CorruptDataException damaged) {
            LOG.debug("the name of a tree cannot be read tree={} why={}", tree, damaged.getMessage());
            return Optional.empty();
        }
    }

    /** Writes names that are missing. A failure is left to the next who has to look: these are only hints. */
    void write(Map<TreeId, String> names) {
        try {
            Parallel.map(tasks, Catalog.WIDTH, List.copyOf(names.entrySet()), name -> {
                objects.put(key(name.getKey()), Bytes.utf8(name.getValue()), WriteCondition.ALWAYS);
                return true;
            });
        } catch (StoreException failure) {
            LOG.debug("names of trees could not be written why={}", failure.getMessage());
        }
    }

    /** Writes those of the names that the store does not have, after a look at all that it has. */
    void complete(Map<TreeId, String> names) {
        try {
            Set<String> there = ObjectStores.listAll(objects, prefix).stream()
                    .map(Listing.Entry::key)
                    .collect(Collectors.toSet());
            write(names.entrySet().stream()
                    .filter(name -> !there.contains(key(name.getKey())))
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
        } catch (StoreException failure) {
            LOG.debug("names of trees could not be listed why={}", failure.getMessage());
        }
    }

    private String key(TreeId tree) {
        return prefix + tree.hex();
    }
}
