package io.penstock.commit.indexing;

import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.catalog.CollectionDefinition.IndexDefinition;
import io.penstock.commit.client.Membership;
import io.penstock.commit.engine.Handle;
import io.penstock.commit.engine.StoreTrees;
import io.penstock.commit.settings.StoreSettings;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.memory.WorkMemory;
import io.penstock.core.task.Tasks;
import io.penstock.report.BuildProgress;
import io.penstock.report.IndexReport;
import io.penstock.report.ScrubReport;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The indexing of collections in use: builds, checks and scrubs of their indexes. Safe for use by many threads.
 *
 * @param provision makes the queues of a collection whose definition was changed, if this client may
 */
public record Indexing(
        Tasks tasks,
        WorkMemory memory,
        Handle handle,
        Membership membership,
        StoreTrees trees,
        StoreSettings.Limits limits,
        Consumer<CollectionDefinition> provision) {
    /** Builds the declared indexes of a collection that it was made without. */
    public void build(String collection, List<DeclaredIndex> declared, Consumer<BuildProgress> progress) {
        membership.join();
        memory.lend(room -> {
            new IndexBuild(this, room, collection, declared, progress).run();
            return true;
        });
    }

    /** Compares an index with the records of its collection. */
    public IndexReport check(CollectionDefinition collection, DeclaredIndex index) {
        return memory.lend(room -> new IndexCheck(
                        trees.fresh().apply(room), target(collection, index), collection.treeId(), tasks.nowMillis())
                .run());
    }

    /**
     * Writes the pending entries of an index, and removes those that are left over.
     *
     * @param stored reads the definition, once it is known that the clock is in step
     */
    public ScrubReport scrub(Supplier<CollectionDefinition> stored, DeclaredIndex index) {
        membership.serverClock().requireKnownInStep();
        CollectionDefinition collection = stored.get();
        return memory.lend(room -> new IndexScrub(
                        tasks, trees.fresh().apply(room), target(collection, index), collection.treeId(), limits)
                .run());
    }

    /**
     * Drops an index from the definition of its collection.
     *
     * @throws InvalidRequestException when the collection has no such index
     */
    public void drop(String collection, String indexName) {
        CollectionDefinition before = trees.catalog().require(collection);
        IndexDefinition index = before.index(indexName)
                .orElseThrow(() -> new InvalidRequestException(
                        "the collection has no such index; check its name",
                        "collection",
                        collection,
                        "index",
                        indexName));
        trees.catalog()
                .change(
                        collection,
                        definition -> definition
                                        .index(indexName)
                                        .filter(index::isSameTree)
                                        .isPresent()
                                ? definition.dropping(index)
                                : definition);
    }

    private static LeafIndexing.Target target(CollectionDefinition collection, DeclaredIndex index) {
        return new LeafIndexing.Target(index.in(collection).orElseThrow(), index.entryOf());
    }
}
