package io.penstock.commit.upkeep;

import io.penstock.commit.checkpoint.CheckpointLoop;
import io.penstock.commit.client.ClientContext;
import io.penstock.commit.client.ClientRegistry;
import io.penstock.commit.client.Heartbeat;
import io.penstock.commit.client.Identity;
import io.penstock.commit.engine.Protocols;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The orderly end of a client's identities: at close, and when nothing of the client was pending for a while. Safe for
 * use by many threads.
 */
record ClientDeregistration(
        boolean checkpointing, ClientContext membership, CheckpointLoop checkpoints, Protocols protocols)
        implements Heartbeat.Idle {
    private static final Logger LOG = LoggerFactory.getLogger(ClientDeregistration.class);

    @Override
    public boolean isPending() {
        return checkpointing && !checkpoints.pending().isEmpty()
                || !protocols.forwarder().isDone();
    }

    @Override
    public void signOff(Identity identity) {
        leaveTakenOver();
        leave(identity, true);
    }

    /** @param drained whether nothing is left that no other client can do */
    void close(boolean drained) {
        if (drained) {
            leaveTakenOver();
        }
        membership.heartbeat().current().ifPresent(identity -> leave(identity, drained));
    }

    /**
     * Gives up an identity. First its object is marked, on the condition that it is as this client left it: else a
     * clone of this process may use the queue.
     */
    private void leave(Identity identity, boolean drained) {
        try {
            if (membership.registry().retire(identity) && drained) {
                removeUnlessInDoubt(identity, protocols::removeQueue);
            }
        } catch (RuntimeException e) {
            LOG.warn("the client could not sign off; others will take it for dead why={}", e.getMessage());
        }
    }

    /** Spares others weeks of looking after identities that they took for dead: all of theirs is forwarded by now. */
    private void leaveTakenOver() {
        try {
            membership
                    .heartbeat()
                    .takeOvers()
                    .forEach(identity -> removeUnlessInDoubt(identity, protocols::removeTakenOverQueue));
        } catch (RuntimeException e) {
            LOG.info("an earlier identity could not be removed; others look after it why={}", e.getMessage());
        }
    }

    private void removeUnlessInDoubt(Identity identity, Predicate<Identity> removeQueue) {
        if (!identity.isInDoubt() && removeQueue.test(identity)) {
            ClientRegistry registry = membership.registry();
            registry.remove(identity.client());
            registry.forget(identity.client());
        }
    }
}
