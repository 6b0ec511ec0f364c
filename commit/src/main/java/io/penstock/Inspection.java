package io.penstock;

import io.penstock.btree.TreeCheck;
import io.penstock.btree.TreeReport;
import io.penstock.commit.catalog.Catalog;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.catalog.IndexDefinition;
import io.penstock.commit.checkpoint.LedgerStore;
import io.penstock.commit.checkpoint.LogCheckpoints;
import io.penstock.commit.client.ClientRegistry;
import io.penstock.commit.engine.ServerPath;
import io.penstock.commit.engine.StoreState;
import io.penstock.commit.inspect.PageDescription;
import io.penstock.commit.inspect.TextFormat;
import io.penstock.commit.inspect.TreeOutline;
import io.penstock.commit.query.KeyShape;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.commit.upkeep.StoreContents;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.memory.WorkMemory;
import io.penstock.core.memory.Workspace;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.page.StoredPage;
import io.penstock.core.pool.PageFrame;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueDepth;
import io.penstock.core.task.Parallel;
import io.penstock.feed.Commit;
import io.penstock.report.LogStats;
import io.penstock.report.StoreStats;
import io.penstock.report.StoredCollection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A look into a store: its sizes, and descriptions of its pages, trees, queues and clients in words, a line for each.
 * Changes nothing, hides no message from others, and shows payloads only in {@link #changes}. The parts of a store at
 * work are seen at different moments. Safe for use by many threads.
 *
 * <p>Each method throws {@link InvalidRequestException} for a name that the store does not have, {@link
 * io.penstock.core.CorruptDataException} for a page that cannot be read, and {@link
 * io.penstock.core.UnavailableException}.
 */
public final class Inspection {
    private static final String HEX = "[0-9a-f]{16}";

    /** The number of trees examined at a time. */
    private static final int WIDTH = 8;

    private final Penstock store;
    private final StoreState handle;
    private final WorkMemory memory;
    private final ServerPath lane;
    private final Catalog catalog;
    private final LedgerStore ledgers;
    private final ClientRegistry registry;
    private final LogCheckpoints logs;

    Inspection(Penstock store, StoreState handle, WorkMemory memory, StoreContents contents, ClientRegistry registry) {
        this.store = store;
        this.handle = handle;
        this.memory = memory;
        this.lane = contents.lane();
        this.catalog = contents.trees().catalog();
        this.ledgers = contents.ledgers();
        this.registry = registry;
        this.logs = contents.logs();
    }

    /** The sizes of the store. Reads every page, and lists every object. */
    public StoreStats stats() {
        handle.requireOpen();
        Map<TreeId, Long> stored = new HashMap<>();
        Map<String, StoreStats.Objects> folders = new TreeMap<>();
        ObjectStores.listing(lane.objects(), lane.names().prefix() + "/").forEachRemaining(entry -> {
            lane.pages().pageAt(entry.key()).ifPresent(page -> stored.merge(page.tree(), entry.bytes(), Long::sum));
            count(entry, folders);
        });
        List<StoreStats.Tree> trees =
                memory.lend(room -> Parallel.map(
                                room.tasks(),
                                WIDTH,
                                catalog.list(),
                                definition -> stats(definition, stored, room.part(WIDTH)))
                        .stream()
                        .flatMap(List::stream)
                        .toList());
        return sizes(trees, List.copyOf(folders.values()));
    }

    /** The commit logs and the unreadable definitions alone: what {@link #stats} tells without reading a page. */
    public StoreStats outline() {
        handle.requireOpen();
        return sizes(List.of(), List.of());
    }

    private StoreStats sizes(List<StoreStats.Tree> trees, List<StoreStats.Objects> folders) {
        return new StoreStats(
                trees, folders, logs.stats(), List.copyOf(catalog.unreadable().keySet()));
    }

    private List<StoreStats.Tree> stats(CollectionDefinition definition, Map<TreeId, Long> stored, Workspace room) {
        List<StoreStats.Tree> trees = new ArrayList<>();
        trees.add(stats(definition, "", definition.treeId(), stored, room));
        for (IndexDefinition index : definition.indexes()) {
            trees.add(stats(definition, index.name(), index.treeId(), stored, room));
        }
        return trees;
    }

    private StoreStats.Tree stats(
            CollectionDefinition definition, String index, TreeId tree, Map<TreeId, Long> stored, Workspace room) {
        TreeReport report = TreeCheck.run(lane.pages(), tree, room);
        return new StoreStats.Tree(
                definition.name(),
                index,
                report.levels().size(),
                report.pages(),
                report.levels().stream().mapToLong(TreeReport.Level::bytes).sum(),
                stored.getOrDefault(tree, 0L),
                report.records(),
                report.tombstones(),
                report.leafFill(definition.leafBytesTarget()));
    }

    private void count(Listing.Entry entry, Map<String, StoreStats.Objects> folders) {
        String path = entry.key().substring(lane.names().prefix().length() + 1);
        String folder = path.substring(0, Math.max(0, path.indexOf('/')));
        folders.merge(
                folder,
                new StoreStats.Objects(folder, 1, entry.bytes()),
                (a, b) -> new StoreStats.Objects(folder, a.count() + b.count(), a.bytes() + b.bytes()));
    }

    /** All collections, sorted by name, as the store keeps them. Reads no page. */
    public List<StoredCollection> collections() {
        handle.requireOpen();
        return catalog.list().stream().map(Inspection::stored).toList();
    }

    private static StoredCollection stored(CollectionDefinition definition) {
        return new StoredCollection(
                definition.name(),
                Optional.ofNullable(definition.domain()),
                KeyShape.of(definition.keys()).codecs(),
                definition.leafBytesTarget(),
                definition.compressedBy(),
                definition.indexes().stream()
                        .map(index -> new StoredCollection.Index(
                                index.name(), KeyShape.of(index.keys()).codecs(), index.unique(), index.isReady()))
                        .toList());
    }

    /**
     * The keys of a tree with the sizes of their payloads in bytes; reads no large payload. The keys of an index are
     * pairs of a search key and the key of a record, as {@link Keys#pair} has them; records whose writers did not know
     * the index are missing, and entries that do not fit their records any more are there.
     *
     * @param index a secondary index of the collection; empty for the records themselves
     */
    public Scan<Entry<Bytes, Long>> keys(String collection, String index, KeySpan<Bytes> span) {
        handle.requireOpen();
        TreeId tree = treeId(collection, index);
        return store.session().scan(store.rawCollection(collection), reads -> reads.sizes(tree, span));
    }

    /**
     * The transactions of one segment of a domain's commit log that changed records. Large values are left out.
     *
     * @param segment the number of the segment, as {@link LogStats} counts them
     */
    public List<Commit> changes(String domain, long segment) {
        return store.segment(domain, segment);
    }

    /**
     * A tree, a line for each page.
     *
     * @param index a secondary index of the collection; empty for the records themselves
     * @param pagesMax the maximum number of pages shown of each level
     */
    public List<String> tree(String collection, String index, int pagesMax) {
        handle.requireOpen();
        return TreeOutline.of(lane.pages(), treeId(collection, index), pagesMax);
    }

    /**
     * One page.
     *
     * @param index the index, see {@link #tree}
     * @param number the page's number, 16 hexadecimal digits, as {@link #tree} shows it
     * @param keys whether to show keys, and a line for each entry
     */
    public List<String> page(String collection, String index, String number, boolean keys) {
        handle.requireOpen();
        requireHex("page", number);
        PageId id = new PageId(treeId(collection, index), Long.parseUnsignedLong(number, 16));
        PageFrame frame = lane.pages()
                .read(id)
                .orElseThrow(() -> new InvalidRequestException(
                        ErrorCode.NOT_FOUND,
                        "the tree has no such page; \"inspect tree\" lists its pages",
                        "page",
                        number));
        List<String> lines = new ArrayList<>();
        lines.add(object(lane.pages().objectKey(id)));
        lines.addAll(PageDescription.of(frame, keys));
        return lines;
    }

    /** Describes the object as it is now; it may have been written since the page was read. */
    private String object(String key) {
        return lane.objects()
                .getRange(key, 0, StoredPage.HEAD_BYTES)
                .flatMap(front -> StoredPage.describe(front.body()))
                .map(stored -> "object key=" + key + " bytes=" + stored.bytes() + " compression="
                        + stored.compression().label())
                .orElse("object key=" + key);
    }

    private TreeId treeId(String collection, String index) {
        CollectionDefinition definition = catalog.requireInUse(collection);
        return index.isEmpty()
                ? definition.treeId()
                : definition.requireIndex(index).treeId();
    }

    /** All PU queues of the store, a line for each: how many messages it holds, and whether its token is there. */
    public List<String> queues() {
        handle.requireOpen();
        return lane.puQueues().list().stream()
                .map(id -> id.name() + " of " + owner(id.tree()) + " "
                        + depth(lane.names().pu(id)))
                .toList();
    }

    /** One PU queue: its messages, its lock token, and what its ledger says of each client. */
    public List<String> queue(String name) {
        handle.requireOpen();
        PuQueueId id = PuQueueId.parse(name);
        List<String> lines = new ArrayList<>();
        lines.add("PU queue " + name + " of " + owner(id.tree()));
        lines.add("messages " + depth(lane.names().pu(id)));
        lines.add("lock tokens " + depth(lane.names().lock(id)));
        lines.add("home page=" + TextFormat.page(id.homePage().number()));
        lines.addAll(ledgers.describe(id));
        return lines;
    }

    private String owner(TreeId tree) {
        Optional<CollectionDefinition> definition = catalog.ofTree(tree);
        if (definition.isEmpty()) {
            return "no collection of the catalog";
        }
        String index = definition.get().indexes().stream()
                .filter(known -> known.treeId().equals(tree))
                .map(known -> " index=" + known.name())
                .findFirst()
                .orElse("");
        return "collection=" + definition.get().name() + index;
    }

    private String depth(String queue) {
        Optional<MessageQueue> found = lane.queues().find(queue);
        if (found.isEmpty()) {
            return "(no such queue)";
        }
        QueueDepth depth = found.get().depth();
        return "visible=" + depth.visible() + " in flight=" + depth.inFlight();
    }

    /** The commit logs of all domains of the store, a line or two for each. */
    public List<String> logs() {
        handle.requireOpen();
        return logs.all().stream()
                .flatMap(domain -> domain.survey().describe(0).stream())
                .toList();
    }

    /**
     * The commit log of one domain: its sizes, and its first segments that pages lack.
     *
     * @param segmentsMax the maximum number of segments shown
     */
    public List<String> log(String domain, int segmentsMax) {
        handle.requireOpen();
        return logs.all().stream()
                .filter(known -> known.name().equals(domain))
                .findFirst()
                .orElseThrow(() -> new InvalidRequestException(
                        ErrorCode.NOT_FOUND, "the store has no log of such a domain; check its name", "domain", domain))
                .survey()
                .describe(segmentsMax);
    }

    /** All clients that are known and not signed off, a line for each. */
    public List<String> clients() {
        handle.requireOpen();
        return registry.list().stream().map(this::line).toList();
    }

    /** One client: its state and its ATOMIC queue. */
    public List<String> client(String id) {
        handle.requireOpen();
        requireHex("client", id);
        ClientId client = ClientId.fromHex(id);
        String state = registry.list().stream()
                .filter(known -> known.client().equals(client))
                .map(this::line)
                .findFirst()
                .orElse(id + " is not known: it has signed off, or has never written");
        return List.of(state, "atomic queue " + depth(lane.names().atomic(client)));
    }

    private String line(ClientRegistry.Known known) {
        String state = known.retired() ? "retired" : registry.isDead(known) ? "silent" : "alive";
        return known.client().hex() + " " + state + " since " + TextFormat.time(known.modifiedMillis());
    }

    private static void requireHex(String what, String text) {
        if (!text.matches(HEX)) {
            throw new InvalidRequestException("an id is 16 hexadecimal digits; check it", what, text);
        }
    }
}
