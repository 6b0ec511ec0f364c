package io.penstock.commit.engine;

import io.penstock.commit.catalog.Catalog;
import io.penstock.commit.checkpoint.Checkpointer;
import io.penstock.commit.domain.Domain;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.commit.token.SessionTokens;

/**
 * The queues and commit logs of one client, as session tokens name them. A token may name anything: what the store does
 * not have is not made.
 *
 * @param mayCheckpoint whether this client checkpoints
 */
record TokenPlaces(
        Catalog catalog, ServerPath lane, Protocols protocols, Checkpoints checkpoints, boolean mayCheckpoint)
        implements SessionTokens.Places {
    @Override
    public void forward() {
        protocols.forwarder().forward();
    }

    @Override
    public boolean isKnown(PuQueueId queue) {
        return catalog.ofTree(queue.tree()).isPresent() && !catalog.isDropped(queue.tree());
    }

    @Override
    public void checkpoint(PuQueueId queue) {
        if (mayCheckpoint && lane.queues().find(lane.names().pu(queue)).isPresent()) {
            var unused = checkpoints.loop().checkpoint(queue, Checkpointer.Reach.SHOWN);
        }
    }

    @Override
    public long position(String domain) {
        return checkpoints.logs().domain(domain).tail().tip();
    }

    @Override
    public boolean reaches(String name, long position) {
        Domain domain = checkpoints.logs().find(name).orElse(null);
        if (domain == null) {
            return false;
        }
        if (domain.tail().tip() < position) {
            domain.refresh();
        }
        return domain.tail().tip() >= position;
    }
}
