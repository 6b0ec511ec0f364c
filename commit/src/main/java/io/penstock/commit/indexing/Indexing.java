package io.penstock.commit.indexing;

import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.catalog.IndexDefinition;
import io.penstock.commit.checkpoint.LogCheckpoints;
import io.penstock.commit.client.ClientContext;
import io.penstock.commit.client.ServerTimeTasks;
import io.penstock.commit.domain.Intent.TransactionId;
import io.penstock.commit.engine.StoreState;
import io.penstock.commit.engine.StoreTrees;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.Bytes;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.TreeId;
import io.penstock.core.memory.WorkMemory;
import io.penstock.core.task.Tasks;
import io.penstock.report.BuildProgress;
import io.penstock.report.IndexReport;
import io.penstock.report.ScrubReport;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The indexing of collections in use: builds, checks and scrubs of their indexes. Safe for use by many threads.
 *
 * @param provision makes the queues of a collection whose definition was changed, if this client may
 */
public record Indexing(
        Tasks tasks,
        WorkMemory memory,
        StoreState handle,
        ClientContext membership,
        StoreTrees trees,
        LogCheckpoints logs,
        Consumer<CollectionDefinition> provision) {
    /** Builds the declared indexes of a collection that it was made without. */
    public void build(String collection, List<DeclaredIndex> declared, Consumer<BuildProgress> progress) {
        membership.join();
        memory.lend(room -> {
            new IndexBuild(this, room, collection, declared, progress).run();
            declared.stream()
                    .filter(DeclaredIndex::unique)
                    .forEach(index -> new UniqueProof(this, collection, index).run());
            return true;
        });
    }

    /**
     * Gives the root of a collection on its way into a domain an epoch that no load from before takes: each such load
     * is done by now, or fails.
     */
    public void endLoads(CollectionDefinition moving) {
        LeafIndexing.markRoot(trees.background(), moving.treeId(), moving.epoch());
    }

    /**
     * Writes the leaves of kept records again, where these are of a collection on its way into a domain: a repeated
     * application of them is done by now, or fails.
     */
    public void endReplays(CollectionDefinition moving, List<LogRecord> records) {
        Set<TreeId> trees = moving.trees().collect(Collectors.toSet());
        LogRecord.byTree(records).forEach((tree, ofTree) -> {
            if (trees.contains(tree)) {
                NavigableSet<Bytes> keys = new TreeSet<>();
                ofTree.forEach(record -> keys.add(record.change().key()));
                LeafIndexing.writeAgain(this.trees.background(), tree, keys);
            }
        });
    }

    /** Compares an index with the records of its collection. */
    public IndexReport check(CollectionDefinition collection, DeclaredIndex index) {
        return check(collection, index, searchKey -> {});
    }

    /** @param repeated receives the search keys that several records have */
    IndexReport check(CollectionDefinition collection, DeclaredIndex index, Consumer<Bytes> repeated) {
        return memory.lend(room -> new IndexCheck(
                        trees.fresh().apply(room),
                        target(collection, index),
                        collection.treeId(),
                        membership.serverClock().nowMillis(),
                        repeated)
                .run());
    }

    /**
     * Returns search keys that several records have, up to a maximum; keys that change meanwhile may be among them or
     * not.
     */
    public List<Bytes> duplicates(CollectionDefinition collection, DeclaredIndex index, int atMost) {
        List<Bytes> found = new ArrayList<>();
        var unused = check(collection, index, searchKey -> {
            if (found.size() < atMost) {
                found.add(searchKey);
            }
        });
        return found;
    }

    /**
     * Writes the pending entries of an index, and removes those that are left over.
     *
     * @param stored reads the definition, once it is known that the clock is in step
     */
    public ScrubReport scrub(Supplier<CollectionDefinition> stored, DeclaredIndex index) {
        membership.serverClock().requireKnownInStep();
        CollectionDefinition collection = stored.get();
        Tasks steady = new ServerTimeTasks(tasks, membership.serverClock());
        Optional<LoggedWrites> logged = Optional.ofNullable(collection.domain())
                .map(domain -> new LoggedWrites(
                        logs.domain(domain),
                        this::newTransaction,
                        collection.treeId(),
                        () -> trees.catalog()
                                .refresh(collection.name())
                                .filter(now -> domain.equals(now.domain()) && now.moving() == null)
                                .isPresent()));
        return memory.lend(room -> new IndexScrub(
                        steady, trees.fresh().apply(room), target(collection, index), collection.treeId(), logged)
                .run());
    }

    private TransactionId newTransaction() {
        return new TransactionId(membership.client(), tasks.random().nextLong());
    }

    /** Puts a fence for a collection into the log of its domain, and returns the time of its stamp. */
    long fence(String domain, CollectionDefinition collection) {
        return logs.fence(domain, newTransaction(), collection.treeId());
    }

    /**
     * Drops an index from the definition of its collection.
     *
     * <p>In a domain it is retired first; then a fence in the log brings all its entries on pages, and makes each
     * reader look at the definition again. Only then writers leave out its entries. A drop that was cut short leaves an
     * index that is still to be built.
     *
     * @throws InvalidRequestException when the collection has no such index
     */
    public void drop(String collection, String indexName) {
        CollectionDefinition before = trees.catalog().require(collection);
        IndexDefinition index = before.requireIndex(indexName);
        boolean there = true;
        while (there) { // again where others have built it meanwhile, and perhaps retired it since
            CollectionDefinition retired = change(
                    before,
                    index,
                    definition ->
                            definition.domain() == null ? definition.dropping(index) : retired(definition, index));
            String domain = retired.domain();
            if (domain == null) {
                return;
            }
            membership.join();
            var unused = fence(domain, retired);
            IndexDefinition fenced = retired.index(indexName).orElse(index);
            there = change(
                            before,
                            index,
                            definition -> isRetired(definition, fenced) ? definition.dropping(index) : definition)
                    .indexes()
                    .stream()
                    .anyMatch(index::isSameTree);
        }
    }

    private CollectionDefinition retired(CollectionDefinition definition, IndexDefinition index) {
        return isReady(definition, index)
                ? definition.retiring(index, () -> TreeId.draw(tasks.random(), definition.name() + "/" + index.name()))
                : definition;
    }

    /** Whether an index is as it was when the fence was put, for whose readers that was. */
    private static boolean isRetired(CollectionDefinition definition, IndexDefinition fenced) {
        return definition
                .index(fenced.name())
                .filter(now -> now.isSameBuild(fenced) && !now.isReady())
                .isPresent();
    }

    private static boolean isReady(CollectionDefinition definition, IndexDefinition index) {
        return definition.index(index.name()).filter(IndexDefinition::isReady).isPresent();
    }

    /** Changes the definition of a collection as long as it has an index. */
    private CollectionDefinition change(
            CollectionDefinition collection, IndexDefinition index, UnaryOperator<CollectionDefinition> change) {
        return trees.catalog()
                .change(
                        collection.name(),
                        definition -> definition
                                        .index(index.name())
                                        .filter(index::isSameTree)
                                        .isPresent()
                                ? change.apply(definition)
                                : definition);
    }

    private static LeafIndexing.Target target(CollectionDefinition collection, DeclaredIndex index) {
        IndexDefinition stored = index.in(collection).orElseThrow();
        return new LeafIndexing.Target(stored, index.entryOf(stored));
    }
}
