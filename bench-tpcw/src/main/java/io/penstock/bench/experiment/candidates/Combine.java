package io.penstock.bench.experiment.candidates;

import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.task.Parallel;
import io.penstock.testkit.SimulatedClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Losers combine: after a lost race a client sends its group to the intake queue, and whoever puts the next segment
 * includes what it finds there. The sender reads segments until it finds its transactions, and puts them itself when
 * that takes too long: the first verdict in the log counts.
 */
final class Combine extends Committer {
    private static final Duration HIDDEN = Duration.ofSeconds(5);
    private static final int BATCH = 10;
    private static final int RECEIVES_MAX = 8;

    /** Empty receives after which a client stops to look for groups of others. */
    private static final int EMPTY_MAX = 4;

    /** The time after a lost race, or after a segment of somebody else, for which a client hands its groups in. */
    private static final double RIVALS_MILLIS = 1_000;

    /** How long a receive takes, by the middle. */
    private static final double RECEIVE_MILLIS = 15;

    /** Puts of one who puts for others until somebody else seems to do it. */
    private static final int TRIES_MAX = 3;

    private static final double NANOS_PER_MILLI = 1e6;

    private final MessageQueue intake;
    private final Requests requests;
    private final double putMillis;
    private final List<Delivery> inHand = new ArrayList<>();
    private double rivalsUntilMillis;
    private boolean combining;
    private boolean fetching;
    private int emptyReceives;
    private int width = 1;

    /** @param putMillis how long a put takes, by the middle: the measure of patience */
    Combine(SimulatedClient machine, CommitLog log, int id, MessageQueue intake, Requests requests, double putMillis) {
        super(machine, log, id);
        this.intake = intake;
        this.requests = requests;
        this.putMillis = putMillis;
    }

    @Override
    boolean hasMore() {
        return !inHand.isEmpty();
    }

    @Override
    void decide(List<Waiting> group) {
        List<Waiting> open = refuse(group);
        boolean rivals = !combining && inHand.isEmpty() && nowMillis() < rivalsUntilMillis;
        if (!rivals) {
            open = put(open);
        }
        handIn(open);
    }

    /**
     * Puts segments with the own group and what is in hand of others, until that is done or others seem to do it.
     *
     * @return what of the own group is undecided
     */
    private List<Waiting> put(List<Waiting> own) {
        List<Delivery> foreign = new ArrayList<>(inHand);
        inHand.clear();
        // Losers do not show in the log: a look at the intake beside each put, which costs a twelfth of it.
        fetch();
        List<Intent> all = new ArrayList<>(intents(own));
        foreign.forEach(delivery -> all.addAll(Intents.decode(delivery.body())));
        for (int tries = 0; tries < (combining ? TRIES_MAX : 1); tries++) {
            if (append(all)) {
                combining |= !foreign.isEmpty();
                delete(foreign);
                return settle(own);
            }
            log.follow(tail);
        }
        combining = false;
        rivalsUntilMillis = nowMillis() + RIVALS_MILLIS;
        show(foreign);
        return refuse(settle(own));
    }

    /** Sends a group to the intake, and waits until the log has its verdicts. */
    private void handIn(List<Waiting> group) {
        List<Waiting> open = group;
        if (open.isEmpty()) {
            return;
        }
        requests.queue();
        intake.send(List.of(Intents.encode(intents(open))));
        double patience = nowMillis() + patience();
        while (!open.isEmpty()) {
            if (log.look(tail)) {
                rivalsUntilMillis = nowMillis() + RIVALS_MILLIS;
                patience = Math.max(patience, nowMillis() + patience());
            }
            open = settle(open);
            if (!open.isEmpty() && nowMillis() > patience) {
                inHand.addAll(receive());
                open = put(open);
                patience = nowMillis() + patience();
            }
        }
    }

    /** The time without a new segment after which a client puts for all: nobody seems to. */
    private double patience() {
        return (3 + 2 * machine.random().nextDouble()) * Math.max(putMillis, RECEIVE_MILLIS);
    }

    /** Looks for groups of others beside what this client does; as long as there are any, again and again. */
    private void fetch() {
        if (fetching) {
            return;
        }
        fetching = true;
        machine.start("intake", () -> {
            do {
                List<Delivery> found = receive();
                emptyReceives = found.isEmpty() ? emptyReceives + 1 : 0;
                inHand.addAll(found);
                if (!found.isEmpty()) {
                    wake();
                }
            } while (combining && emptyReceives < EMPTY_MAX && inHand.size() < RECEIVES_MAX * BATCH);
            combining &= emptyReceives < EMPTY_MAX;
            fetching = false;
        });
    }

    private List<Delivery> receive() {
        List<List<Delivery>> parts = Parallel.map(machine, width, Collections.nCopies(width, BATCH), max -> {
            requests.queue();
            return intake.receive(max, HIDDEN, Duration.ZERO);
        });
        List<Delivery> all = parts.stream().flatMap(List::stream).toList();
        boolean full = all.size() >= width * BATCH * 3 / 4;
        width = full ? Math.min(RECEIVES_MAX, width * 2) : Math.max(1, (all.size() + BATCH - 1) / BATCH);
        return all;
    }

    private void delete(List<Delivery> deliveries) {
        for (int from = 0; from < deliveries.size(); from += BATCH) {
            List<Delivery> part = deliveries.subList(from, Math.min(deliveries.size(), from + BATCH));
            machine.start("delete", () -> {
                requests.queue();
                intake.delete(part.stream().map(Delivery::receipt).toList());
            });
        }
    }

    /** Leaves to others what this client has not put. */
    private void show(List<Delivery> deliveries) {
        deliveries.forEach(delivery -> machine.start("show", () -> {
            requests.queue();
            intake.changeVisibility(delivery.receipt(), Duration.ZERO);
        }));
    }

    private double nowMillis() {
        return machine.nanoTime() / NANOS_PER_MILLI;
    }
}
