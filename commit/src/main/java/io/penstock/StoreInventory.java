package io.penstock;

import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.task.Parallel;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What the clients of a store share on its servers: which of it must be there, and which is missing. */
final class StoreInventory {
    /** Queues that are asked for or made at a time. */
    private static final int WIDTH = 8;

    /** Names of missing things in one message. */
    private static final int NAMED_MAX = 20;

    private final Engine engine;
    private final int partitions;

    /** @throws InvalidRequestException when the layout makes queues as trees grow, so that no list of them is whole */
    StoreInventory(Engine engine) {
        this.engine = engine;
        this.partitions = switch (engine.settings.layout()) {
            case Layout.Partitioned partitioned -> partitioned.queues();
            case Layout.PerLeaf perLeaf ->
                throw new InvalidRequestException(
                        "the per-leaf layout makes a queue for each new leaf, so they cannot be there before; use a"
                                + " partitioned layout or provisioning CREATE");
        };
    }

    /** The PU queues that the collections of the catalog need in this client's layout; each has a lock queue too. */
    private List<PuQueueId> wanted(List<CollectionDefinition> collections) {
        return collections.stream()
                .flatMap(CollectionDefinition::queuedTrees)
                .flatMap(tree -> IntStream.range(0, partitions).mapToObj(part -> PuQueueId.partition(tree, part)))
                .toList();
    }

    /** Makes the queues that are missing. */
    void create() {
        create(engine.catalog.list());
    }

    /** Makes the queues of one collection that are missing. */
    void create(CollectionDefinition collection) {
        create(List.of(collection));
    }

    private void create(List<CollectionDefinition> collections) {
        Parallel.map(engine.tasks, WIDTH, wanted(collections), engine.background.puQueues()::open);
    }

    /** @throws InvalidRequestException with a list of the queues that are missing, if any is */
    void require() {
        List<String> missing = Parallel.map(engine.tasks, WIDTH, wanted(engine.catalog.list()), this::missing).stream()
                .flatMap(List::stream)
                .toList();
        if (!missing.isEmpty()) {
            String more = missing.size() > NAMED_MAX ? " and " + (missing.size() - NAMED_MAX) + " more" : "";
            throw new InvalidRequestException(
                    "queues are missing and this client may not create them; create them with Penstock.provision",
                    "missing",
                    String.join(",", missing.subList(0, Math.min(NAMED_MAX, missing.size()))) + more);
        }
    }

    private List<String> missing(PuQueueId id) {
        return Stream.of(engine.names.pu(id), engine.names.lock(id))
                .filter(name -> engine.background.queues().find(name).isEmpty())
                .toList();
    }
}
