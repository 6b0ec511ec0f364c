package io.penstock.commit.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A breadth-first search of all states that a model can reach, so that a counterexample is a shortest one. A state is
 * identified by 128 bits of a hash of its bytes: that two of a billion states are confused has a probability of about
 * 10^-21.
 */
final class Explorer<S extends Explorer.State<S>> {
    /** A state of a model. */
    interface State<S> {
        /** The bytes that distinguish it from all other states. */
        byte[] bytes();

        /** The steps that can happen next, always in the same order. */
        List<Step<S>> steps();

        /** The broken invariant, or null. */
        @Nullable
        String broken();

        /** Whether all work is done; {@link #broken} then checks more. */
        boolean isEnd();
    }

    record Step<S>(String what, S next) {}

    /**
     * The result of a search.
     *
     * @param steps between any two states, those that lead back included
     * @param broken the first rule that does not hold, with the way there; null when all hold
     */
    record Found(
            long states, long steps, long ends, @Nullable String broken, List<String> trace) {
        @Override
        public String toString() {
            String counts = states + " states, " + steps + " steps, " + ends + " ends";
            return broken == null ? counts : counts + ": " + broken + "\n  " + String.join("\n  ", trace);
        }
    }

    private final S initial;
    private final int statesMax;
    private final HashIndex index = new HashIndex();
    private final IntList parents = new IntList();
    private final IntList ordinals = new IntList();
    private final IntList from = new IntList();
    private final IntList to = new IntList();
    private final BitSet ends = new BitSet();

    /** @param statesMax more than that is a failure: the scope is too large to be searched */
    Explorer(S initial, int statesMax) {
        this.initial = initial;
        this.statesMax = statesMax;
    }

    Found run() {
        ArrayDeque<S> frontier = new ArrayDeque<>();
        number(initial, -1, 0);
        frontier.add(initial);
        for (int at = 0; !frontier.isEmpty(); at++) {
            S state = frontier.remove();
            String broken = state.broken();
            if (broken != null) {
                return found(broken, at);
            }
            if (state.isEnd()) {
                ends.set(at);
            }
            int ordinal = 0;
            for (Step<S> step : state.steps()) {
                int before = parents.size();
                int next = number(step.next, at, ordinal++);
                if (next == before) {
                    frontier.add(step.next);
                }
                from.add(at);
                to.add(next);
            }
            if (parents.size() > statesMax) {
                throw new IllegalStateException("more than " + statesMax + " states; make the scope smaller");
            }
        }
        int stuck = firstWithoutEnd();
        return stuck < 0 ? found(null, 0) : found("the backlog drains: no end can be reached any more", stuck);
    }

    /** The number of a state; a new one when it was not seen before. */
    private int number(S state, int parent, int ordinal) {
        int number = index.number(state.bytes());
        if (number == parents.size()) {
            parents.add(parent);
            ordinals.add(ordinal);
        }
        return number;
    }

    private Found found(@Nullable String broken, int at) {
        return new Found(
                parents.size(), from.size(), ends.cardinality(), broken, broken == null ? List.of() : trace(at));
    }

    /** The first state from which no end can be reached, or -1: found by going back from all ends. */
    private int firstWithoutEnd() {
        int states = parents.size();
        int[] first = new int[states + 1];
        for (int edge = 0; edge < to.size(); edge++) {
            first[to.get(edge) + 1]++;
        }
        for (int i = 0; i < states; i++) {
            first[i + 1] += first[i];
        }
        int[] next = Arrays.copyOf(first, states);
        int[] sources = new int[to.size()];
        for (int edge = 0; edge < to.size(); edge++) {
            sources[next[to.get(edge)]++] = from.get(edge);
        }
        BitSet drains = (BitSet) ends.clone();
        IntList work = new IntList();
        ends.stream().forEach(work::add);
        while (work.size() > 0) {
            int state = work.removeLast();
            for (int i = first[state]; i < first[state + 1]; i++) {
                if (!drains.get(sources[i])) {
                    drains.set(sources[i]);
                    work.add(sources[i]);
                }
            }
        }
        int stuck = drains.nextClearBit(0);
        return stuck < states ? stuck : -1;
    }

    /** The steps that led to a state, told again from the start. */
    private List<String> trace(int state) {
        List<Integer> path = new ArrayList<>();
        for (int at = state; parents.get(at) >= 0; at = parents.get(at)) {
            path.add(ordinals.get(at));
        }
        Collections.reverse(path);
        List<String> told = new ArrayList<>();
        S at = initial;
        for (int ordinal : path) {
            Step<S> step = at.steps().get(ordinal);
            told.add(step.what);
            at = step.next;
        }
        return told;
    }

    /** Numbers by the hashes of what they name: open addressing, no deletion. */
    private static final class HashIndex {
        private long[] high = new long[1 << 16];
        private long[] low = new long[1 << 16];
        private int[] numbers = new int[1 << 16];
        private int size;

        int number(byte[] bytes) {
            if (size * 2 > numbers.length) {
                grow();
            }
            long a = 0x9E3779B97F4A7C15L;
            long b = 0xC2B2AE3D27D4EB4FL;
            for (byte one : bytes) {
                a = mix(a ^ one);
                b = mix(b + one * 0x165667B19E3779F9L);
            }
            int slot = slot(a, b);
            if (numbers[slot] == 0) {
                place(slot, a, b, ++size);
            }
            return numbers[slot] - 1;
        }

        private static long mix(long value) {
            long mixed = (value ^ value >>> 32) * 0xD6E8FEB86659FD93L;
            return mixed ^ mixed >>> 29;
        }

        private int slot(long a, long b) {
            int mask = numbers.length - 1;
            int slot = (int) (a >>> 7) & mask;
            while (numbers[slot] != 0 && (high[slot] != a || low[slot] != b)) {
                slot = slot + 1 & mask;
            }
            return slot;
        }

        private void place(int slot, long a, long b, int number) {
            high[slot] = a;
            low[slot] = b;
            numbers[slot] = number;
        }

        private void grow() {
            long[] oldHigh = high;
            long[] oldLow = low;
            int[] old = numbers;
            high = new long[old.length * 2];
            low = new long[old.length * 2];
            numbers = new int[old.length * 2];
            for (int i = 0; i < old.length; i++) {
                if (old[i] != 0) {
                    place(slot(oldHigh[i], oldLow[i]), oldHigh[i], oldLow[i], old[i]);
                }
            }
        }
    }

    private static final class IntList {
        private int[] values = new int[1 << 12];
        private int size;

        void add(int value) {
            if (size == values.length) {
                values = Arrays.copyOf(values, size * 2);
            }
            values[size++] = value;
        }

        int get(int at) {
            return values[at];
        }

        int removeLast() {
            return values[--size];
        }

        int size() {
            return size;
        }
    }
}
