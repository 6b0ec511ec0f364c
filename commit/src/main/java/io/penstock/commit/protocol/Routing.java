package io.penstock.commit.protocol;

import io.penstock.btree.BLinkTree;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.TreeId;
import io.penstock.core.page.PageImage;
import io.penstock.core.record.PageIndex;
import io.penstock.core.record.RecordChange;
import java.util.Optional;
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
    /**
     * The choice of a PU queue for each log record. Any choice is correct, since a checkpoint applies a record to
     * whatever leaf holds its key. A good one sends the records of a leaf to the same queue.
     */
    public interface Router {
        PuQueueId route(LogRecord record);
    }

    /**
     * A policy of packing and sending log records.
     *
     * @param itemsPerMessage the most log records in one message; the limit of its bytes holds besides
     * @param parallelCalls the number of queues that one commit sends to at a time
     * @param ownCommitRecord whether the commit record is a separate message even if one message could hold everything
     */
    public record SendPolicy(int itemsPerMessage, int parallelCalls, boolean ownCommitRecord) {
        /** The policy of the paper: one message for each log record, one call after the other, then a commit record. */
        public static final SendPolicy PAPER = new SendPolicy(1, 1, true);

        /** The policy of this library: as few messages as possible, to all queues in parallel. */
        public static final SendPolicy GROUPED = new SendPolicy(Integer.MAX_VALUE, 16, false);
    }

    /**
     * Routing of the paper (section 4.2), with its policy of sending: updates go to the queue of the leaf, inserts and
     * deletes to that of the tree.
     */
    public static Routing perLeaf() {
        return new Routing(SendPolicy.PAPER, OptionalInt.empty(), Routing::perLeaf);
    }

    /**
     * Routing to one of {@code queues} of the tree, by a hash of the leaf that holds the key as the writer sees it,
     * with messages that are filled as far as possible.
     */
    public static Routing partitioned(int queues) {
        return new Routing(SendPolicy.GROUPED, OptionalInt.of(queues), trees -> partitioned(queues, trees));
    }

    public Router router(Function<TreeId, BLinkTree> trees) {
        return routers.apply(trees);
    }

    private static Router partitioned(int count, Function<TreeId, BLinkTree> trees) {
        if (count == 1) {
            return record -> PuQueueId.partition(record.tree(), 0);
        }
        return aroundDamage(
                record -> {
                    long number = trees.apply(record.tree())
                            .leafNumberFor(record.change().key());
                    return PuQueueId.partition(record.tree(), spread(number, count));
                },
                record -> PuQueueId.partition(record.tree(), 0));
    }

    /** A record whose leaf cannot be found is queued all the same: its checkpoint meets the damage, and parks it. */
    private static Router aroundDamage(Router router, Router otherwise) {
        return record -> {
            try {
                return router.route(record);
            } catch (CorruptDataException damaged) {
                return otherwise.route(record);
            }
        };
    }

    private static Router perLeaf(Function<TreeId, BLinkTree> trees) {
        return aroundDamage(record -> queueOfLeaf(record, trees), record -> PuQueueId.ofTree(record.tree()));
    }

    private static PuQueueId queueOfLeaf(LogRecord record, Function<TreeId, BLinkTree> trees) {
        Optional<PageIndex.Leaf> leaf =
                trees.apply(record.tree()).leafFor(record.change().key());
        boolean mayUpdate = switch (record.change()) {
            case RecordChange.Put put -> true;
            case RecordChange.Delete delete -> false;
        };
        boolean update = mayUpdate
                && leaf.isPresent()
                && isLive(leaf.get().page().image(), record.change().key());
        return update ? PuQueueId.ofLeaf(leaf.get().page().image().id()) : PuQueueId.ofTree(record.tree());
    }

    private static boolean isLive(PageImage leaf, Bytes key) {
        int at = leaf.find(key);
        return at >= 0 && !leaf.isTombstone(at);
    }

    /** Spreads page numbers evenly. All except the root's are random, so their high bits serve as a hash. */
    private static int spread(long number, int count) {
        return (int) Math.floorMod(number ^ number >>> 32, (long) count);
    }
}
