package io.penstock.commit.simulation.surface;

import io.penstock.ConsistencyLevel;
import io.penstock.commit.simulation.surface.Proposals.Proposed;
import io.penstock.commit.simulation.surface.Proposals.Settling;
import io.penstock.core.Stamp;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One run of a body, or one call outside of transactions: what it saw, what it wrote, and how it ended. */
final class Attempt {
    /** The end of an attempt, as the program knows it. */
    enum End {
        /** Never heard of again. */
        OPEN,
        COMMITTED,
        /** The body has decided by what it read: it aborted, or threw. */
        ANSWERED,
        /** Certainly not committed; the program has no answer. */
        FAILED,
        UNKNOWN
    }

    /** The answer that a state gives to a look. */
    interface Answer extends Serializable {
        Object of(TreeMap<String, String> state);
    }

    /** The change that a write makes to a state. */
    interface Change extends Serializable {
        void make(TreeMap<String, String> state);
    }

    /**
     * A look at the store.
     *
     * @param writes how many of the attempt's own came before
     * @param of the answer that a state gives
     * @param records that it tells of, by key, as far as it tells of each by itself
     */
    record Look(String what, int writes, Answer of, Object seen, Map<String, Optional<String>> records, long nanos) {
        @Override
        public String toString() {
            return what + " = " + Item.clip(seen);
        }
    }

    /** A write: how it changes a state. */
    record Write(String what, Change change) implements Serializable {
        @Override
        public String toString() {
            return Item.clip(what);
        }
    }

    final String user;
    final String session;
    final String context;
    final ConsistencyLevel level;

    /** The age that the state may have. */
    final Duration staleness;

    final long beginNanos;

    /** The one state that it reads, whose position was asked for at its begin. */
    States.@Nullable Named named;

    final List<Object> steps = new ArrayList<>();
    final List<Look> looks = new ArrayList<>();
    final List<Write> writes = new ArrayList<>();

    /** The values that it has put, by key, without those that it has put since. */
    final Map<String, Optional<String>> puts = new TreeMap<>();

    boolean deletesRange;

    /** The proposal of a review that it is about. */
    @Nullable
    Proposed proposed;

    Settling settling = Settling.NONE;

    /** Of all that was put, also of what was put over since; 0 for never. */
    final Set<Long> expiries = new TreeSet<>();

    /** Whether the body has come to its decision, by which it ends. */
    boolean decides;

    Stamp stamp = Stamp.ZERO;
    long endNanos;
    End end = End.OPEN;

    Attempt(String user, String session, String context, ConsistencyLevel level, Duration staleness, long beginNanos) {
        this.user = user;
        this.session = session;
        this.context = context;
        this.level = level;
        this.staleness = staleness;
        this.beginNanos = beginNanos;
    }

    /** A moment of an attempt: how much of it was before. */
    record Moment(int steps, int looks, int writes) {}

    Moment moment() {
        return new Moment(steps.size(), looks.size(), writes.size());
    }

    void look(String what, Object seen, Map<String, Optional<String>> records, long nanos, Answer of) {
        look(moment(), what, seen, records, nanos, of);
    }

    /** @param begun when it began: it does not see what was written since */
    void look(Moment begun, String what, Object seen, Map<String, Optional<String>> records, long nanos, Answer of) {
        Look look = new Look(what, begun.writes, of, seen, records, nanos);
        looks.add(begun.looks, look);
        steps.add(begun.steps, look);
    }

    /** The time of its last look, or of its end. */
    long lastNanos() {
        return looks.stream().mapToLong(Look::nanos).reduce(endNanos, Math::max);
    }

    void put(String key, String value) {
        puts.put(key, Optional.of(value));
        expiries.add(Item.expiryMillis(value));
        write(new Write("put " + key + " " + value, state -> state.put(key, value)));
    }

    void delete(String key) {
        puts.put(key, Optional.empty());
        write(new Write("delete " + key, state -> state.remove(key)));
    }

    void deleteRange(Query query) {
        deletesRange = true;
        String own = query.collection() + "/";
        puts.replaceAll((key, value) ->
                key.startsWith(own) && query.place(key.substring(own.length()), "") != null ? Optional.empty() : value);
        write(new Write("delete the range of " + query, state -> {
            String prefix = query.collection() + "/";
            query.rows(state).forEach(row -> state.remove(prefix + row.getKey()));
        }));
    }

    /** Applies a proposal that is approved, and removes it, as one that is withdrawn. */
    void settle() {
        Proposed settled = Objects.requireNonNull(proposed);
        String value = settled.value();
        if (settling == Settling.APPROVES && value != null) {
            put(settled.record(), value);
        } else if (settling == Settling.APPROVES) {
            delete(settled.record());
        }
        puts.put(settled.key(), Optional.empty());
        write("settle " + settled.by(), state -> {
            state.remove(settled.key());
            state.remove(settled.baseKey());
        });
    }

    /** Takes back what was to be written. */
    void forget() {
        steps.clear();
        writes.clear();
        puts.clear();
    }

    void write(String what, Change change) {
        write(new Write(what, change));
    }

    private void write(Write write) {
        writes.add(write);
        steps.add(write);
    }

    void end(End how, long nanos) {
        end = how;
        endNanos = nanos;
    }

    /** The first word of its context, and the second where a body has an ending. */
    String way() {
        return context.substring(0, context.indexOf(" in ")).replace(' ', '_');
    }

    @Override
    public String toString() {
        return user + " " + context + " " + level + " " + beginNanos / 1_000_000 + ".." + endNanos / 1_000_000 + " ms "
                + end + " " + steps;
    }
}
