package io.penstock.commit.query;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.TreeId;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import io.penstock.query.Field;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects with summaries, {@code <prefix>summaries/<tree>/<number>}. A summary proves itself by the version of its
 * page, so that objects of several builds may be there, and old ones. Safe for use by many threads.
 */
public final class SummaryStore {
    private static final Logger LOG = LoggerFactory.getLogger(SummaryStore.class);

    private static final String FOLDER = "summaries/";

    /** The time after which a tree's summaries are listed again: old ones are of less use, and never wrong. */
    private static final Duration KEPT = Duration.ofMinutes(1);

    /** The number of objects that are read at a time. */
    private static final int WIDTH = 16;

    private final ObjectStore objects;
    private final String prefix;
    private final Tasks tasks;
    private final long bytesMax;
    private final Map<TreeId, Loaded> trees = new ConcurrentHashMap<>();

    /**
     * The summaries of a tree in memory.
     *
     * @param bytes of their objects
     */
    record Loaded(List<SummaryPart> parts, long bytes, long nanos) {}

    /** @param bytesMax the most bytes of objects that are kept in memory; those of a tree that has more are not used */
    public SummaryStore(ObjectStore objects, String prefix, Tasks tasks, long bytesMax) {
        this.objects = objects;
        this.prefix = prefix;
        this.tasks = tasks;
        this.bytesMax = bytesMax;
    }

    /** The common prefix of the keys of all objects with summaries of a tree. */
    public static String keys(String prefix, TreeId tree) {
        return prefix + FOLDER + tree.hex() + "/";
    }

    /** The summaries of a tree, as of the last minute. */
    List<SummaryPart> of(TreeId tree) {
        Loaded known = trees.get(tree);
        long now = tasks.nanoTime();
        if (known == null || now - known.nanos > KEPT.toNanos()) {
            known = load(tree, now);
            keep(tree, known);
        }
        return known.parts;
    }

    /** Whether a tree has summaries of these fields. */
    public boolean isOf(TreeId tree, List<Field<?>> fields) {
        List<SummaryPart.Named> named =
                fields.stream().map(SummaryPart.Named::of).toList();
        return of(tree).stream().anyMatch(part -> part.fields().equals(named));
    }

    private Loaded load(TreeId tree, long now) {
        // Meanwhile the first object: many trees have no other.
        String first = key(tree, 0);
        Task<Optional<SummaryPart>> reading = tasks.fork("summaries", () -> read(tree, first));
        List<Listing.Entry> listed = ObjectStores.listAll(objects, keys(prefix, tree));
        Optional<SummaryPart> part = reading.join();
        long bytes = listed.stream().mapToLong(Listing.Entry::bytes).sum();
        if (bytes > bytesMax) {
            LOG.warn("the summaries of a tree do not fit into memory and are not used tree={}", tree.hex());
            return new Loaded(List.of(), 0, now);
        }
        List<SummaryPart> parts =
                Parallel.map(tasks, WIDTH, listed, entry -> entry.key().equals(first) ? part : read(tree, entry.key()))
                        .stream()
                        .flatMap(Optional::stream)
                        .toList();
        return new Loaded(parts, bytes, now);
    }

    private void keep(TreeId tree, Loaded loaded) {
        long others = trees.values().stream().mapToLong(Loaded::bytes).sum();
        if (others + loaded.bytes > bytesMax) {
            trees.clear();
        }
        trees.put(tree, loaded);
    }

    /** The content of an object; empty when it is gone, damaged or of another tree. */
    private Optional<SummaryPart> read(TreeId tree, String key) {
        try {
            return objects.get(key)
                    .map(object -> SummaryPart.decode(object.body(), key))
                    .filter(part -> part.tree().equals(tree));
        } catch (CorruptDataException damaged) {
            LOG.warn("summaries are damaged and not used; build them again why={}", damaged.getMessage());
            return Optional.empty();
        }
    }

    /** Puts one of the objects of a tree. */
    void put(int number, SummaryPart part) {
        Bytes body = part.encode();
        objects.put(key(part.tree(), number), body, WriteCondition.ALWAYS);
    }

    private String key(TreeId tree, int number) {
        return keys(prefix, tree) + "%08x".formatted(number);
    }

    /** Removes the objects of a tree from a number on. */
    void removeFrom(TreeId tree, int number) {
        String first = key(tree, number);
        List<String> rest = ObjectStores.listAll(objects, keys(prefix, tree)).stream()
                .map(Listing.Entry::key)
                .filter(key -> key.compareTo(first) >= 0)
                .toList();
        if (!rest.isEmpty()) {
            objects.deleteAll(rest);
        }
        trees.remove(tree);
    }

    /** Forgets what is in memory of a tree. */
    void forget(TreeId tree) {
        trees.remove(tree);
    }
}
