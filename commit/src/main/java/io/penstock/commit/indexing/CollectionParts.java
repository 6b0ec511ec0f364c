package io.penstock.commit.indexing;

import io.penstock.commit.bulk.BulkLoad;
import io.penstock.commit.bulk.EndedLoads;
import io.penstock.commit.catalog.Catalog;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.checkpoint.LogCheckpoints;
import io.penstock.commit.engine.StoreState;
import io.penstock.commit.engine.StoreTrees;
import io.penstock.commit.settings.StoreSettings;
import io.penstock.core.task.Tasks;
import java.util.function.Consumer;

/** The parts of an open store that its collections stand on. */
public record CollectionParts(
        StoreState handle,
        Tasks tasks,
        StoreSettings settings,
        Catalog catalog,
        BulkLoad.Parts loads,
        EndedLoads endedLoads,
        Indexing indexing) {
    /** @param create makes the queues of a new collection */
    public static CollectionParts of(
            StoreState handle,
            StoreSettings settings,
            StoreTrees trees,
            BulkLoad.Parts loads,
            LogCheckpoints logs,
            Consumer<CollectionDefinition> create) {
        boolean provisioning = settings.knowsQueues() && handle.mayDefine();
        Indexing indexing = new Indexing(
                loads.tasks(),
                loads.memory(),
                handle,
                loads.membership(),
                trees,
                logs,
                provisioning ? create : definition -> {});
        return new CollectionParts(
                handle, loads.tasks(), settings, trees.catalog(), loads, new EndedLoads(loads), indexing);
    }
}
