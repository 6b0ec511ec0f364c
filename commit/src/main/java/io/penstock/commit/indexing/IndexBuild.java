package io.penstock.commit.indexing;

import io.penstock.btree.BLinkTree;
import io.penstock.btree.TreeWriter;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.catalog.IndexDefinition;
import io.penstock.commit.engine.Trees;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.TreeId;
import io.penstock.core.memory.Workspace;
import io.penstock.report.BuildProgress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Builds indexes of a collection in use. First the definition names them, at a new epoch; then {@link LeafIndexing}
 * brings leaf after leaf to that epoch; then the indexes are ready. All state is in the catalog and on the leaves,
 * so that it can be resumed after a crash, and concurrent builds are harmless. One run; for one thread.
 */
final class IndexBuild {
    /** The catalog learns of the progress in steps, of this many per cent. */
    private static final int PERCENT_STEP = 10;

    private static final int CHANGE_ATTEMPTS = 8;
    private static final Duration CHANGE_PAUSE = Duration.ofMillis(500);

    private final Indexing indexing;
    private final Workspace room;
    private final String collection;
    private final List<DeclaredIndex> declared;
    private final Consumer<BuildProgress> progress;
    private int percentStored;

    IndexBuild(
            Indexing indexing,
            Workspace room,
            String collection,
            List<DeclaredIndex> declared,
            Consumer<BuildProgress> progress) {
        this.indexing = indexing;
        this.room = room;
        this.collection = collection;
        this.declared = declared;
        this.progress = progress;
    }

    void run() {
        CollectionDefinition definition = change(this::withDeclared);
        indexing.provision().accept(definition);
        List<LeafIndexing.Target> targets = targets(definition);
        if (targets.isEmpty()) {
            return;
        }
        long epoch = epoch(definition);
        for (LeafIndexing.Target target : targets) {
            createTree(target.pending());
        }
        walk(definition, targets, epoch);
        // Pages of the index were written beside the log: who scans it must have read the log up to here.
        String domain = definition.domain();
        finish(targets, domain == null ? 0 : indexing.fence(domain, definition));
        // The walk had a pool of its own: the client's may still have pages from before it.
        for (LeafIndexing.Target target : targets) {
            indexing.trees().foreground().checkAgain(target.stored().treeId());
            indexing.trees().foreground().checkAgain(target.pending());
        }
    }

    /** Adds the indexes that are declared and not there, all at the next epoch. */
    private CollectionDefinition withDeclared(CollectionDefinition definition) {
        List<IndexDefinition> missing = new ArrayList<>();
        for (DeclaredIndex index : declared) {
            if (index.in(definition).isEmpty()) {
                IndexDefinition made = new IndexDefinition(
                        index.name(),
                        newTree(index).hex(),
                        index.keys(),
                        definition.epoch() + 1,
                        newTree(index).hex(),
                        0);
                missing.add(index.covering() ? made.including() : made);
            }
        }
        if (missing.isEmpty()) {
            return definition;
        }
        if (!indexing.handle().mayDefine()) {
            throw new InvalidRequestException(
                    ErrorCode.NOT_PROVISIONED,
                    "this client may create nothing; build the index with one that has provisioning CREATE",
                    "collection",
                    collection,
                    "index",
                    missing.getFirst().name());
        }
        return definition.requireAtRest().adding(missing); // a move counts on indexes that are whole
    }

    private TreeId newTree(DeclaredIndex index) {
        return TreeId.draw(indexing.tasks().random(), collection + "/" + index.name());
    }

    /**
     * The indexes that are not ready and declared here. In a domain the entries of a build have no part, as a record
     * may change before its leaf is marked, and a row is left to nothing else. A scrub, which goes through the log,
     * completes them.
     */
    private List<LeafIndexing.Target> targets(CollectionDefinition definition) {
        boolean logged = definition.domain() != null;
        List<LeafIndexing.Target> targets = new ArrayList<>();
        for (DeclaredIndex index : declared) {
            Optional<IndexDefinition> stored = index.in(definition).filter(each -> !each.isReady());
            stored.ifPresent(each ->
                    targets.add(new LeafIndexing.Target(each, logged ? index.withoutPart() : index.entryOf(each))));
        }
        return targets;
    }

