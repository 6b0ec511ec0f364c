package io.penstock.commit.model;

import io.penstock.commit.model.ProtocolState.Adoption;
import io.penstock.commit.model.Scope.Rule;
import io.penstock.commit.protocol.RecoveryDecider;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The steps that clients, adopters and queues can take next; {@link CheckpointSteps} has the rest. */
final class Steps {
    private final ProtocolState state;
    private final World world;
    private final Scope scope;
    private final List<Explorer.Step<ProtocolState>> steps = new ArrayList<>();

    Steps(ProtocolState state) {
        this.state = state;
        this.world = state.world;
        this.scope = world.scope;
    }

    List<Explorer.Step<ProtocolState>> all() {
        for (int client = 0; client < Scope.CLIENTS; client++) {
            if (!state.isCrashed(client)) {
                commit(client);
                forward(client);
                drain(client);
                crash(client);
            }
        }
        new CheckpointSteps(state, this::add).all();
        for (int adopter = 0; adopter < state.adopters.length; adopter++) {
            adopt(adopter);
        }
        forget();
        new ForgettingSteps(state, this::add).all();
        redeliver();
        return steps;
    }

    private void add(String what, Consumer<ProtocolState> change) {
        ProtocolState next = state.copy();
        change.accept(next);
        steps.add(new Explorer.Step<>(what, next));
    }

    private void commit(int client) {
        int t = state.open(client);
        if (t < 0) {
            return;
        }
        if (scope.atomic()) {
            sendPart(client, t);
        } else {
            send(client, t, state.sentTo[t], (next, lost) -> {
                next.outcome[t] = lost ? ProtocolState.UNKNOWN : next.outcome[t];
            });
        }
    }

    private void sendPart(int client, int t) {
        int p = 0;
        while (world.parts.get(p).transaction() != t || state.parts[p] != ProtocolState.UNSENT) {
            p++;
        }
        int part = p;
        boolean last = world.parts.get(part).last();
        String what =
                "client " + client + " sends part " + world.parts.get(part).index() + " of T" + t;
        add(what, next -> {
            next.parts[part] = ProtocolState.SHOWN;
            next.outcome[t] = last ? ProtocolState.ACKNOWLEDGED : ProtocolState.OPEN;
        });
        if (state.lostAnswersLeft > 0) {
            add(what + "; the answer is lost", next -> {
                next.lostAnswersLeft--;
                next.parts[part] = ProtocolState.SHOWN;
                next.outcome[t] = last ? ProtocolState.UNKNOWN : ProtocolState.FAILED;
            });
        }
    }

    private interface After {
        void sent(ProtocolState next, boolean lost);
    }

    /** One step for each PU queue that has not got its share of a transaction yet, and more if the answer is lost. */
    private void send(int process, int t, int done, After after) {
        for (int queue = 0; queue < scope.queues(); queue++) {
            if ((world.queuesOf(t) & ~done & 1 << queue) != 0) {
                int to = queue;
                String what = process(process) + " sends T" + t + " to PU queue " + to;
                int messages = messages(t, to).size();
                add(what, next -> {
                    arrive(next, process, t, to, (1 << messages) - 1);
                    after.sent(next, false);
                    next.settle(process, t, to);
                });
                for (int arrived = 0; state.lostAnswersLeft > 0 && arrived < 1 << messages; arrived++) {
                    int some = arrived;
                    add(what + "; the answer is lost, arrived: " + Integer.toBinaryString(some), next -> {
                        next.lostAnswersLeft--;
                        arrive(next, process, t, to, some);
                        if (scope.holds(Rule.A_FAILED_SENDER_GETS_A_NEW_ID)) {
                            next.generation[process]++;
                        }
                        after.sent(next, true);
                    });
                }
            }
        }
    }

    private String process(int process) {
        return process < Scope.CLIENTS ? "client " + process : "adopter " + (process - Scope.CLIENTS);
    }

