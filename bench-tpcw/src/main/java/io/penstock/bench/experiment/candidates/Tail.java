package io.penstock.bench.experiment.candidates;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The log as one client knows it: who wrote each key last, and the verdicts. For one client. */
final class Tail {
    private final Map<Integer, Integer> writtenAt = new HashMap<>();
    private final Map<Long, Boolean> verdicts = new HashMap<>();
    private int tip;

    /** The number of the newest segment that is known; 0 before the first. */
    int tip() {
        return tip;
    }

    /** Whether the transaction was committed (true) or refused; empty when the known log does not tell. */
    Optional<Boolean> verdict(Intent intent) {
        return Optional.ofNullable(verdicts.get(intent.id()));
    }

    /** Takes note of the next segment. The first verdict on a transaction counts. */
    void add(Segment segment) {
        if (segment.number() != tip + 1) {
            throw new IllegalStateException("segment " + segment.number() + " does not follow " + tip);
        }
        tip = segment.number();
        for (Intent intent : segment.committed()) {
            if (verdicts.putIfAbsent(intent.id(), true) == null) {
                writtenAt.put(intent.key(), tip);
            }
        }
        segment.refused().forEach(id -> verdicts.putIfAbsent(id, false));
    }

    /** The segment to put next: those transactions that have no verdict yet, validated in this order. */
    Segment next(int writer, List<Intent> intents) {
        List<Intent> committed = new ArrayList<>();
        List<Long> refused = new ArrayList<>();
        Set<Integer> keys = new HashSet<>();
        Set<Long> ids = new HashSet<>();
        for (Intent intent : intents) {
            if (verdicts.containsKey(intent.id()) || !ids.add(intent.id())) {
                continue;
            }
            boolean stale = writtenAt.getOrDefault(intent.key(), 0) > intent.snapshot();
            if (stale || !keys.add(intent.key())) {
                refused.add(intent.id());
            } else {
                committed.add(intent);
            }
        }
        return new Segment(tip + 1, writer, committed, refused);
    }
}
