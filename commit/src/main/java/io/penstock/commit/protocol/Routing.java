package io.penstock.commit.protocol;

import io.penstock.btree.BLinkTree;
import io.penstock.core.TreeId;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * The way of log records to PU queues: the queues there are, and how records are packed and sent to them. Immutable.
 *
 * @param policy of packing and sending
 * @param queuesPerTree the number of queues of each tree; empty when they come into being with the tree's leaves
 * @param routers makes a router that looks up leaves in these trees
 */
public record Routing(
        SendPolicy policy, OptionalInt queuesPerTree, Function<Function<TreeId, BLinkTree>, Router> routers) {
    /** As {@link Routers#perLeaf}, with the paper's way of sending. */
    public static Routing perLeaf() {
        return new Routing(SendPolicy.PAPER, OptionalInt.empty(), Routers::perLeaf);
    }

    /** As {@link Routers#partitioned}, with messages that carry as much as fits. */
    public static Routing partitioned(int queues) {
        return new Routing(SendPolicy.GROUPED, OptionalInt.of(queues), trees -> Routers.partitioned(queues, trees));
    }

    public Router router(Function<TreeId, BLinkTree> trees) {
        return routers.apply(trees);
    }
}
