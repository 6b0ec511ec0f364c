package io.penstock.commit.upkeep;

import io.penstock.btree.TreeCompaction;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.client.ClientContext;
import io.penstock.commit.client.ServerClock;
import io.penstock.commit.engine.StoreTrees;
import io.penstock.core.CorruptDataException;
import io.penstock.core.TreeId;
import io.penstock.core.memory.Workspace;
import io.penstock.report.CompactionReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The compaction of a store: purges old tombstones, merges leaves that are nearly empty, and brings the pages of
 * collections to the form that their definitions ask for. For one thread.
 */
public final class Compaction {
    private static final Logger LOG = LoggerFactory.getLogger(Compaction.class);

    private final StoreTrees trees;
    private final ServerClock serverClock;
    private final Workspace room;
    private final int joinedPercentMax;

    /** @param joinedPercentMax the fill of two neighbouring leaves together up to which they are merged */
    public Compaction(StoreTrees trees, ClientContext membership, Workspace room, int joinedPercentMax) {
        this.room = room;
        this.trees = trees;
        this.serverClock = membership.serverClock();
        this.joinedPercentMax = joinedPercentMax;
    }

    public CompactionReport run() {
        serverClock.requireKnownInStep(); // the age of tombstones is measured by it
        CompactionReport report = CompactionReport.NONE;
        for (CollectionDefinition definition : trees.catalog().list()) {
            for (TreeId tree : definition.trees().toList()) {
                report = report.plus(attempt(definition, tree));
            }
        }
        return report;
    }

    private CompactionReport attempt(CollectionDefinition definition, TreeId tree) {
        try {
            TreeCompaction.Result result = trees.background()
                    .compaction(tree, definition, room, joinedPercentMax)
                    .run();
            return new CompactionReport(result.purged(), result.rewritten(), result.joined(), result.reformed(), 0);
        } catch (CorruptDataException damaged) {
            LOG.warn("a tree is damaged and not compacted further; repair it why={}", damaged.getMessage());
            return new CompactionReport(0, 0, 0, 0, 1);
        }
    }
}
