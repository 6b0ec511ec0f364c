package io.penstock.commit.protocol;

import io.penstock.btree.BLinkTree;
import io.penstock.core.TreeId;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * A strategy for sending log records to PU queues: which queues exist, and how records are packed and sent to them.
 * Immutable.
 *
 * @param policy of packing and sending
 * @param queuesPerTree the number of queues of each tree; empty when queues are created along with the tree's leaves
 * @param routers creates a router that looks up leaves in the given trees
 */
public record Routing(
        SendPolicy policy, OptionalInt queuesPerTree, Function<Function<TreeId, BLinkTree>, Router> routers) {
    /** Routing by {@link Routers#perLeaf}, with the paper's policy of sending. */
    public static Routing perLeaf() {
        return new Routing(SendPolicy.PAPER, OptionalInt.empty(), Routers::perLeaf);
    }

    /** Routing by {@link Routers#partitioned}, with messages that are filled as far as possible. */
    public static Routing partitioned(int queues) {
        return new Routing(SendPolicy.GROUPED, OptionalInt.of(queues), trees -> Routers.partitioned(queues, trees));
    }

    public Router router(Function<TreeId, BLinkTree> trees) {
        return routers.apply(trees);
    }
}
