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
import java.util.function.Function;

/** The available routers. */
public final class Routers {
    private Routers() {}

    /**
     * Routes to one of {@code count} queues of the tree, by a hash of the leaf that holds the key as the writer sees
     * it.
     */
    public static Router partitioned(int count, Function<TreeId, BLinkTree> trees) {
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

    /**
     * The router of the paper (section 4.2): updates go to the queue of the leaf, inserts and deletes to that of the
     * tree.
     */
    public static Router perLeaf(Function<TreeId, BLinkTree> trees) {
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
