package io.penstock.commit.indexing;

import io.penstock.commit.bulk.BulkLoad;
import io.penstock.commit.catalog.Catalog;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.engine.Engine;
import io.penstock.commit.engine.Handle;
import io.penstock.commit.settings.StoreSettings;
import io.penstock.core.task.Tasks;
import java.util.function.Consumer;

/** The parts of an open store that its collections stand on. */
public record CollectionParts(
        Handle handle, Tasks tasks, StoreSettings settings, Catalog catalog, BulkLoad.Parts loads, Indexing indexing) {
    /** @param create makes the queues of a new collection */
    public static CollectionParts of(Engine engine, StoreSettings settings, Consumer<CollectionDefinition> create) {
        Tasks tasks = engine.services().tasks();
        Handle handle = engine.handle();
        boolean provisioning = settings.routing().queuesPerTree().isPresent() && handle.mayDefine();
        Indexing indexing = new Indexing(
                tasks,
                engine.memory(),
                handle,
                engine.membership(),
                engine.trees(),
                settings.limits(),
                provisioning ? create : definition -> {});
        BulkLoad.Parts loads =
                new BulkLoad.Parts(engine.memory(), engine.foreground().pages(), engine.clock(), engine.payloads());
        return new CollectionParts(handle, tasks, settings, engine.trees().catalog(), loads, indexing);
    }
}
