package io.penstock.commit.model;

import io.penstock.commit.checkpoint.CheckpointDecider;
import io.penstock.commit.checkpoint.Ledger;
import io.penstock.commit.model.ProtocolState.Plan;
import io.penstock.commit.model.ProtocolState.Work;
import io.penstock.commit.model.Scope.Rule;
import io.penstock.core.ClientId;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The steps that checkpointers can take next. */
final class CheckpointSteps {
    private enum Phase {
        PAGES,
        LEDGER,
        DELETE
    }

    private final ProtocolState state;
    private final World world;
    private final Scope scope;
    private final BiConsumer<String, Consumer<ProtocolState>> add;
    private final List<Phase> phases;

    CheckpointSteps(ProtocolState state, BiConsumer<String, Consumer<ProtocolState>> add) {
        this.state = state;
        this.world = state.world;
        this.scope = world.scope;
        this.add = add;
        if (!scope.holds(Rule.MESSAGES_ARE_DELETED_LAST)) {
            phases = List.of(Phase.DELETE, Phase.PAGES, Phase.LEDGER);
        } else if (!scope.holds(Rule.PAGES_ARE_PUT_BEFORE_THE_LEDGER)) {
            phases = List.of(Phase.LEDGER, Phase.PAGES, Phase.DELETE);
        } else {
            phases = List.of(Phase.PAGES, Phase.LEDGER, Phase.DELETE);
        }
    }

    void all() {
        for (int k = 0; k < state.checkpointers.length; k++) {
            Work work = state.checkpointers[k];
            if (work.plan != null) {
                goOn(k, work.plan);
                continue;
            }
            receive(k, work);
            if (work.hand.length > 0) {
                plan(k, work);
            }
        }
    }

    private void receive(int k, Work work) {
        for (int message : state.messages) {
            int name = PuMessages.nameOf(message);
            boolean mine = work.hand.length == 0 || PuMessages.queue(name) == work.queue;
            if (mine && PuMessages.status(message) == ProtocolState.SHOWN && !contains(work.hand, name)) {
                step(k, "receives " + PuMessages.describe(name), next -> {
                    Work receiver = next.checkpointers[k];
                    receiver.queue = PuMessages.queue(name);
                    receiver.hand = with(receiver.hand, name);
                    PuMessages.move(next.messages, name, ProtocolState.HELD);
                });
            }
        }
    }

    private static boolean contains(int[] hand, int name) {
        return Arrays.binarySearch(hand, name) >= 0;
    }

    private static int[] with(int[] hand, int name) {
        int[] more = Arrays.copyOf(hand, hand.length + 1);
        more[hand.length] = name;
        Arrays.sort(more);
        return more;
    }

    private void step(int k, String what, Consumer<ProtocolState> change) {
        add.accept("checkpointer " + k + " " + what, change);
    }

    /** Whether a missing message of a dead client is waited for depends on time: both may happen. */
    private void plan(int k, Work work) {
        Set<ClientId> senders = new TreeSet<>();
        Set<ClientId> dead = new TreeSet<>();
        for (int name : work.hand) {
            int sender = PuMessages.sender(name);
            senders.add(World.id(sender));
            if (state.isDead(sender)) {
                dead.add(World.id(sender));
            }
        }
        int ledger = state.ledgers[work.queue];
        if (!scope.holds(Rule.RECORDS_BEHIND_A_HOLE_ARE_HELD_BACK)) {
            plan(k, "plans", ledger, world.plan(ledger, work.hand, senders, Set.of()), senders);
            return;
        }
        CheckpointDecider.Decision patient = world.plan(ledger, work.hand, Set.of(), Set.of());
        plan(k, "plans", ledger, patient, senders);
        if (!dead.isEmpty()) {
            CheckpointDecider.Decision impatient = world.plan(ledger, work.hand, dead, Set.of());
            if (!impatient.equals(patient)) {
                plan(k, "plans over a hole", ledger, impatient, senders);
            }
        }
        giveUpOrder(k, work, patient, senders);
    }

    /** After an hour and many receives, messages of a living client are applied over what is not in the queue. */
    private void giveUpOrder(int k, Work work, CheckpointDecider.Decision patient, Set<ClientId> senders) {
        int ledger = state.ledgers[work.queue];
        Set<ClientId> overdue = new TreeSet<>();
        for (int name : work.hand) {
            int sender = PuMessages.sender(name);
            if (!state.isDead(sender) && !mayEarlierCome(sender, work)) {
                overdue.add(World.id(sender));
            }
        }
        if (!overdue.isEmpty() && scope.holds(Rule.ORDER_IS_GIVEN_UP_IN_THE_END)) {
            CheckpointDecider.Decision given = world.plan(ledger, work.hand, Set.of(), overdue);
            if (!given.equals(patient)) {
                plan(k, "gives up order", ledger, given, senders);
            }
        }
    }

    /** Whether the queue has messages of the sender that this checkpointer has not received: it would, in an hour. */
    private boolean mayEarlierCome(int sender, Work work) {
        for (int message : state.messages) {
            int name = PuMessages.nameOf(message);
            if (PuMessages.sender(name) == sender
                    && PuMessages.queue(name) == work.queue
                    && PuMessages.status(message) != ProtocolState.GONE
                    && !contains(work.hand, name)) {
                return true;
            }
        }
        return false;
    }