    /** The share of one queue, as the records of each message. */
    private List<Integer> messages(int t, int queue) {
        List<Integer> messages = new ArrayList<>();
        int records = 0;
        for (int record : world.recordsOf(t)) {
            if (world.queue(record) == queue) {
                records |= 1 << record;
                if (Integer.bitCount(records) == scope.recordsPerMessage()) {
                    messages.add(records);
                    records = 0;
                }
            }
        }
        if (records != 0) {
            messages.add(records);
        }
        return messages;
    }

    private void arrive(ProtocolState next, int process, int t, int queue, int arrived) {
        int sender = state.sender(process);
        int bit = 1;
        for (int records : messages(t, queue)) {
            int first = next.numbers[sender][queue] + 1;
            next.numbers[sender][queue] += (byte) Integer.bitCount(records);
            if ((arrived & bit) != 0) {
                next.messages = PuMessages.with(next.messages, PuMessages.name(queue, sender, first, records));
            }
            bit <<= 1;
        }
    }

    private void forward(int client) {
        int t = state.toForward(client);
        if (t >= 0) {
            send(client, t, state.sentTo[t], (next, lost) -> {
                if (lost) {
                    next.sentTo[t] = 0;
                }
            });
        }
    }

    private void drain(int client) {
        for (int p = 0; p < state.parts.length; p++) {
            int part = p;
            int t = world.parts.get(p).transaction();
            boolean forwarded = state.sentTo[t] == world.queuesOf(t)
                    || !scope.holds(Rule.PARTS_ARE_DELETED_WHEN_FORWARDED)
                            && state.outcome[t] == ProtocolState.ACKNOWLEDGED;
            if (world.client(t) == client && forwarded && state.parts[p] == ProtocolState.SHOWN) {
                add(
                        "client " + client + " deletes part "
                                + world.parts.get(p).index() + " of T" + t,
                        next -> next.parts[part] = ProtocolState.GONE);
            }
        }
    }

    private void crash(int client) {
        if (state.crashesLeft > 0) {
            add("client " + client + " crashes", next -> {
                next.crashesLeft--;
                next.crashed |= 1 << client;
                if (client < next.checkpointers.length) {
                    next.giveBack(next.checkpointers[client]);
                    next.checkpointers[client] = new ProtocolState.Work();
                }
            });
        }
    }

    private void adopt(int a) {
        Adoption adopter = state.adopters[a];
        RecoveryDecider.Decision decision = world.recovery(adopter.seen, adopter.settled);
        crashOfAdopter(a);
        if (!decision.winners().isEmpty()) {
            int t = World.transaction(decision.winners().iterator().next());
            forwardWinner(a, t);
        } else if (!decision.deletable().isEmpty()) {
            add(
                    "adopter " + a + " deletes parts " + decision.deletable(),
                    next -> next.adopters[a].delete(next, decision.deletable()));
        } else {
            receivePart(a);
            giveUpLosers(a, decision);
            if (adopter.seen != 0) {
                add("adopter " + a + " ends, and shows what it holds", next -> next.end(a));
            }
        }
    }

    private void crashOfAdopter(int a) {
        if (state.crashesLeft > 0 && state.adopters[a].seen != 0) {
            add("adopter " + a + " crashes", next -> {
                next.crashesLeft--;
                next.end(a);
                next.generation[Scope.CLIENTS + a]++;
            });
        }
    }

    private void forwardWinner(int a, int t) {
        int process = Scope.CLIENTS + a;
        int done = state.adopters[a].sentTo[t];
        if (done == world.queuesOf(t)) {
            // This adopter has sent it before, and it was redelivered. Sending it again is covered by redeliveries.
            add("adopter " + a + " settles T" + t, next -> next.adopters[a].settled |= 1 << t);
        } else {
            send(process, t, done, (next, lost) -> {
                if (lost) {
                    next.adopters[a].sentTo[t] = 0;
                }
            });
        }
    }

