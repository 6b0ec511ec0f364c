package io.penstock;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;

/**
 * The rule by which a writer picks the PU queue of a log record. Only writers use it: a checkpoint applies a record
 * wherever its key is by then, so clients with different layouts share a store.
 */
public sealed interface Layout {
    /**
     * The paper's layout: inserts and deletes go to the tree's queue, updates to the queue of the leaf that holds the
     * key; one message for each log record; one call after the other.
     */
    record PerLeaf() implements Layout {}

    /**
     * Penstock's layout: {@code queues} queues for each tree, picked by the leaf that holds the key; messages carry as
     * many log records as fit; calls to different queues go in parallel.
     *
     * @param queues 1 to 1024
     */
    record Partitioned(int queues) implements Layout {
        public Partitioned {
            if (queues < 1 || queues > 1024) {
                throw new InvalidRequestException(
                        ErrorCode.INVALID_SETTING,
                        "a tree has 1 to 1024 PU queues; choose a number in that range",
                        "queues",
                        queues);
            }
        }
    }

    /** Returns the layout with a queue for each leaf: {@link PerLeaf}. */
    static Layout perLeaf() {
        return new PerLeaf();
    }

    /** Returns the layout with a fixed number of queues: {@link Partitioned}. */
    static Layout partitioned(int queues) {
        return new Partitioned(queues);
    }

    /** The layout of that name: {@code per-leaf}, or the number of queues for each tree. */
    static Layout of(String name) {
        return switch (name) {
            case "per-leaf" -> perLeaf();
            default -> {
                try {
                    yield partitioned(Integer.parseInt(name));
                } catch (NumberFormatException e) {
                    throw new InvalidRequestException(
                            ErrorCode.INVALID_SETTING,
                            "a layout is per-leaf, or a number of queues; choose one",
                            e,
                            "layout",
                            name);
                }
            }
        };
    }
}
