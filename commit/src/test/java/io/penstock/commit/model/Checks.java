package io.penstock.commit.model;

import io.penstock.commit.checkpoint.CheckpointDecider;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The invariants of every state, and the conditions of the states in which all work is done. */
final class Checks {
    private final ProtocolState state;
    private final World world;

    Checks(ProtocolState state) {
        this.state = state;
        this.world = state.world;
    }

    @Nullable
    String broken() {
        if (!acknowledgedAreKept()) {
            return "acknowledged writes survive";
        }
        if (!ledgerTellsTheTruth()) {
            return "what the ledger covers is on the pages";
        }
        if (!livingClientsHaveNoHoles()) {
            return "records of a living client are applied in order";
        }
        if (state.wentBack) {
            return "a page never goes back to an older record";
        }
        if (isEnd()) {
            if (!allOrNothing()) {
                return "all or nothing";
            }
            if (!converged()) {
                return "the newest stamp wins in the end";
            }
        }
        return null;
    }

    boolean isEnd() {
        for (byte part : state.parts) {
            if (part != ProtocolState.UNSENT && part != ProtocolState.GONE) {
                return false;
            }
        }
        for (int message : state.messages) {
            if (PuMessages.status(message) != ProtocolState.GONE) {
                return false;
            }
        }
        for (ProtocolState.Work work : state.checkpointers) {
            if (work.hand.length > 0) {
                return false;
            }
        }
        for (ProtocolState.Adoption adopter : state.adopters) {
            if (adopter.seen != 0) {
                return false;
            }
        }
        return IntStream.range(0, Scope.CLIENTS).allMatch(c -> state.isCrashed(c) || state.isFinished(c));
    }

    /** An acknowledged record is on its page or in a queue. Deleted messages may be redelivered, but need not be. */
    private boolean acknowledgedAreKept() {
        int kept = onPages();
        for (int message : state.messages) {
            if (PuMessages.status(message) != ProtocolState.GONE) {
                kept |= PuMessages.records(PuMessages.nameOf(message));
            }
        }
        for (int t = 0; t < state.outcome.length; t++) {
            if (state.outcome[t] == ProtocolState.ACKNOWLEDGED && !isInAtomicQueue(t)) {
                for (int record : world.recordsOf(t)) {
                    if (((kept | state.excused()) >> record & 1) == 0) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    private boolean isInAtomicQueue(int transaction) {
        return state.parts.length > 0
                && IntStream.range(0, state.parts.length)
                        .filter(p -> world.parts.get(p).transaction() == transaction)
                        .allMatch(p -> state.parts[p] == ProtocolState.SHOWN || state.parts[p] >= ProtocolState.HELD);
    }

    /** Records that a page shows, or a newer one of their key. */
    private int onPages() {
        int found = 0;
        for (int r = 0; r < world.records.size(); r++) {
            World.Record record = world.records.get(r);
            if (state.pages[record.key()] > record.transaction()) {
                found |= 1 << r;
            }
        }
        return found;
    }

    /** Sessions rely on it: they forget their own records when the ledger shows them. */
    private boolean ledgerTellsTheTruth() {
        int onPages = onPages();
        for (int message : state.messages) {
            int name = PuMessages.nameOf(message);
            int records = PuMessages.records(name);
            int first = PuMessages.first(name);
            boolean covered = world.ledger(state.ledgers[PuMessages.queue(name)])
                    .covers(World.id(PuMessages.sender(name)), first, first + Integer.bitCount(records) - 1);
            if (covered && (records & ~onPages & ~state.excused()) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Order is given up for dead clients, and for messages that the queue has forgotten. */
    private boolean livingClientsHaveNoHoles() {
        for (int sender = 0; sender < state.numbers.length; sender++) {
            for (int queue = 0; queue < state.ledgers.length && !state.isDead(sender); queue++) {
                boolean holes = state.numbers[sender][queue] > 0
                        && CheckpointDecider.hasHoles(world.ledger(state.ledgers[queue]), World.id(sender));
                if (holes && !areForgotten(sender, queue)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Whether the holes of a sender are those of forgotten messages, and all others were waited for. */
    private boolean areForgotten(int sender, int queue) {
        boolean any = false;
        for (int message : state.messages) {
            int name = PuMessages.nameOf(message);
            if (PuMessages.sender(name) == sender && PuMessages.queue(name) == queue) {
                boolean lost = (PuMessages.records(name) & state.lost) != 0;
                any |= lost;
                long first = PuMessages.first(name);
                long last = first + Integer.bitCount(PuMessages.records(name)) - 1L;
                if (!lost
                        && CheckpointDecider.passesOver(
                                world.ledger(state.ledgers[queue]), World.id(sender), first, last)) {
                    return false;
                }
            }
        }
        return any;
    }

    /** A transaction that was sent to PU queues in part, or acknowledged, is on the pages as a whole. */
    private boolean allOrNothing() {
        if (!world.scope.atomic()) {
            return true;
        }
        int onPages = onPages();
        int sent = sent();
        for (int t = 0; t < state.outcome.length; t++) {
            int all = 0;
            for (int record : world.recordsOf(t)) {
                all |= 1 << record;
            }
            boolean some = (sent & all) != 0 || state.outcome[t] == ProtocolState.ACKNOWLEDGED;
            if (some && ((onPages | state.excused()) & all) != all) {
                return false;
            }
        }
        return true;
    }

    private int sent() {
        int sent = 0;
        for (int message : state.messages) {
            sent |= PuMessages.records(PuMessages.nameOf(message));
        }
        return sent;
    }

    private boolean converged() {
        byte[] newest = new byte[Scope.KEYS];
        int sent = sent();
        for (int r = 0; r < world.records.size(); r++) {
            World.Record record = world.records.get(r);
            if (((sent & ~state.excused()) >> r & 1) != 0) {
                newest[record.key()] = (byte) Math.max(newest[record.key()], record.transaction() + 1);
            }
        }
        for (int key = 0; key < newest.length; key++) {
            // What its queue has forgotten may have been applied before.
            boolean newer = state.excused() != 0 && state.pages[key] > newest[key];
            if (state.pages[key] != newest[key] && !newer) {
                return false;
            }
        }
        return true;
    }
}
