package io.penstock.commit.upkeep;

import io.penstock.commit.catalog.Catalog;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.engine.ServerPath;
import io.penstock.commit.protocol.Routing;
import io.penstock.commit.queue.IntakeQueues;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The queues that the clients of a store share: those that must be there, and those that are missing. For one thread.
 */
public final class StoreInventory {
    /** The number of queues that are asked for or made at a time. */
    private static final int WIDTH = 8;

    /** The maximum number of names of missing things in one message. */
    private static final int NAMED_MAX = 20;

    private final Tasks tasks;
    private final IntakeQueues intakes;
    private final boolean queued;
    private final Catalog catalog;
    private final ServerPath lane;
    private final OptionalInt queuesPerTree;

    /** @param queued whether the store has queues at all */
    public StoreInventory(Tasks tasks, Catalog catalog, ServerPath lane, Routing routing, boolean queued) {
        this.tasks = tasks;
        this.intakes = new IntakeQueues(lane.queues(), lane.names());
        this.queued = queued;
        this.catalog = catalog;
        this.lane = lane;
        this.queuesPerTree = routing.queuesPerTree();
    }

    /**
     * The PU queues that the collections of the catalog need in this client's layout; each has a lock queue too.
     *
     * @throws InvalidRequestException when the layout makes queues as trees grow, so that no list of them is whole
     */
    private List<PuQueueId> wanted(List<CollectionDefinition> collections) {
        int each = queuesPerTree.orElseThrow(() -> new InvalidRequestException(
                ErrorCode.INVALID_SETTING,
                "the per-leaf layout makes a queue for each new leaf, so they cannot be there before; use a partitioned"
                        + " layout or provisioning CREATE"));
        return collections.stream()
                .flatMap(CollectionDefinition::queuedTrees)
                .flatMap(tree -> IntStream.range(0, each).mapToObj(part -> PuQueueId.partition(tree, part)))
                .toList();
    }

    /** Makes the queues that are missing, and checks those that others have made. */
    public void create() {
        create(catalog.list());
    }

    /** Makes the queues of one collection that are missing. */
    public void create(CollectionDefinition collection) {
        create(List.of(collection));
    }

    private void create(List<CollectionDefinition> collections) {
        domains(collections).forEach(intakes::of);
        Parallel.map(tasks, WIDTH, wanted(collections), id -> {
            lane.puQueues().requireSound(id);
            return id;
        });
    }

    /** @throws InvalidRequestException with a list of the queues that are missing, if any is */
    public void require() {
        List<CollectionDefinition> collections = catalog.list();
        Stream<String> shared = wanted(collections).stream()
                .flatMap(id -> Stream.of(lane.names().pu(id), lane.names().lock(id)));
        Stream<String> intake = domains(collections).stream().map(lane.names()::intake);
        List<String> missing =
                Parallel.map(tasks, WIDTH, Stream.concat(shared, intake).toList(), this::missing).stream()
                        .flatMap(Optional::stream)
                        .toList();
        if (!missing.isEmpty()) {
            String more = missing.size() > NAMED_MAX ? " and " + (missing.size() - NAMED_MAX) + " more" : "";
            throw new InvalidRequestException(
                    ErrorCode.NOT_PROVISIONED,
                    "queues are missing and this client may not create them; create them with Admin.provision",
                    "missing",
                    String.join(",", missing.subList(0, Math.min(NAMED_MAX, missing.size()))) + more);
        }
    }

    /** The domains that have intake queues. */
    private List<String> domains(List<CollectionDefinition> collections) {
        return collections.stream()
                .filter(definition -> queued)
                .flatMap(definition -> Optional.ofNullable(definition.domain()).stream())
                .distinct()
                .toList();
    }

    private Optional<String> missing(String queue) {
        return lane.queues().find(queue).isEmpty() ? Optional.of(queue) : Optional.empty();
    }
}