    /**
     * The epoch that leaves may be brought to: below that of any index which is being built and is not declared here.
     */
    private long epoch(CollectionDefinition definition) {
        long epoch = definition.epoch();
        for (IndexDefinition stored : definition.indexes()) {
            boolean foreign = declared.stream().noneMatch(index -> index.name().equals(stored.name()));
            if (foreign && !stored.isReady()) {
                epoch = Math.min(epoch, stored.added() - 1);
            }
        }
        for (LeafIndexing.Target target : targets(definition)) {
            if (target.stored().added() > epoch) {
                throw new InvalidRequestException(
                        ErrorCode.UNDECLARED_INDEX,
                        "another index that is being built is not declared here; declare it, wait for it or drop it",
                        "collection",
                        collection,
                        "index",
                        target.stored().name());
            }
        }
        return epoch;
    }

    /** Makes the root of a tree, if there is none, so that readers find it in their pools. */
    private void createTree(TreeId tree) {
        TreeWriter writer = indexing.trees().background().writer(tree);
        if (indexing.trees().background().reader(tree).leafFor(Bytes.EMPTY).isEmpty()) {
            try {
                writer.createRoot(0);
            } catch (ConflictException | OutcomeUnknownException other) {
                // Another client's, or ours after all; if neither, the first record makes it.
                return;
            }
        }
    }

    private void walk(CollectionDefinition definition, List<LeafIndexing.Target> targets, long epoch) {
        Trees trees = indexing.trees().fresh().apply(room.part(2));
        BLinkTree primary = trees.reader(definition.treeId());
        LeafIndexing leaves =
                new LeafIndexing(room, trees, definition.treeId(), targets, epoch, definition.leafBytesMax());
        long leafCount = primary.countLeaves();
        while (leaves.step()) {
            long seen = Math.max(1, leaves.leaves());
            long records = leaves.records();
            tell(targets, new BuildProgress(records, Math.max(records, records * Math.max(seen, leafCount) / seen)));
        }
        progress.accept(new BuildProgress(leaves.records(), leaves.records()));
    }

    private void tell(List<LeafIndexing.Target> targets, BuildProgress now) {
        progress.accept(now);
        int percent = Math.min(now.percent(), 99) / PERCENT_STEP * PERCENT_STEP; // its end is still to come
        if (percent > percentStored) {
            percentStored = percent;
            change(definition -> definition.changing(
                    index -> isTarget(targets, index) && lessBuilt(index, percent) ? index.withBuilt(percent) : index));
        }
    }

    private static boolean lessBuilt(IndexDefinition index, int percent) {
        Integer built = index.built();
        return built != null && built < percent;
    }

    private void finish(List<LeafIndexing.Target> targets, long since) {
        CollectionDefinition after = change(definition -> {
            CollectionDefinition ready = definition.changing(index -> isTarget(targets, index) ? index.whole() : index);
            return ready == definition || since == 0 ? ready : ready.builtSince(since);
        });
        for (LeafIndexing.Target target : targets) {
            boolean there = after.indexes().stream().anyMatch(target.stored()::isSameBuild);
            if (!there) {
                throw new InvalidRequestException(
                        ErrorCode.NOT_FOUND,
                        "the index was dropped while it was built; build it again if it is wanted",
                        "collection",
                        collection,
                        "index",
                        target.stored().name());
            }
        }
    }

    /** Whether an index is one that is built here still, by the leaves that are looked at here. */
    private static boolean isTarget(List<LeafIndexing.Target> targets, IndexDefinition index) {
        return !index.isReady()
                && targets.stream().anyMatch(target -> target.stored().isSameBuild(index));
    }

    /** Changes the definition; where others change it too, after a few pauses. */
    private CollectionDefinition change(UnaryOperator<CollectionDefinition> change) {
        for (int attempt = 1; ; attempt++) {
            try {
                return indexing.trees().catalog().change(collection, change);
            } catch (ConflictException conflict) {
                if (attempt == CHANGE_ATTEMPTS) {
                    throw conflict;
                }
                indexing.tasks().sleep(CHANGE_PAUSE);
            }
        }
    }
}
