package io.penstock.commit.model;

import io.penstock.commit.checkpoint.CheckpointDecider;
import io.penstock.commit.checkpoint.Ledger;
import io.penstock.commit.model.Scope.Rule;
import io.penstock.core.ClientId;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The steps by which something is forgotten: a message by its queue, a client by a ledger. */
final class ForgettingSteps {
    private final ProtocolState state;
    private final World world;
    private final BiConsumer<String, Consumer<ProtocolState>> add;

    ForgettingSteps(ProtocolState state, BiConsumer<String, Consumer<ProtocolState>> add) {
        this.state = state;
        this.world = state.world;
        this.add = add;
    }

    void all() {
        if (state.retentionsLeft > 0) {
            for (int message : state.messages) {
                forget(message);
            }
        }
        if (state.pruningsLeft > 0) {
            for (int sender = 0; sender < state.numbers.length; sender++) {
                renew(sender);
                prune(sender);
            }
        }
    }

    /** A queue's retention is over for a message that was never applied, or not deleted. */
    private void forget(int message) {
        int name = PuMessages.nameOf(message);
        if (PuMessages.status(message) == ProtocolState.SHOWN) {
            add.accept("PU message " + PuMessages.describe(name) + " is forgotten", next -> {
                next.retentionsLeft--;
                next.lost |= PuMessages.records(name);
                PuMessages.move(next.messages, name, ProtocolState.GONE);
            });
        }
    }

    /** A living client that was idle for long goes on under another id. */
    private void renew(int sender) {
        int process = sender / World.GENERATIONS;
        boolean mayBeIdle = isIdle(sender) && !state.isDead(sender) && sender % World.GENERATIONS == 0;
        if (mayBeIdle) {
            add.accept("client " + process + " was idle, and takes a new id", next -> next.generation[process]++);
        }
    }

    /** A ledger forgets a client that was idle for longer than its messages can live. */
    private void prune(int sender) {
        ClientId client = World.id(sender);
        boolean mayGo = state.isDead(sender) || !world.scope.holds(Rule.ONLY_THE_DEAD_ARE_FORGOTTEN);
        for (int queue = 0; mayGo && isIdle(sender) && queue < state.ledgers.length; queue++) {
            int of = queue;
            Ledger pruned = CheckpointDecider.without(world.ledger(state.ledgers[queue]), client);
            int number = world.number(pruned);
            if (number != state.ledgers[queue]) {
                add.accept("the ledger of queue " + queue + " forgets sender " + sender, next -> {
                    next.pruningsLeft--;
                    next.pruned |= 1 << sender;
                    next.ledgers[of] = number;
                });
            }
        }
    }

    /** Whether no message of a sender is anywhere, so that all its messages may be long gone. */
    private boolean isIdle(int sender) {
        boolean sent = false;
        for (int message : state.messages) {
            if (PuMessages.sender(PuMessages.nameOf(message)) == sender) {
                sent = true;
                if (PuMessages.status(message) != ProtocolState.GONE) {
                    return false;
                }
            }
        }
        return sent && sender / World.GENERATIONS < Scope.CLIENTS;
    }
}
