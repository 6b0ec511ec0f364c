package io.penstock.commit.engine;

import io.penstock.btree.BLinkTree;
import io.penstock.btree.TreeCompaction;
import io.penstock.btree.TreeGarbage;
import io.penstock.btree.TreeSettings;
import io.penstock.btree.TreeWriter;
import io.penstock.commit.catalog.Catalog;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.core.Bytes;
import io.penstock.core.Compression;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.TreeId;
import io.penstock.core.memory.Workspace;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.overflow.OverflowParts;
import io.penstock.core.overflow.OverflowStore;
import io.penstock.core.page.StoredPage;
import io.penstock.core.pool.PageManager;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import io.penstock.core.record.RecordCursor;
import io.penstock.core.record.RecordManager;
import io.penstock.core.task.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** The trees of a store as one lane reads and writes them. Safe for use by many threads. */
public final class Trees {
    /** The number of leaves that a read of many keys asks for at a time. */
    private static final int READS_MAX = 32;

    /** The bytes of pages that one call reads or writes at a time: what is large is worked on one by one. */
    private static final long TOGETHER_BYTES_MAX = 16 << 20;

    /** The bytes of records that are handed over at a time. */
    private static final long BATCH_BYTES_MAX = 1 << 20;

    private final Catalog catalog;
    private final PageManager pages;
    private final OverflowStore overflows;
    private final Tasks tasks;
    private final Bounds bounds;
    private final Map<TreeId, BLinkTree> readers = new ConcurrentHashMap<>();
    private final Map<TreeId, RecordManager> records = new ConcurrentHashMap<>();
    private final Map<TreeId, TreeWriter> writers = new ConcurrentHashMap<>();

    /**
     * The value of {@link Catalog#changesOfPages} when the maps were empty last: their content goes by the sizes of
     * then.
     */
    private volatile int changesOfPages;

    /**
     * Bounds of one lane's work on trees.
     *
     * @param parallelWidth the most pages that one call writes at a time
     * @param readaheadMax the most leaves that a scan requests at a time before it needs them
     * @param blockBytes the part of a large leaf that is read at first; 0 for all
     */
    public record Bounds(int parallelWidth, int readaheadMax, int blockBytes) {}

    public Trees(Catalog catalog, PageManager pages, OverflowStore overflows, Tasks tasks, Bounds bounds) {
        this.catalog = catalog;
        this.pages = pages;
        this.overflows = overflows;
        this.tasks = tasks;
        this.bounds = bounds;
    }

    /** Returns these trees on other pages. */
    Trees on(PageManager others) {
        return new Trees(catalog, others, overflows, tasks, bounds);
    }

    public BLinkTree reader(TreeId tree) {
        forgetOutdated();
        return made(readers, tree, this::newReader);
    }

    private void forgetOutdated() {
        int changes = catalog.changesOfPages();
        if (changes != changesOfPages) {
            changesOfPages = changes;
            readers.clear();
            records.clear();
            writers.clear();
        }
    }

    /**
     * Returns the value of a tree, made when it is missing. Unlike {@link Map#computeIfAbsent}, this holds no lock
     * while the catalog is read.
     */
    private static <T> T made(Map<TreeId, T> all, TreeId tree, Function<TreeId, T> make) {
        T known = all.get(tree);
        if (known != null) {
            return known;
        }
        T fresh = make.apply(tree);
        T first = all.putIfAbsent(tree, fresh);
        return first == null ? fresh : first;
    }

    private BLinkTree newReader(TreeId tree) {
        // A compressed page cannot be read in parts; only for that the definition is worth a request.
        Optional<CollectionDefinition> known = bounds.blockBytes > 0 ? catalog.ofTree(tree) : catalog.knownOfTree(tree);
        boolean compressed = known.filter(definition -> definition.compressedBy() != Compression.NONE)
                .isPresent();
        return new BLinkTree(pages, tree, bounds.readaheadMax, compressed ? 0 : bounds.blockBytes, leafBytes(tree));
    }

    /** The size of a tree's leaves; a guess where its definition was not read yet. */
    private int leafBytes(TreeId tree) {
        return catalog.knownOfTree(tree)
                .map(CollectionDefinition::leafBytesMax)
                .orElse(TreeSettings.DEFAULT.leafBytesTarget());
    }

