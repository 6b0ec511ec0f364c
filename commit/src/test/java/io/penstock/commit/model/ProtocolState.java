package io.penstock.commit.model;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that clients, queues, pages and ledgers hold at one moment. Changed only by {@link Steps} on a copy of its own.
 *
 * <p>Messages are never forgotten: a deleted one may come back, and checks ask what was ever sent. A page and a ledger
 * stand for their own versions: by last stamp wins a page that has changed never becomes again what it was.
 */
final class ProtocolState implements Explorer.State<ProtocolState> {
    /** Of a message: not sent, shown by the queue, held by a receiver, deleted. */
    static final byte UNSENT = 0;

    static final byte SHOWN = 1;
    static final byte GONE = 2;

    /** {@code HELD + i}: held by adopter i, or for PU messages by anyone. */
    static final byte HELD = 3;

    /** Of a transaction. */
    static final byte OPEN = 0;

    static final byte ACKNOWLEDGED = 1;
    static final byte FAILED = 2;
    static final byte UNKNOWN = 3;

    final World world;
    int crashed;
    int crashesLeft;
    int redeliveriesLeft;
    int lostAnswersLeft;
    int retentionsLeft;
    int pruningsLeft;

    /** Records of messages that their queue has forgotten, as bits. */
    int lost;

    /** Senders that a ledger has forgotten, as bits: no message of theirs comes again. */
    int pruned;

    /** By transaction. */
    final byte[] outcome;

    /** By transaction: the PU queues that have it from its own client. */
    final byte[] sentTo;

    /** By part: where the message of the ATOMIC queue is. */
    final byte[] parts;

    /** By process: the generation of its sender id. */
    final byte[] generation;

    /** By sender id and queue: numbers given so far. */
    final byte[][] numbers;

    /** PU messages, sorted; see {@link PuMessages}. */
    int[] messages = {};

    /** By queue; see {@link World#ledger}. */
    final int[] ledgers;

    /** By key: the transaction whose record the page has, plus one. */
    final byte[] pages;

    /** Whether a page was ever put with an older record than it had. */
    boolean wentBack;

    final Work[] checkpointers;
    final Adoption[] adopters;

    /** A checkpoint under way. */
    static final class Work implements Cloneable {
        int queue;

        /** Names of the messages received. */
        int[] hand = {};

        /** -1 while it receives; then the place in the order of phases. */
        int phase = -1;

        int ledgerRead;

        @Nullable
        Plan plan;

        /** By leaf: 0 to be read, 1 read, 2 put. */
        byte[] leaves = {};

        /** By key, as read. */
        byte[] read = {};

