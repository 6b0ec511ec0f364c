package io.penstock;

import io.penstock.commit.protocol.Routing;
import io.penstock.core.InvalidRequestException;

/**
 * To which PU queue a writer sends a log record. Only writers ask it: a checkpoint applies a record wherever its key
 * lives by then, so clients with different layouts share a store.
 */
public sealed interface Layout {
    /**
     * The paper's: inserts and deletes go to the tree's queue, updates to the queue of the leaf that holds the key; one
     * message for each log record; one call after the other.
     */
    record PerLeaf() implements Layout {}

    /**
     * Ours: {@code queues} queues for each tree, picked by the leaf that holds the key; messages carry as many log
     * records as fit; calls to different queues go in parallel.
     *
     * @param queues 1 to 1024
     */
    record Partitioned(int queues) implements Layout {
        public Partitioned {
            if (queues < 1 || queues > 1024) {
                throw new InvalidRequestException(
                        "a tree has 1 to 1024 PU queues; choose a number in that range", "queues", queues);
            }
        }
    }

    /** The meaning of a layout for writers. */
    static Routing routing(Layout layout) {
        return switch (layout) {
            case PerLeaf perLeaf -> Routing.perLeaf();
            case Partitioned partitioned -> Routing.partitioned(partitioned.queues());
        };
    }

    static Layout perLeaf() {
        return new PerLeaf();
    }

    static Layout partitioned(int queues) {
        return new Partitioned(queues);
    }
}
