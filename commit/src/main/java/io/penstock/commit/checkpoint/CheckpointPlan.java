package io.penstock.commit.checkpoint;

import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.core.ClientId;
import io.penstock.core.queue.Delivery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The decision on the messages that one checkpoint has received. Pure: the same messages, ledger and facts give the
 * same plan.
 *
 * <p>The ledger decides about order, never whether a record is applied. A message whose numbers it covers is most
 * likely a repeat, and applying it again changes nothing. But it may come from a clone of its client, which counts by
 * the same numbers; then it is a commit that no client has applied yet.
 *
 * @param toApply log records to apply, in no order
 * @param refused messages that can never be applied; they are done once they are in quarantine
 * @param done messages to delete when {@code ledger} is stored
 * @param heldBack messages to leave in the queue, because an earlier message of their client is missing
 * @param outOfOrder the number of messages that are applied although an earlier one of their client, which may be
 *     alive, is missing
 * @param repeated the number of messages that are applied although the ledger covers them
 * @param ledger the ledger to store before {@code done} is deleted
 */
public record CheckpointPlan(
        List<LogRecord> toApply,
        List<Received> refused,
        List<Delivery> done,
        List<Received> heldBack,
        int outOfOrder,
        int repeated,
        Ledger ledger) {
    /**
     * The number of receives after which a missing earlier message counts as lost. A message that is held back is
     * received again and again; by then the earlier one would have been received too.
     */
    private static final int RECEIVES_MIN = 5;

    /**
     * A decoded message as it was received.
     *
     * @param obstacle why it can never be applied; empty when it can. Its numbers are used up all the same: later
     *     messages must not wait for it
     */
    public record Received(Delivery delivery, PuMessage message, Optional<String> obstacle) {
        public Received(Delivery delivery, PuMessage message) {
            this(delivery, message, Optional.empty());
        }
    }

    /**
     * The times that the plan depends on, in the servers' milliseconds since 1970.
     *
     * @param hole messages sent before this time are not held back for a dead client
     * @param overdue messages sent before this time, and received often since, are not held back for any client: order
     *     is given up after a while, data never
     */
    public record Times(long now, long hole, long overdue) {}

    /**
     * Makes the plan.
     *
     * @param hopeless clients that are dead
     */
    public static CheckpointPlan of(Ledger before, List<Received> received, Set<ClientId> hopeless, Times times) {
        List<Received> sorted = new ArrayList<>(received);
        sorted.sort(Comparator.comparing((Received r) -> r.message.client()).thenComparingLong(r -> r.message.first()));
        Draft draft = new Draft(before);
        List<Received> left = sorted;
        boolean again = true;
        while (again) { // what waits for another client id may go on once that is done
            List<Received> waiting = left.stream()
                    .filter(one -> !draft.takes(one, hopeless, times))
                    .toList();
            again = waiting.size() < left.size() && waiting.stream().anyMatch(one -> one.message.after() != null);
            left = waiting;
        }
        draft.heldBack.addAll(left);
        return draft.plan();
    }

    private static boolean isOverdue(Delivery delivery, Times times) {
        return delivery.sentMillis() < times.overdue && delivery.receiveCount() >= RECEIVES_MIN;
    }

    /** The clients whose messages are awaited. For these it matters whether they are alive. */
    Set<ClientId> awaited() {
        Set<ClientId> clients = new TreeSet<>();
        heldBack.forEach(received -> clients.add(awaited(received.message)));
        return clients;
    }

    /** The client id under which the records before a message were sent. */
    private static ClientId awaited(PuMessage message) {
        PuMessage.Predecessor after = message.after();
        return after == null ? message.client() : after.client();
    }

    /** A plan under construction. */
    private static final class Draft {
        final List<LogRecord> toApply = new ArrayList<>();
        final List<Received> refused = new ArrayList<>();
        final List<Delivery> done = new ArrayList<>();
        final List<Received> heldBack = new ArrayList<>();
        final Ledger.Draft ledger;
        int outOfOrder;
        int repeated;

        Draft(Ledger before) {
            this.ledger = new Ledger.Draft(before);
        }

        /** Takes a message unless it must wait for an earlier one. */
        boolean takes(Received one, Set<ClientId> hopeless, Times times) {
            PuMessage message = one.message;
            if (!message.ordered()) {
                settle(one);
                return true;
            }
            Ledger.Progress progress = ledger.of(message.client());
            if (progress.covers(message.first(), message.last())) {
                repeated++;
                settle(one);
                return true;
            }
            boolean overHole = isOverHole(message, progress);
            boolean skippable = hopeless.contains(awaited(message)) && one.delivery.sentMillis() < times.hole;
            if (overHole && !skippable && !isOverdue(one.delivery, times)) {
                return false;
            }
            outOfOrder += overHole && !skippable ? 1 : 0;
            settle(one);
            ledger.put(message.client(), progress.with(message.first(), message.last(), times.now));
            return true;
        }

        private boolean isOverHole(PuMessage message, Ledger.Progress progress) {
            PuMessage.Predecessor after = message.after();
            return after == null
                    ? message.first() > progress.highest() + 1
                    : ledger.of(after.client()).highest() < after.last();
        }

        void settle(Received one) {
            if (one.obstacle.isPresent()) {
                refused.add(one);
            } else {
                toApply.addAll(one.message.records());
            }
            done.add(one.delivery);
        }

        CheckpointPlan plan() {
            return new CheckpointPlan(toApply, refused, done, heldBack, outOfOrder, repeated, ledger.build());
        }
    }
}
