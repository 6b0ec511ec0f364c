package io.penstock.bench.experiment.candidates;

import io.penstock.core.Bytes;
import io.penstock.core.task.Parallel;
import io.penstock.testkit.SimulatedClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Lanes: each client puts its group as an object of its own, one conditional put closes a round by naming the groups
 * that belong to it, and all clients validate these alike.
 */
final class Lanes extends Committer {
    /** Rounds back to which a group may belong that is not in one yet. */
    private static final int ROUNDS_BACK = 4;

    private static final double NANOS_PER_MILLI = 1e6;

    /** Requests of one client at a time. */
    private static final int WIDTH = 16;

    private final double putMillis;
    private final Map<String, List<Intent>> known = new HashMap<>();
    private int groups;

    Lanes(SimulatedClient machine, CommitLog log, int id, double putMillis) {
        super(machine, log, id);
        this.putMillis = putMillis;
    }

    @Override
    void decide(List<Waiting> group) {
        List<Waiting> open = refuse(group);
        if (open.isEmpty()) {
            return;
        }
        // Named by the round in which it was put, so that a listing need not begin at the first.
        String lane = String.format(Locale.ROOT, "lane/%08x/%04x-%08x", tail.tip(), id, groups++);
        List<Intent> intents = intents(open);
        known.put(lane, intents);
        log.putIfAbsent(lane, Intents.encode(intents));
        double patience = nowMillis() + putMillis * machine.random().nextDouble();
        while (!open.isEmpty()) {
            if (!look() && nowMillis() > patience) {
                close();
                patience = nowMillis() + putMillis * (1 + machine.random().nextDouble());
            }
            open = settle(open);
        }
    }

    /** Closes a round with all groups that a listing shows. */
    private void close() {
        String from = String.format(Locale.ROOT, "lane/%08x", Math.max(0, tail.tip() - ROUNDS_BACK));
        List<String> lanes = log.list("lane/", from);
        if (!lanes.isEmpty()) {
            log.putIfAbsent(round(tail.tip() + 1), Bytes.utf8(String.join("\n", lanes)));
        }
    }

    private static String round(int number) {
        return String.format(Locale.ROOT, "round/%08x", number);
    }

    /** Reads the next round and the groups that it names; whether there is one. */
    private boolean look() {
        Optional<Bytes> round = log.read(round(tail.tip() + 1));
        if (round.isEmpty()) {
            return false;
        }
        List<String> lanes = List.of(round.get().toUtf8().split("\n"));
        List<String> unknown =
                lanes.stream().filter(lane -> !known.containsKey(lane)).toList();
        List<List<Intent>> read = Parallel.map(
                machine, WIDTH, unknown, lane -> Intents.decode(log.read(lane).orElseThrow()));
        for (int i = 0; i < unknown.size(); i++) {
            known.put(unknown.get(i), read.get(i));
        }
        List<Intent> all = new ArrayList<>();
        lanes.forEach(lane -> all.addAll(Objects.requireNonNull(known.get(lane))));
        Segment segment = next(all);
        tail.add(new Segment(segment.number(), 0, segment.committed(), segment.refused()));
        return true;
    }

    private double nowMillis() {
        return machine.nanoTime() / NANOS_PER_MILLI;
    }
}
