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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
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

    /** The number of objects that are read at a time: at first, and then. */
    private static final int WIDTH_AT_FIRST = 4;

    private static final int WIDTH = 16;

    private static final SummaryPart NOTHING = new SummaryPart(new TreeId(0), List.of(), List.of());

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

    /** The content of an object; one that is damaged or of another tree is without leaves. */
    private record Read(SummaryPart part, long bytes) {}

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

    /** Begins to read the summaries of a tree, unless those in memory are of the last minute. */
    public SummaryReading read(TreeId tree) {
        Loaded known = trees.get(tree);
        long now = tasks.nanoTime();
        if (known != null && now - known.nanos <= KEPT.toNanos()) {
            return new SummaryReading(known.parts);
        }
        Task<Optional<Read>> first = tasks.fork("summaries", () -> read(tree, 0));
        Task<List<SummaryPart>> all = tasks.fork("summaries", () -> {
            Loaded loaded = load(tree, first, now);
            keep(tree, loaded);
            return loaded.parts;
        });
        // Old ones are as good as some to guess from.
        return new SummaryReading(
                () -> known == null ? first.join().stream().map(Read::part).toList() : known.parts, all::join);
    }

    /** Whether nothing is known of the summaries of a tree. */
    public boolean isNew(TreeId tree) {
        return !trees.containsKey(tree);
    }

    /** The summaries of a tree, as of the last minute. */
    List<SummaryPart> of(TreeId tree) {
        return read(tree).all();
    }

    /** Whether a tree has summaries of these fields. */
    public boolean isOf(TreeId tree, List<Field<?>> fields) {
        List<SummaryPart.Named> named =
                fields.stream().map(SummaryPart.Named::of).toList();
        return of(tree).stream().anyMatch(part -> part.fields().equals(named));
    }

    /** Reads objects by their numbers, up to the first that is not there. */
    private Loaded load(TreeId tree, Task<Optional<Read>> first, long now) {
        List<SummaryPart> parts = new ArrayList<>();
        long bytes = 0;
        int width = WIDTH_AT_FIRST;
        for (int next = 0; ; next += width, width = WIDTH) {
            List<Integer> numbers = IntStream.range(next, next + width).boxed().toList();
            List<Read> there =
                    Parallel.map(tasks, width, numbers, number -> number == 0 ? first.join() : read(tree, number))
                            .stream()
                            .takeWhile(Optional::isPresent)
                            .flatMap(Optional::stream)
                            .toList();
            bytes += there.stream().mapToLong(Read::bytes).sum();
            there.forEach(read -> parts.add(read.part));
            if (bytes > bytesMax) {
                LOG.warn("the summaries of a tree do not fit into memory and are not used tree={}", tree.hex());
                return new Loaded(List.of(), 0, now);
            }
            if (there.size() < width) {
                return new Loaded(parts, bytes, now);
            }
        }
    }

    private void keep(TreeId tree, Loaded loaded) {
        long others = trees.values().stream().mapToLong(Loaded::bytes).sum();
        if (others + loaded.bytes > bytesMax) {
            trees.clear();
        }
        trees.put(tree, loaded);
    }

    /** The content of an object; empty when there is none. */
    private Optional<Read> read(TreeId tree, int number) {
        String key = key(tree, number);
        try {
            return objects.get(key).map(object -> {
                SummaryPart part = SummaryPart.decode(object.body(), key);
                return new Read(
                        part.tree().equals(tree) ? part : NOTHING, object.body().length());
            });
        } catch (CorruptDataException damaged) {
            LOG.warn("summaries are damaged and not used; build them again why={}", damaged.getMessage());
            return Optional.of(new Read(NOTHING, 0));
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
