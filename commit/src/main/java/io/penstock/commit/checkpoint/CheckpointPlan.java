package io.penstock.commit.checkpoint;

import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.core.ClientId;
import io.penstock.core.queue.Delivery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What to do with the messages that one checkpoint has received. Pure: the same messages, ledger and facts give the
 * same plan.
 *
 * @param toApply log records to be applied, in no order
 * @param done messages to be deleted when {@code ledger} is stored
 * @param heldBack messages to be left in the queue, because an earlier one of their client is missing
 * @param ledger what the ledger must say before {@code done} is deleted
 */
record CheckpointPlan(List<LogRecord> toApply, List<Delivery> done, List<Received> heldBack, Ledger ledger) {
    /** A decoded message as it was received. */
    record Received(Delivery delivery, PuMessage message) {}

    /**
     * Messages of {@code hopeless} clients are applied over a hole: those clients are dead, and the messages so old
     * that the missing ones would have come.
     */
    static CheckpointPlan of(
            Ledger before, List<Received> received, Set<ClientId> hopeless, long nowMillis, long holeBeforeMillis) {
        List<Received> sorted = new ArrayList<>(received);
        sorted.sort(Comparator.comparing((Received r) -> r.message.client()).thenComparingLong(r -> r.message.first()));
        Ledger ledger = before;
        List<LogRecord> toApply = new ArrayList<>();
        List<Delivery> done = new ArrayList<>();
        List<Received> heldBack = new ArrayList<>();
        for (Received one : sorted) {
            PuMessage message = one.message;
            if (!message.ordered()) {
                toApply.addAll(message.records());
                done.add(one.delivery);
                continue;
            }
            Ledger.Progress progress = ledger.of(message.client());
            boolean overHole = message.first() > progress.highest() + 1;
            boolean skippable = hopeless.contains(message.client()) && one.delivery.sentMillis() < holeBeforeMillis;
            if (progress.covers(message.first(), message.last())) {
                done.add(one.delivery);
            } else if (overHole && !skippable) {
                heldBack.add(one);
            } else {
                toApply.addAll(message.records());
                done.add(one.delivery);
                ledger = ledger.with(message.client(), progress.with(message.first(), message.last(), nowMillis));
            }
        }
        return new CheckpointPlan(toApply, done, heldBack, ledger);
    }

    /** Clients of whom something is held back: it matters whether they are alive. */
    Set<ClientId> awaited() {
        Set<ClientId> clients = new TreeSet<>();
        heldBack.forEach(received -> clients.add(received.message.client()));
        return clients;
    }
}