    public RecordManager records(TreeId tree) {
        forgetOutdated();
        return made(records, tree, id -> new RecordManager(reader(id), tasks, width(leafBytes(id), READS_MAX)));
    }

    /** The payload of a live record; empty when it was large, and is replaced by now. */
    public Optional<Bytes> payload(TreeId tree, RecordChange record) {
        Bytes payload = record.livePayload();
        return record.isReference() ? overflows.read(tree, OverflowParts.decode(payload)) : Optional.of(payload);
    }

    /** Hands over the live records of a tree, in the order of their keys, some at a time. */
    public void inBatches(TreeId tree, int recordsMax, Consumer<List<RecordChange>> work) {
        try (RecordCursor scan = records(tree).cursor(KeyRange.all(), Direction.ASCENDING)) {
            scan.expectAll();
            List<RecordChange> batch = new ArrayList<>();
            long bytes = 0;
            while (scan.advance()) {
                if (scan.isTombstone()) {
                    continue;
                }
                batch.add(scan.record().apart());
                bytes += batch.getLast().bytes();
                if (batch.size() == recordsMax || bytes >= BATCH_BYTES_MAX) {
                    work.accept(List.copyOf(batch));
                    batch.clear();
                    bytes = 0;
                }
            }
            if (!batch.isEmpty()) {
                work.accept(batch);
            }
        }
    }

    public TreeWriter writer(TreeId tree) {
        return findWriter(tree)
                .orElseThrow(() ->
                        new InvalidRequestException(ErrorCode.NOT_FOUND, "the store has no such tree", "tree", tree));
    }

    /** The writer of a tree, or empty when no collection of the store has such a tree. */
    public Optional<TreeWriter> findWriter(TreeId tree) {
        forgetOutdated();
        TreeWriter known = writers.get(tree);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<TreeWriter> fresh = catalog.ofTree(tree).map(definition -> newWriter(tree, definition));
        fresh.ifPresent(writer -> writers.put(tree, writer));
        return fresh;
    }

    /** The versions of the pages of a tree as the store has them now, by their numbers. */
    public Map<Long, ObjectVersion> versions(TreeId tree) {
        return pages.versions(tree, 0).get();
    }

    /** Invalidates the pages of a tree in memory: they are compared with the store before they are read again. */
    public void checkAgain(TreeId tree) {
        pages.pool().checkAgain(tree, pages.nanoTime());
    }

    /** The garbage collection of one tree. */
    public TreeGarbage garbage(TreeId tree, CollectionDefinition definition, Workspace room) {
        return new TreeGarbage(pages, tree, settings(definition), room);
    }

    /** The compaction of one tree. */
    public TreeCompaction compaction(
            TreeId tree, CollectionDefinition definition, Workspace room, int joinedPercentMax) {
        TreeCompaction.Choices choices = new TreeCompaction.Choices(joinedPercentMax, definition.hasChangedPages());
        return new TreeCompaction(pages, tree, settings(definition), room, choices);
    }

    private TreeWriter newWriter(TreeId tree, CollectionDefinition definition) {
        TreeSettings settings = settings(definition);
        int width = Math.min(bounds.parallelWidth, settings.parallelWidth());
        return new TreeWriter(pages, tree, settings.withParallelWidth(width), tasks);
    }

    /** Returns the number of pages of a size to work on at a time, such that they do not take too much memory. */
    private static int width(int pageBytes, int most) {
        return (int) Math.max(1, Math.min(most, TOGETHER_BYTES_MAX / pageBytes));
    }

    /** @throws InvalidRequestException when its pages are compressed by something that is not on the class path */
    public static TreeSettings settings(CollectionDefinition definition) {
        StoredPage.requireUsable(definition.compressedBy());
        TreeSettings sized = TreeSettings.DEFAULT
                .withPageBytes(definition.pageBytes())
                .withLeafBytes(definition.leafBytesTarget(), definition.leafBytesMax());
        return sized.withCompression(definition.compressedBy())
                .withParallelWidth(width(sized.pageBytesMax() / 2, TreeSettings.DEFAULT.parallelWidth()));
    }
}
