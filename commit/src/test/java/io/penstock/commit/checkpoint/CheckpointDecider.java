package io.penstock.commit.checkpoint;

import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.Receipt;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** An adapter with which the protocol model decides by the production code's own checkpoint plan. */
public final class CheckpointDecider {
    /** So often that what has not come by now will not come. */
    private static final int OFTEN = 100;

    private CheckpointDecider() {}

    /** A plan; messages that are done by their place in the list that was given. */
    public record Decision(List<LogRecord> apply, Set<Integer> done, Ledger ledger) {}

    /**
     * A message as it was received.
     *
     * @param strange whether it can never be applied
     * @param overdue whether it has waited so long that order is given up
     */
    public record Message(PuMessage content, boolean strange, boolean overdue) {}

    /** @param hopeless clients whose holes are skipped; all their messages are old enough */
    public static Decision decide(Ledger before, List<Message> received, Set<ClientId> hopeless) {
        List<CheckpointPlan.Received> deliveries = new ArrayList<>();
        for (int i = 0; i < received.size(); i++) {
            Message message = received.get(i);
            int receives = message.overdue ? OFTEN : 1;
            Delivery delivery =
                    new Delivery(String.valueOf(i), new Receipt(String.valueOf(i)), Bytes.EMPTY, 0, receives);
            Optional<String> obstacle = message.strange ? Optional.of("strange") : Optional.empty();
            deliveries.add(new CheckpointPlan.Received(delivery, message.content, obstacle));
        }
        CheckpointPlan plan = CheckpointPlan.of(before, deliveries, hopeless, new CheckpointPlan.Times(1, 1, 1));
        Set<Integer> done = new TreeSet<>();
        plan.done().forEach(delivery -> done.add(Integer.valueOf(delivery.messageId())));
        return new Decision(plan.toApply(), done, plan.ledger());
    }

    public static byte[] bytes(Ledger ledger) {
        return ledger.encode().toArray();
    }

    /** Whether a message is in a hole: later ones were applied, and it was not. */
    public static boolean passesOver(Ledger ledger, ClientId client, long first, long last) {
        Ledger.Progress progress = ledger.of(client);
        return last <= progress.highest() && !progress.covers(first, last);
    }

    public static boolean hasHoles(Ledger ledger, ClientId client) {
        return !ledger.of(client).holes().isEmpty();
    }

    public static Ledger without(Ledger ledger, ClientId client) {
        return ledger.without(Set.of(client));
    }

    /** The ledger as it would be if the numbers of refused messages were left open. */
    public static Ledger leavingOpen(Ledger before, Ledger after, ClientId client) {
        Ledger.Progress progress = before.of(client);
        return progress.highest() == 0 ? after.without(Set.of(client)) : after.with(client, progress);
    }

    /** The ledger as it would be if holes were not recorded. */
    public static Ledger forgettingHoles(Ledger ledger, Set<ClientId> clients) {
        Ledger without = ledger;
        for (ClientId client : clients) {
            Ledger.Progress progress = ledger.of(client);
            if (!progress.holes().isEmpty()) {
                without = without.with(client, new Ledger.Progress(progress.highest(), List.of(), 1));
            }
        }
        return without;
    }

    /** A ledger with an entry for each of so many client ids, from 1 on. */
    public static Ledger ledgerOf(int ids) {
        Ledger.Draft draft = new Ledger.Draft(Ledger.EMPTY);
        for (int id = 1; id <= ids; id++) {
            draft.put(new ClientId(id), new Ledger.Progress(3, List.of(), 1));
        }
        return draft.build();
    }
}