        Work copy() {
            try {
                Work copy = (Work) clone();
                copy.leaves = leaves.clone();
                copy.read = read.clone();
                return copy;
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** The decision of {@code CheckpointPlan}: records by number in the order of applying, messages by name. */
    record Plan(List<Integer> apply, List<Integer> done, int ledger) {}

    /** A recovery under way: sets of parts and of transactions, as bits. */
    static final class Adoption {
        int seen;
        int settled;

        /** By transaction: the PU queues that have it from this adopter. */
        final byte[] sentTo;

        Adoption(int transactions) {
            sentTo = new byte[transactions];
        }

        void delete(ProtocolState state, Set<Integer> parts) {
            for (int part : parts) {
                state.parts[part] = GONE;
                seen &= ~(1 << part);
            }
        }

        private Adoption(Adoption other) {
            seen = other.seen;
            settled = other.settled;
            sentTo = other.sentTo.clone();
        }
    }

    ProtocolState(World world) {
        this.world = world;
        Scope scope = world.scope;
        crashesLeft = scope.crashes();
        redeliveriesLeft = scope.redeliveries();
        lostAnswersLeft = scope.lostAnswers();
        retentionsLeft = scope.retentions();
        pruningsLeft = scope.prunings();
        outcome = new byte[scope.transactions().size()];
        sentTo = new byte[outcome.length];
        parts = new byte[world.partCount()];
        generation = new byte[Scope.CLIENTS + scope.adopters()];
        numbers = new byte[generation.length * World.GENERATIONS][scope.queues()];
        ledgers = new int[scope.queues()];
        pages = new byte[Scope.KEYS];
        checkpointers = new Work[scope.checkpointers()];
        Arrays.setAll(checkpointers, i -> new Work());
        adopters = new Adoption[scope.adopters()];
        Arrays.setAll(adopters, i -> new Adoption(outcome.length));
    }

    private ProtocolState(ProtocolState other) {
        world = other.world;
        crashed = other.crashed;
        crashesLeft = other.crashesLeft;
        redeliveriesLeft = other.redeliveriesLeft;
        lostAnswersLeft = other.lostAnswersLeft;
        retentionsLeft = other.retentionsLeft;
        pruningsLeft = other.pruningsLeft;
        lost = other.lost;
        pruned = other.pruned;
        outcome = other.outcome.clone();
        sentTo = other.sentTo.clone();
        parts = other.parts.clone();
        generation = other.generation.clone();
        numbers = Arrays.stream(other.numbers).map(byte[]::clone).toArray(byte[][]::new);
        messages = other.messages.clone();
        ledgers = other.ledgers.clone();
        pages = other.pages.clone();
        wentBack = other.wentBack;
        checkpointers = Arrays.stream(other.checkpointers).map(Work::copy).toArray(Work[]::new);
        adopters = Arrays.stream(other.adopters).map(Adoption::new).toArray(Adoption[]::new);
    }

    ProtocolState copy() {
        return new ProtocolState(this);
    }

    boolean isCrashed(int client) {
        return (crashed >> client & 1) != 0;
    }

    /** The transaction that a client is committing, or -1. */
    int open(int client) {
        for (int t = 0; t < outcome.length; t++) {
            if (world.client(t) == client && outcome[t] == OPEN) {
                return t;
            }
        }
        return -1;
    }

    /** Whether a client has come to the end of its transactions, and has forwarded them. */
    boolean isFinished(int client) {
        return open(client) < 0 && toForward(client) < 0;
    }

    /** The oldest transaction that its client has yet to send to PU queues, or -1. */
    int toForward(int client) {
        for (int t = 0; world.scope.atomic() && t < outcome.length; t++) {
            boolean mayForward = outcome[t] == ACKNOWLEDGED
                    || !world.scope.holds(Scope.Rule.ONLY_A_COMMIT_RECORD_COMMITS)
                            && outcome[t] == OPEN
                            && parts[world.firstPart(t)] != UNSENT;
            if (world.client(t) == client && mayForward && sentTo[t] != world.queuesOf(t)) {
                return t;
            }
        }
        return -1;
    }

    /** Whether the ATOMIC queue has parts of a transaction that its client will not forward. */
    boolean isInDoubt(int client) {
        for (int p = 0; p < parts.length; p++) {
            int t = world.parts.get(p).transaction();
            if (world.client(t) == client && outcome[t] > ACKNOWLEDGED && parts[p] != UNSENT && parts[p] != GONE) {
                return true;
            }
        }
        return false;
    }

    /** A PU queue has got a transaction's share from a client or an adopter. */
    void settle(int process, int t, int queue) {
        if (process >= Scope.CLIENTS) {
            Adoption adopter = adopters[process - Scope.CLIENTS];
            adopter.sentTo[t] |= (byte) (1 << queue);
            if (adopter.sentTo[t] == world.queuesOf(t)) {
                adopter.settled |= 1 << t;
            }
            return;
        }
        sentTo[t] |= (byte) (1 << queue);
        if (!world.scope.atomic() && sentTo[t] == world.queuesOf(t)) {
            outcome[t] = ACKNOWLEDGED;
        }
    }

    /** Records of which no page need tell: forgotten by their queue, or in quarantine. */
    int excused() {
        return lost | world.strange();
    }

    /** Makes the messages that a checkpointer holds visible again. */
    void giveBack(Work work) {
        for (int name : work.hand) {
            if (PuMessages.statusOf(messages, name) == HELD) {
                PuMessages.move(messages, name, SHOWN);
            }
        }
    }

    /** Makes the messages that an adopter holds visible again, and clears its memory. */
    void end(int adopter) {
        for (int p = 0; p < parts.length; p++) {
            if (parts[p] == HELD + adopter) {
                parts[p] = SHOWN;
            }
        }
        adopters[adopter].seen = 0;
        adopters[adopter].settled = 0;
    }

    int sender(int process) {
        return process * World.GENERATIONS + generation[process];
    }

    /** Whether a sender id will never send again: its process has stopped, or goes on under another. */
    boolean isDead(int sender) {
        int process = sender / World.GENERATIONS;
        return sender != sender(process) || process < Scope.CLIENTS && isCrashed(process);
    }

    @Override
    public List<Explorer.Step<ProtocolState>> steps() {
        return new Steps(this).all();
    }

    @Override
    public @Nullable String broken() {
        return new Checks(this).broken();
    }

    @Override
    public boolean isEnd() {
        return new Checks(this).isEnd();
    }

    @Override
    public byte[] bytes() {
        ByteArrayOutputStream out = new ByteArrayOutputStream(128);
        out.write(crashed);
        out.write(crashesLeft);
        out.write(redeliveriesLeft);
        out.write(lostAnswersLeft);
        out.write(retentionsLeft);
        out.write(pruningsLeft);
        write(out, new int[] {lost, pruned});
        out.writeBytes(outcome);
        out.writeBytes(sentTo);
        out.writeBytes(parts);
        out.writeBytes(generation);
        for (byte[] counts : numbers) {
            out.writeBytes(counts);
        }
        write(out, messages);
        write(out, ledgers);
        out.writeBytes(pages);
        out.write(wentBack ? 1 : 0);
        for (Work work : checkpointers) {
            out.write(work.queue);
            out.write(work.phase);
            write(out, work.hand);
            if (work.plan != null) {
                write(out, new int[] {work.ledgerRead, work.plan.ledger()});
                out.writeBytes(work.leaves);
                out.writeBytes(work.read);
            }
        }
        for (Adoption adopter : adopters) {
            out.write(adopter.seen);
            out.write(adopter.settled);
            out.writeBytes(adopter.sentTo);
        }
        return out.toByteArray();
    }

    private static void write(ByteArrayOutputStream out, int[] values) {
        out.write(values.length);
        for (int value : values) {
            out.write(value);
            out.write(value >> 8);
            out.write(value >> 16);
        }
    }
}