    private void plan(int k, String what, int read, CheckpointDecider.Decision decision, Set<ClientId> senders) {
        Ledger ledger = scope.holds(Rule.HOLES_STAY_ON_RECORD)
                ? decision.ledger()
                : CheckpointDecider.forgettingHoles(decision.ledger(), senders);
        if (!scope.holds(Rule.NUMBERS_OF_REFUSED_MESSAGES_ARE_SPENT)) {
            ledger = leavingRefusedOpen(k, read, ledger);
        }
        int number = world.number(ledger);
        int[] hand = state.checkpointers[k].hand;
        List<Integer> done =
                decision.done().stream().map(place -> hand[place]).sorted().toList();
        Plan plan = new Plan(world.numbersOf(decision.apply()), done, number);
        step(k, what, next -> {
            Work work = next.checkpointers[k];
            work.ledgerRead = read;
            work.plan = plan;
            work.phase = 0;
            work.read = new byte[Scope.KEYS];
            work.leaves = new byte[Scope.KEYS];
            Arrays.fill(work.leaves, (byte) 2);
            plan.apply()
                    .forEach(r -> work.leaves[world.leaf(world.records.get(r).key())] = 0);
            skip(next, k);
            while (!scope.fine() && next.checkpointers[k].plan != null) {
                act(next, k, next.checkpointers[k].leaves);
            }
        });
    }

    private Ledger leavingRefusedOpen(int k, int read, Ledger after) {
        Ledger open = after;
        for (int name : state.checkpointers[k].hand) {
            if ((PuMessages.records(name) & world.strange()) != 0) {
                open = CheckpointDecider.leavingOpen(world.ledger(read), open, World.id(PuMessages.sender(name)));
            }
        }
        return open;
    }

    /** Coarse: all calls of a checkpoint at once. */
    private void act(ProtocolState next, int k, byte[] leaves) {
        Work work = next.checkpointers[k];
        switch (phases.get(work.phase)) {
            case PAGES -> {
                for (int leaf = 0; leaf < leaves.length; leaf++) {
                    if (leaves[leaf] < 2) {
                        read(next, work, leaf);
                        put(next, work, leaf);
                    }
                }
                skip(next, k);
            }
            case LEDGER -> putLedger(next, k);
            case DELETE -> delete(next, k);
        }
    }

    private void goOn(int k, Plan plan) {
        Work work = state.checkpointers[k];
        switch (phases.get(work.phase)) {
            case PAGES -> {
                for (int l = 0; l < work.leaves.length; l++) {
                    int leaf = l;
                    if (work.leaves[l] == 0) {
                        step(k, "reads leaf " + l, next -> read(next, next.checkpointers[k], leaf));
                    } else if (work.leaves[l] == 1) {
                        step(k, "puts leaf " + l + " with " + plan.apply(), next -> {
                            put(next, next.checkpointers[k], leaf);
                            skip(next, k);
                        });
                    }
                }
            }
            case LEDGER -> step(k, "puts the ledger", next -> putLedger(next, k));
            case DELETE -> step(k, "deletes messages", next -> delete(next, k));
        }
    }

    private void read(ProtocolState next, Work work, int leaf) {
        for (int key = 0; key < Scope.KEYS; key++) {
            if (world.leaf(key) == leaf) {
                work.read[key] = next.pages[key];
            }
        }
        work.leaves[leaf] = 1;
    }

    private void put(ProtocolState next, Work work, int leaf) {
        byte[] after = world.apply(work.read, work.plan.apply(), leaf);
        boolean unchanged = true;
        boolean same = true;
        for (int key = 0; key < Scope.KEYS; key++) {
            if (world.leaf(key) == leaf) {
                unchanged &= next.pages[key] == work.read[key];
                same &= after[key] == work.read[key];
            }
        }
        boolean conflict = !same && !unchanged && scope.holds(Rule.PAGES_ARE_PUT_IF_UNCHANGED);
        for (int key = 0; key < Scope.KEYS; key++) {
            if (world.leaf(key) == leaf) {
                if (!conflict && !same) {
                    next.wentBack |= after[key] < next.pages[key];
                    next.pages[key] = after[key];
                }
                work.read[key] = 0;
            }
        }
        work.leaves[leaf] = (byte) (conflict ? 0 : 2);
    }

    private static void putLedger(ProtocolState next, int k, Work work) {
        if (next.ledgers[work.queue] == work.ledgerRead) {
            next.ledgers[work.queue] = work.plan.ledger();
            work.phase++;
        } else {
            next.giveBack(work);
            next.checkpointers[k] = new Work();
        }
    }

    private void putLedger(ProtocolState next, int k) {
        putLedger(next, k, next.checkpointers[k]);
        skip(next, k);
    }

    private void delete(ProtocolState next, int k) {
        Work work = next.checkpointers[k];
        next.giveBack(work);
        work.plan.done().forEach(name -> PuMessages.move(next.messages, name, ProtocolState.GONE));
        work.phase++;
        skip(next, k);
    }

    /** Passes by phases that have nothing to do. */
    private void skip(ProtocolState next, int k) {
        Work work = next.checkpointers[k];
        while (work.plan != null) {
            if (work.phase == phases.size()) {
                next.checkpointers[k] = new Work();
                return;
            }
            boolean nothing = switch (phases.get(work.phase)) {
                case PAGES -> allPut(work.leaves);
                case LEDGER -> work.plan.ledger() == work.ledgerRead;
                case DELETE -> false;
            };
            if (!nothing) {
                return;
            }
            work.phase++;
        }
    }

    private static boolean allPut(byte[] leaves) {
        for (byte leaf : leaves) {
            if (leaf != 2) {
                return false;
            }
        }
        return true;
    }
}
