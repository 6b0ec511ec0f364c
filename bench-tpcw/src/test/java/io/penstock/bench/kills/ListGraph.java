package io.penstock.bench.kills;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Dependencies between transactions, which are numbers from 0, and a search for cycles of them after Adya ("Weak
 * consistency", MIT 1999). For one thread.
 */
final class ListGraph {
    /** The kinds of dependencies. */
    enum Edge {
        WRITE_WRITE,
        WRITE_READ,
        READ_WRITE,
        /** One was acknowledged before the other began. */
        TIME
    }

    /** The kinds of cycles, worst first. */
    enum Kind {
        /** Writes over writes. */
        G0,
        /** Writes over writes and reads of writes. */
        G1C,
        /** One read of what another transaction then replaced, besides these. */
        G_SINGLE,
        /** As the former, if real time counts: something old was read, or something new replaced. */
        G_SINGLE_IN_TIME,
        /** Several of those reads, none right after another: two readers see two orders of two writes. */
        G_NONADJACENT,
        /** As the former, if real time counts. */
        G_NONADJACENT_IN_TIME,
        /** Several reads of what others then replaced: write skew, for one. */
        G2,
        /** As the former, if real time counts. */
        G2_IN_TIME
    }

    /** A cycle, and its transactions in order. */
    record Found(Kind kind, List<Integer> transactions) {}

    private record Arc(int to, Edge by) {}

    private static final Set<Edge> FLOW = EnumSet.of(Edge.WRITE_WRITE, Edge.WRITE_READ);
    private static final Set<Edge> TIMED_FLOW = EnumSet.of(Edge.WRITE_WRITE, Edge.WRITE_READ, Edge.TIME);

    private final Map<Integer, List<Arc>> arcs = new HashMap<>();
    private final List<Found> found = new ArrayList<>();
    private final Set<Integer> told = new HashSet<>();

    void add(int from, int to, Edge by) {
        if (from != to) {
            arcs.computeIfAbsent(from, node -> new ArrayList<>()).add(new Arc(to, by));
        }
    }

    /** Returns a cycle of each group of transactions that depend on each other, of the worst kind. Call once. */
    List<Found> cycles() {
        tellLoops(Kind.G0, EnumSet.of(Edge.WRITE_WRITE));
        tellLoops(Kind.G1C, FLOW);
        tellReads(Kind.G_SINGLE, FLOW, false);
        tellLoops(Kind.G_SINGLE_IN_TIME, TIMED_FLOW);
        tellReads(Kind.G_SINGLE_IN_TIME, TIMED_FLOW, false);
        tellReads(Kind.G_NONADJACENT, FLOW, true);
        tellReads(Kind.G_NONADJACENT_IN_TIME, TIMED_FLOW, true);
        tellLoops(Kind.G2, EnumSet.complementOf(EnumSet.of(Edge.TIME)));
        tellLoops(Kind.G2_IN_TIME, EnumSet.allOf(Edge.class));
        return found;
    }

    private void tellLoops(Kind kind, Set<Edge> by) {
        for (List<Integer> group : new Groups(by).find()) {
            if (group.stream().noneMatch(told::contains)) {
                int node = group.getFirst();
                tell(kind, loop(node, by), group);
            }
        }
    }

    /** @param several whether there may be more of these reads, though none right after another */
    private void tellReads(Kind kind, Set<Edge> flow, boolean several) {
        Set<Edge> by = EnumSet.copyOf(flow);
        by.add(Edge.READ_WRITE);
        for (List<Integer> group : new Groups(by).find()) {
            Set<Integer> within = new HashSet<>(group);
            for (int from : group) {
                for (Arc arc : arcs.getOrDefault(from, List.of())) {
                    boolean candidate = arc.by == Edge.READ_WRITE && within.contains(arc.to) && !told.contains(from);
                    Place after = new Place(arc.to, true);
                    List<Integer> back =
                            candidate ? way(after, new Place(from, false), several ? by : flow) : List.of();
                    if (!back.isEmpty()) {
                        tell(kind, back, back);
                    }
                }
            }
        }
    }

    private void tell(Kind kind, List<Integer> cycle, List<Integer> group) {
        told.addAll(group);
        found.add(new Found(kind, cycle));
    }

    /** A transaction on a way, and whether the way came to it by a read-write edge, if none may follow another. */
    private record Place(int node, boolean isAfterRead) {
        @Nullable
        Place next(Arc arc, boolean counts) {
            boolean isRead = counts && arc.by == Edge.READ_WRITE;
            return isRead && isAfterRead ? null : new Place(arc.to, isRead);
        }
    }

    private List<Integer> loop(int node, Set<Edge> by) {
        return way(new Place(node, false), new Place(node, false), by);
    }

    /**
     * Returns the shortest way of at least one edge, with both ends, but once if they are one; empty: none. One that
     * starts after a read-write edge has no two of them in a row.
     */
    private List<Integer> way(Place start, Place end, Set<Edge> by) {
        Map<Place, Place> cameFrom = new HashMap<>();
        Deque<Place> queue = new ArrayDeque<>(List.of(start));
        while (!queue.isEmpty() && !cameFrom.containsKey(end)) {
            Place at = queue.remove();
            for (Arc arc : arcs.getOrDefault(at.node, List.of())) {
                Place next = by.contains(arc.by) ? at.next(arc, start.isAfterRead) : null;
                if (next != null && cameFrom.putIfAbsent(next, at) == null) {
                    queue.add(next);
                }
            }
        }
        List<Integer> way = new ArrayList<>();
        for (Place at = cameFrom.get(end); at != null && !at.equals(start); at = cameFrom.get(at)) {
            way.addFirst(at.node);
        }
        if (cameFrom.containsKey(end)) {
            way.addFirst(start.node);
            way.addAll(start.equals(end) ? List.of() : List.of(end.node));
        }
        return way;
    }

    /** Tarjan's search for strongly connected components, without recursion. For one use. */
    private final class Groups {
        private final Set<Edge> by;
        private final Map<Integer, Integer> order = new HashMap<>();
        private final Map<Integer, Integer> low = new HashMap<>();
        private final Deque<Integer> open = new ArrayDeque<>();
        private final Set<Integer> isOpen = new HashSet<>();
        private final Deque<Visit> visits = new ArrayDeque<>();
        private final List<List<Integer>> groups = new ArrayList<>();

        /** A node, and the arcs from it that are still to be followed. */
        private record Visit(int node, Deque<Arc> rest) {}

        Groups(Set<Edge> by) {
            this.by = by;
        }

        /** Returns those of more than one node. */
        List<List<Integer>> find() {
            for (int root : arcs.keySet()) {
                if (!order.containsKey(root)) {
                    enter(root);
                }
                while (!visits.isEmpty()) {
                    step(visits.element());
                }
            }
            return groups;
        }

        private void enter(int node) {
            low.put(node, order.size());
            order.put(node, order.size());
            open.push(node);
            isOpen.add(node);
            Deque<Arc> rest = new ArrayDeque<>(arcs.getOrDefault(node, List.of()));
            rest.removeIf(arc -> !by.contains(arc.by));
            visits.push(new Visit(node, rest));
        }

        private void step(Visit visit) {
            if (visit.rest.isEmpty()) {
                leave(visit.node);
                return;
            }
            int to = visit.rest.remove().to;
            if (!order.containsKey(to)) {
                enter(to);
            } else if (isOpen.contains(to)) {
                low.merge(visit.node, order.getOrDefault(to, 0), Math::min);
            }
        }

        private void leave(int node) {
            visits.pop();
            int lowest = low.getOrDefault(node, 0);
            if (!visits.isEmpty()) {
                low.merge(visits.element().node, lowest, Math::min);
            }
            if (lowest != order.getOrDefault(node, 0)) {
                return;
            }
            List<Integer> group = new ArrayList<>();
            int last;
            do {
                last = open.pop();
                isOpen.remove(last);
                group.add(last);
            } while (last != node);
            if (group.size() > 1) {
                groups.add(group);
            }
        }
    }
}
