package io.penstock.bench.experiment.candidates;

import io.penstock.core.task.Promise;
import io.penstock.testkit.SimulatedClient;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * A client that commits what its threads hand in: a group at a time, and what gathers meanwhile goes into the next
 * group. How a group gets into the log is what the candidates differ in.
 */
abstract class Committer {
    private static final double NANOS_PER_MILLI = 1e6;

    final SimulatedClient machine;
    final CommitLog log;
    final Tail tail = new Tail();
    final int id;
    private final ArrayDeque<Waiting> gathered = new ArrayDeque<>();
    private Promise<Boolean> work;

    /** A transaction, and the verdict that its thread waits for. */
    record Waiting(Intent intent, Promise<Boolean> verdict) {}

    Committer(SimulatedClient machine, CommitLog log, int id) {
        this.machine = machine;
        this.log = log;
        this.id = id;
        this.work = machine.promise();
    }

    /** Starts the task that commits; it runs as long as the simulation. */
    void start() {
        machine.start("committer", () -> {
            while (true) {
                round();
            }
        });
    }

    /** Commits; false when there was a conflict. */
    boolean commit(Intent intent) {
        Waiting waiting = new Waiting(intent, machine.promise());
        gathered.add(waiting);
        wake();
        return waiting.verdict.await();
    }

    /** Waits for work, and does it. */
    private void round() {
        if (gathered.isEmpty() && !hasMore()) {
            work.await();
        }
        List<Waiting> group = new ArrayList<>(gathered);
        gathered.clear();
        work = machine.promise();
        decide(group);
    }

    /** Whether there is work other than the own threads'; who finds some calls {@link #wake}. */
    boolean hasMore() {
        return false;
    }

    final void wake() {
        work.complete(true);
    }

    abstract void decide(List<Waiting> group);

    final Segment next(List<Intent> intents) {
        return tail.next(id, intents);
    }

    static List<Intent> intents(List<Waiting> group) {
        return group.stream().map(Waiting::intent).toList();
    }

    /** Tells the verdicts that the known log has, and returns what is still to be decided. */
    final List<Waiting> settle(List<Waiting> group) {
        List<Waiting> open = new ArrayList<>();
        for (Waiting waiting : group) {
            tail.verdict(waiting.intent).ifPresentOrElse(waiting.verdict::complete, () -> open.add(waiting));
        }
        return open;
    }

    /** Tries to put the next segment with these transactions; true when it is there, or was not needed. */
    final boolean append(List<Intent> intents) {
        Segment segment = next(intents);
        if (segment.committed().isEmpty() && segment.refused().isEmpty()) {
            return true;
        }
        if (!log.append(segment)) {
            return false;
        }
        tail.add(segment);
        return true;
    }

    /** Refuses those of the own group that have a conflict already: that needs no segment. */
    final List<Waiting> refuse(List<Waiting> group) {
        List<Long> refused = next(intents(group)).refused();
        List<Waiting> open = new ArrayList<>();
        for (Waiting waiting : group) {
            if (refused.contains(waiting.intent.id())) {
                waiting.verdict.complete(false);
            } else {
                open.add(waiting);
            }
        }
        return open;
    }

    final void pause(double millis) {
        machine.sleep(Duration.ofNanos((long) (millis * NANOS_PER_MILLI)));
    }
}
