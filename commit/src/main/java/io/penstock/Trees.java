package io.penstock;

import io.penstock.btree.BLinkTree;
import io.penstock.btree.TreeCompaction;
import io.penstock.btree.TreeGarbage;
import io.penstock.btree.TreeSettings;
import io.penstock.btree.TreeWriter;
import io.penstock.commit.catalog.Catalog;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.core.Compression;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.TreeId;
import io.penstock.core.page.StoredPage;
import io.penstock.core.pool.PageManager;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordManager;
import io.penstock.core.record.TreeScan;
import io.penstock.core.record.VersionedRecord;
import io.penstock.core.task.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** The trees of a store as one lane reads and writes them. Safe for use by many threads. */
final class Trees {
    /** Leaves that a read of many keys asks for at a time. */
    private static final int READS_MAX = 32;

    private final Catalog catalog;
    private final PageManager pages;
    private final Tasks tasks;
    private final int parallelWidth;
    private final int readaheadMax;
    private final int blockBytes;
    private final Map<TreeId, BLinkTree> readers = new ConcurrentHashMap<>();
    private final Map<TreeId, RecordManager> records = new ConcurrentHashMap<>();
    private final Map<TreeId, TreeWriter> writers = new ConcurrentHashMap<>();

    /**
     * @param parallelWidth how many pages one call writes at a time
     * @param readaheadMax how many leaves that a scan will need may be on their way at a time
     * @param blockBytes how much of a large leaf is read at first; 0 for all
     */
    Trees(Catalog catalog, PageManager pages, Tasks tasks, int parallelWidth, int readaheadMax, int blockBytes) {
        this.catalog = catalog;
        this.pages = pages;
        this.tasks = tasks;
        this.parallelWidth = parallelWidth;
        this.readaheadMax = readaheadMax;
        this.blockBytes = blockBytes;
    }

    BLinkTree reader(TreeId tree) {
        return made(readers, tree, this::newReader);
    }

    /** As {@link Map#computeIfAbsent}, but no lock is held while the catalog is read. */
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
        // Of a compressed page no part can be read; but for that, the definition is worth no request.
        Optional<CollectionDefinition> known = blockBytes > 0 ? catalog.ofTree(tree) : catalog.knownOfTree(tree);
        boolean compressed = known.filter(definition -> definition.compressedBy() != Compression.NONE)
                .isPresent();
        int leafBytes = known.map(CollectionDefinition::pageBytes).orElse(TreeSettings.DEFAULT.leafBytesTarget());
        return new BLinkTree(pages, tree, readaheadMax, compressed ? 0 : blockBytes, leafBytes);
    }

    RecordManager records(TreeId tree) {
        return made(records, tree, id -> new RecordManager(reader(id), tasks, READS_MAX));
    }

    /** Hands over the live records of a tree, in the order of their keys, some at a time. */
    void inBatches(TreeId tree, int recordsMax, Consumer<List<VersionedRecord>> work) {
        try (TreeScan scan = records(tree).scan(KeyRange.all(), Direction.ASCENDING)) {
            List<VersionedRecord> batch = new ArrayList<>();
            scan.forEachRemaining(record -> {
                batch.add(record);
                if (batch.size() == recordsMax) {
                    work.accept(List.copyOf(batch));
                    batch.clear();
                }
            });
            if (!batch.isEmpty()) {
                work.accept(batch);
            }
        }
    }

    TreeWriter writer(TreeId tree) {
        return findWriter(tree)
                .orElseThrow(() -> new InvalidRequestException("the store has no such tree", "tree", tree));
    }

    /** The writer of a tree, or empty when no collection of the store has such a tree. */
    Optional<TreeWriter> findWriter(TreeId tree) {
        TreeWriter known = writers.get(tree);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<TreeWriter> fresh = catalog.ofTree(tree).map(definition -> newWriter(tree, definition));
        fresh.ifPresent(writer -> writers.put(tree, writer));
        return fresh;
    }

    /** What finds pages of a tree that nothing refers to. */
    TreeGarbage garbage(TreeId tree, CollectionDefinition definition) {
        return new TreeGarbage(pages, tree, settings(definition), tasks);
    }

    /** What gives space of a tree back. */
    TreeCompaction compaction(TreeId tree, CollectionDefinition definition, int joinedPercentMax) {
        return new TreeCompaction(pages, tree, settings(definition), tasks, joinedPercentMax);
    }

    private TreeWriter newWriter(TreeId tree, CollectionDefinition definition) {
        return new TreeWriter(pages, tree, settings(definition).withParallelWidth(parallelWidth), tasks);
    }

    /** @throws InvalidRequestException when its pages are compressed by something that is not on the class path */
    static TreeSettings settings(CollectionDefinition definition) {
        StoredPage.requireUsable(definition.compressedBy());
        return TreeSettings.DEFAULT.withPageBytes(definition.pageBytes()).withCompression(definition.compressedBy());
    }
}