    private void receivePart(int a) {
        for (int p = 0; p < state.parts.length; p++) {
            int part = p;
            if (state.parts[p] == ProtocolState.SHOWN && isAdoptable(client(p))) {
                add("adopter " + a + " receives part " + p, next -> {
                    next.parts[part] = (byte) (ProtocolState.HELD + a);
                    next.adopters[a].seen |= 1 << part;
                });
            }
        }
    }

    private int client(int part) {
        return world.client(world.parts.get(part).transaction());
    }

    /** Of a client that is dead, taken for dead, or closed with a transaction in doubt. */
    private boolean isAdoptable(int client) {
        return scope.suspicion()
                || state.isCrashed(client)
                || state.isFinished(client) && state.toForward(client) < 0 && state.isInDoubt(client);
    }

    /** The steps of a recovery that trusts what it sees. */
    private void giveUpLosers(int a, RecoveryDecider.Decision decision) {
        if (!scope.holds(Rule.PARTS_WITHOUT_THE_OTHERS_ARE_KEPT)
                && decision.losers().stream().noneMatch(loser -> isShown(World.transaction(loser)))
                && !decision.losers().isEmpty()) {
            add("adopter " + a + " gives up losers, deletes parts " + decision.deletableThen(), next -> {
                decision.losers().forEach(loser -> next.adopters[a].settled |= 1 << World.transaction(loser));
                next.adopters[a].delete(next, decision.deletableThen());
            });
        }
    }

    /** Whether the next receive would bring a part of the transaction's client. */
    private boolean isShown(int transaction) {
        for (int p = 0; p < state.parts.length; p++) {
            if (client(p) == world.client(transaction) && state.parts[p] == ProtocolState.SHOWN) {
                return true;
            }
        }
        return false;
    }

    /** The ATOMIC queue's retention: longer than anything else takes, so it meets only what can never be whole. */
    private void forget() {
        for (int p = 0; p < state.parts.length; p++) {
            int part = p;
            int t = world.parts.get(p).transaction();
            int client = world.client(t);
            boolean sending = !state.isCrashed(client) && state.open(client) == t;
            if (state.parts[p] == ProtocolState.SHOWN && !sending && !isWhole(t)) {
                add("the ATOMIC queue forgets part " + p, next -> next.parts[part] = ProtocolState.GONE);
            }
        }
    }

    /** Whether all parts of the transaction are in the ATOMIC queue. */
    private boolean isWhole(int transaction) {
        for (int p = 0; p < state.parts.length; p++) {
            boolean there = state.parts[p] != ProtocolState.UNSENT && state.parts[p] != ProtocolState.GONE;
            if (world.parts.get(p).transaction() == transaction && !there) {
                return false;
            }
        }
        return true;
    }

    /** Whether a message is beyond its queue's retention, so that it cannot be shown again. */
    private boolean isPast(int name) {
        return (PuMessages.records(name) & state.lost) != 0 || (state.pruned >> PuMessages.sender(name) & 1) != 0;
    }

    private void redeliver() {
        if (state.redeliveriesLeft == 0) {
            return;
        }
        for (int message : state.messages) {
            if (PuMessages.status(message) != ProtocolState.SHOWN && !isPast(PuMessages.nameOf(message))) {
                add("PU message " + PuMessages.describe(PuMessages.nameOf(message)) + " is shown again", next -> {
                    next.redeliveriesLeft--;
                    PuMessages.move(next.messages, PuMessages.nameOf(message), ProtocolState.SHOWN);
                });
            }
        }
        for (int p = 0; p < state.parts.length; p++) {
            int part = p;
            if (state.parts[p] >= ProtocolState.GONE) {
                add("part " + p + " is shown again", next -> {
                    next.redeliveriesLeft--;
                    next.parts[part] = ProtocolState.SHOWN;
                });
            }
        }
    }
}
