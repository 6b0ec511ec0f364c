package io.penstock.bench.kills;

import io.penstock.ConsistencyLevel;
import io.penstock.bench.kills.ListGraph.Edge;
import io.penstock.bench.kills.ListGraph.Found;
import io.penstock.bench.kills.ListGraph.Kind;
import io.penstock.bench.kills.ListHistory.Attempt;
import io.penstock.bench.kills.ListHistory.Step;
import io.penstock.bench.kills.ListHistory.What;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The judge of the histories of all threads, beside the lists that are there in the end: what was acknowledged is there
 * once, what failed is not, what was read is how the lists once were, and no cycle of dependencies is one that the
 * level forbids. Reads of transactions that failed are not judged. Pure; for one use.
 */
final class ListVerdict {
    /** The clock of the machine may be set back by so much: an earlier end and a later begin are ordered beyond it. */
    private static final long TOLERANCE_MILLIS = 20;

    private final ConsistencyLevel level;
    private final List<Attempt> attempts;
    private final Map<Long, List<Long>> lists;
    private final Map<Long, Integer> writers = new HashMap<>();
    private final Set<Integer> committed = new HashSet<>();
    private final ListGraph graph = new ListGraph();
    private final List<String> violations = new ArrayList<>();

    private ListVerdict(ConsistencyLevel level, List<Attempt> attempts, Map<Long, List<Long>> lists) {
        this.level = level;
        this.attempts = attempts;
        this.lists = lists;
    }

    /**
     * The verdict.
     *
     * @param unknownThere transactions that are there, though their thread got no acknowledgement
     * @param skews cycles that SNAPSHOT allows
     */
    record Result(
            long acknowledged, long failed, long unknown, long unknownThere, long skews, List<String> violations) {}

    /** @param lists the numbers of each list in the end */
    static Result judge(ConsistencyLevel level, List<Attempt> attempts, Map<Long, List<Long>> lists) {
        ListVerdict verdict = new ListVerdict(level, attempts, lists);
        verdict.judgeAppends();
        verdict.connectWrites();
        for (int reader : verdict.committed) {
            verdict.judgeReads(reader);
        }
        verdict.connectTimes();
        return verdict.result();
    }

    private void judgeAppends() {
        Map<Long, Long> places = new HashMap<>();
        lists.forEach((list, numbers) -> numbers.forEach(number -> {
            if (places.put(number, list) != null) {
                violations.add("there twice: " + number + " of list " + list);
            }
        }));
        Set<Long> strangers = new HashSet<>(places.keySet());
        for (int at = 0; at < attempts.size(); at++) {
            Attempt attempt = attempts.get(at);
            List<Step> appends = attempt.steps().stream()
                    .filter(step -> step.appended() != 0)
                    .toList();
            long there = appends.stream()
                    .filter(step -> Long.valueOf(step.list()).equals(places.get(step.appended())))
                    .count();
            for (Step append : appends) {
                writers.put(append.appended(), at);
                strangers.remove(append.appended());
            }
            judge(at, there, appends.size());
        }
        strangers.forEach(number -> violations.add("nobody has appended " + number));
    }

    private void judge(int at, long there, long appends) {
        Attempt attempt = attempts.get(at);
        if (attempt.outcome() == What.OK || there > 0) {
            committed.add(at);
        }
        boolean whole = there == appends;
        if (attempt.outcome() == What.OK && !whole) {
            violations.add("acknowledged and not whole: " + attempt.name() + " " + attempt.steps());
        } else if (attempt.outcome() == What.FAILED && there > 0) {
            violations.add("told that nothing was committed, and there: " + attempt.name());
        } else if (there > 0 && !whole) {
            violations.add("there in part: " + attempt.name() + " " + attempt.steps());
        }
    }

    private void connectWrites() {
        for (List<Long> numbers : lists.values()) {
            for (int i = 0; i + 1 < numbers.size(); i++) {
                connect(numbers.get(i), numbers.get(i + 1));
            }
        }
    }

    private void connect(long earlier, long later) {
        Integer from = writers.get(earlier);
        Integer to = writers.get(later);
        if (from != null && to != null) {
            graph.add(from, to, Edge.WRITE_WRITE);
        }
    }

    private void judgeReads(int reader) {
        Map<Long, List<Long>> own = new HashMap<>();
        for (Step step : attempts.get(reader).steps()) {
            List<Long> mine = own.computeIfAbsent(step.list(), list -> new ArrayList<>());
            List<Long> all = lists.getOrDefault(step.list(), List.of());
            int others = step.read().size() - mine.size();
            boolean sees = others >= 0
                    && step.read().subList(others, step.read().size()).equals(mine);
            if (!sees
                    || others > all.size()
                    || !all.subList(0, others).equals(step.read().subList(0, others))) {
                violations.add("read what list " + step.list() + " never was: " + name(reader) + " " + step);
            } else {
                connectRead(reader, all, others);
            }
            if (step.appended() != 0) {
                mine.add(step.appended());
            }
        }
    }

    private void connectRead(int reader, List<Long> numbers, int seen) {
        Integer before = seen == 0 ? null : writers.get(numbers.get(seen - 1));
        if (before != null) {
            graph.add(before, reader, Edge.WRITE_READ);
        }
        Integer after = seen == numbers.size() ? null : writers.get(numbers.get(seen));
        if (after != null) {
            graph.add(reader, after, Edge.READ_WRITE);
        }
    }

    /** Adds one more node for each end, in a row, so that the edges are few. */
    private void connectTimes() {
        List<Integer> ends = committed.stream()
                .filter(at -> attempts.get(at).outcome() == What.OK)
                .sorted(Comparator.comparing(at -> attempts.get(at).endMillis()))
                .toList();
        List<Integer> begins = committed.stream()
                .sorted(Comparator.comparing(at -> attempts.get(at).beginMillis()))
                .toList();
        int past = 0;
        for (int begin : begins) {
            long now = attempts.get(begin).beginMillis() - TOLERANCE_MILLIS;
            while (past < ends.size() && attempts.get(ends.get(past)).endMillis() < now) {
                int node = attempts.size() + past;
                graph.add(ends.get(past), node, Edge.TIME);
                graph.add(node, node + 1, Edge.TIME);
                past++;
            }
            if (past > 0) {
                graph.add(attempts.size() + past - 1, begin, Edge.TIME);
            }
        }
    }

    private Result result() {
        long skews = 0;
        for (Found cycle : graph.cycles()) {
            boolean skew = cycle.kind() == Kind.G2 || cycle.kind() == Kind.G2_IN_TIME;
            skews += skew ? 1 : 0;
            if (!skew || level != ConsistencyLevel.SNAPSHOT) {
                violations.add(cycle.kind() + " of "
                        + cycle.transactions().stream()
                                .filter(at -> at < attempts.size())
                                .map(this::name)
                                .toList());
            }
        }
        long unknownThere = committed.stream()
                .filter(at -> attempts.get(at).outcome() == What.UNKNOWN)
                .count();
        return new Result(
                count(What.OK), count(What.FAILED), count(What.UNKNOWN), unknownThere, skews, List.copyOf(violations));
    }

    private long count(What outcome) {
        return attempts.stream().filter(attempt -> attempt.outcome() == outcome).count();
    }

    private String name(int at) {
        return attempts.get(at).name();
    }
}
