package io.penstock.commit.simulation.surface;

import io.penstock.ConsistencyLevel;
import io.penstock.commit.simulation.surface.Attempt.End;
import io.penstock.core.Stamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A model of all committed states, in the order of the commit log, that judges every attempt: what it has read must be
 * what one state gives, one that was not too old, and at SERIALIZABLE that before its own commit.
 */
final class Judge {
    static final String NAMED = "what is read at a position is of its state, which was not too old";
    static final String ONE_STATE = "what is read together is of one state";
    static final String OUTSIDE = "a read outside of transactions is of one state";
    static final String FRESH = "what was acknowledged before is seen";
    static final String ANSWERS = "an answer of a body that aborts or throws is of a state that was there";
    static final String VALIDATED = "a serializable transaction has read the state before its commit";
    static final String NO_LOST_UPDATE = "no lost update";
    static final String NO_EFFECT = "what failed has no effect";
    static final String WHOLE = "a transaction is in the log once and whole";
    static final String UNIQUE = "a search key of a unique index belongs to one record";
    static final String ACKNOWLEDGED = "acknowledged writes are in the log";

    /** A clock that tells when records expire is as exact as this, where it is right. */
    private static final long EXACT_MILLIS = 1_000;

    /** The most by which clocks that are not right differ from the servers'. */
    static final long SKEW_MILLIS_MAX = 500;

    /**
     * Where clocks differ, a record expires up to two differences after the time in its value, as its life counts from
     * the newest stamp. So expiries are at multiples of this, and what is read near one of them is not judged.
     */
    private static final long WHOLE_MILLIS = 15_000;

    /** States that a failure tells of. */
    private static final int TOLD_MAX = 8;

    /** The value of a large record that was replaced before anybody read the log. */
    static final String GONE = "?";

    /** A transaction of the commit log. */
    record Commit(Stamp stamp, Map<String, Optional<String>> changes) {}

    /** The session of what counts for all by its time. */
    private static final String NOBODY = "";

    /** A state that was seen to be there by then. */
    private record Floor(long nanos, int position, String session) {}

    private final Drawn drawn;
    private final Log log;
    private final List<Commit> commits;
    private final List<TreeMap<String, String>> states = new ArrayList<>();
    private final Map<Stamp, Integer> byStamp = new HashMap<>();
    private final Map<String, Integer> byValue = new HashMap<>();
    private final long[] begun;
    private final Map<Attempt, Integer> places = new HashMap<>();
    private final List<Floor> floors = new ArrayList<>();
    private final TreeSet<Long> expiries = new TreeSet<>();
    private final long epochMillis;
    private final long exactMillis;

    Judge(Drawn drawn, Log log, List<Commit> commits, long epochMillis) {
        this.drawn = drawn;
        this.log = log;
        this.commits = commits;
        this.epochMillis = epochMillis;
        this.exactMillis = EXACT_MILLIS + (drawn.has(Feature.SKEW) ? 2 * SKEW_MILLIS_MAX : 0);
        this.begun = new long[commits.size()];
        TreeMap<String, String> state = new TreeMap<>();
        states.add(state);
        for (int i = 0; i < commits.size(); i++) {
            int position = i;
            TreeMap<String, String> next = new TreeMap<>(states.getLast());
            commits.get(i).changes.forEach((key, value) -> {
                value.ifPresentOrElse(v -> next.put(key, v), () -> next.remove(key));
                value.ifPresent(v -> byValue.put(key + "=" + v, position));
                value.map(Item::expiryMillis).filter(at -> at > 0).ifPresent(expiries::add);
            });
            byStamp.put(commits.get(i).stamp, i);
            states.add(next);
        }
    }

    /** The next time after one at which records may expire where clocks differ. */
    static long whole(long millis) {
        return (millis / WHOLE_MILLIS + 1) * WHOLE_MILLIS;
    }

    TreeMap<String, String> last(long nanos) {
        return seen(states.getLast(), nanos);
    }

    /**
     * The states that may be restored of a moment, as they are seen at another time: that of all commits up to it, and
     * those that lack commits which nobody knew of by then, as they may have been on their way while a backup was
     * taken. None where the log no longer tells all.
     */
    List<TreeMap<String, String>> at(Instant moment, long nanos) {
        int position = 0;
        while (position < commits.size() && commits.get(position).stamp.millis() <= moment.toEpochMilli()) {
            position++;
        }
        long sure = moment.toEpochMilli() - epochMillis - (drawn.has(Feature.SKEW) ? 2 * SKEW_MILLIS_MAX : 0);
        int known = Math.min(position, floor(TimeUnit.MILLISECONDS.toNanos(sure)));
        List<TreeMap<String, String>> some = states.subList(known, position + 1);
        return some.stream().anyMatch(state -> state.containsValue(GONE))
                ? List.of()
                : some.reversed().stream().map(state -> seen(state, nanos)).toList();
    }

    /** All states that the log still tells, the last one first, as they are seen at a time. */
    List<TreeMap<String, String>> all(long nanos) {
        return states.reversed().stream()
                .filter(state -> !state.containsValue(GONE))
                .map(state -> seen(state, nanos))
                .toList();
    }

    private TreeMap<String, String> seen(TreeMap<String, String> state, long nanos) {
        TreeMap<String, String> seen = new TreeMap<>(visible(state, epochMillis + nanos / 1_000_000));
        seen.keySet().removeIf(Proposals::isForModel);
        return seen;
    }

    /** A moment between a commit that is drawn and the next one; empty if there are none. */
    Optional<Instant> draw(SplittableRandom random) {
        if (commits.isEmpty()) {
            return Optional.empty();
        }
        int position = random.nextInt(commits.size());
        long millis = commits.get(position).stamp.millis();
        long next =
                commits.get(Math.min(position + 1, commits.size() - 1)).stamp.millis();
        return Optional.of(Instant.ofEpochMilli(random.nextLong(millis, Math.max(millis + 1, next))));
    }

    /** @param named the states of positions: how many commits each has */
    void judge(Map<String, Integer> named) {
        List<Attempt> all = new ArrayList<>(log.attempts);
        all.sort(Comparator.comparingLong(attempt -> attempt.beginNanos));
        all.forEach(this::place);
        if (drawn.has(Feature.UNIQUE) && !drawn.has(Feature.INDEX_ADDED) && !drawn.has(Feature.EXPIRY)) {
            unique();
        }
        for (Attempt attempt : all) {
            States.Named name = attempt.named;
            if (name != null) {
                judge(attempt, name, named.getOrDefault(name.position(), commits.size()));
            } else if (attempt.level.isolates()) {
                judge(attempt);
            }
        }
    }

    /** No state has two records with one search key of a unique index. */
    private void unique() {
        for (int p = 0; p < states.size(); p++) {
            Map<String, String> owners = new HashMap<>();
            for (Map.Entry<String, String> record : states.get(p).entrySet()) {
                boolean known =
                        record.getKey().startsWith("a/") && !record.getValue().equals(GONE);
                String unique = known ? Item.unique(record.getValue()) : null;
                String other = unique == null ? null : owners.put(unique, record.getKey());
                if (other != null) {
                    log.alarm(
                            UNIQUE,
                            unique + " is of " + other + " and " + record.getKey() + " in state " + p + ", after "
                                    + Item.clip(commits.get(p - 1).changes));
                    return;
                }
            }
        }
    }

    // ---- The place of an attempt in the log

    private void place(Attempt attempt) {
        Set<Integer> found = new TreeSet<>();
        List<String> missing = new ArrayList<>();
        Integer stamped = byStamp.get(attempt.stamp);
        if (stamped != null) {
            found.add(stamped);
        }
        attempt.puts.forEach((key, value) -> value.ifPresent(v -> {
            Integer at = byValue.get(key + "=" + v);
            if (at != null) {
                found.add(at);
            } else if (!mayBeGone(key)) {
                missing.add(key + "=" + v);
            }
        }));
        boolean mayCommit = attempt.end != End.FAILED && attempt.end != End.ANSWERED;
        if (!found.isEmpty() && !mayCommit) {
            alarm(NO_EFFECT, attempt, "in the log at " + found);
        } else if (found.size() > 1 || !found.isEmpty() && !missing.isEmpty()) {
            alarm(WHOLE, attempt, "in the log at " + found + ", not there " + missing);
        } else if (attempt.end == End.COMMITTED && found.isEmpty() && !missing.isEmpty()) {
            alarm(ACKNOWLEDGED, attempt, "not in the log " + missing);
        }
        if (mayCommit && found.size() == 1) {
            int at = found.iterator().next();
            effect(attempt, at);
            places.put(attempt, at);
            begun[at] = attempt.beginNanos;
            if (attempt.end == End.COMMITTED) {
                floors.add(new Floor(attempt.endNanos, at + 1, attempt.session));
            }
        }
    }

    /** The log has all that the attempt has written, deletes too, and nothing else. */
    private void effect(Attempt attempt, int at) {
        TreeMap<String, String> after = new TreeMap<>(states.get(at));
        attempt.writes.forEach(write -> write.change().make(after));
        // At SNAPSHOT others may have come into the range meanwhile.
        boolean known = attempt.level == ConsistencyLevel.SERIALIZABLE || !attempt.deletesRange;
        if (known && !after.equals(states.get(at + 1)) && !isUnsure(at) && !drawn.has(Feature.EXPIRY)) {
            alarm(WHOLE, attempt, "in the log at " + at + " as " + Item.clip(commits.get(at).changes));
        }
    }

    /** Whether the log no longer tells all that is there before a commit or after it. */
    private boolean isUnsure(int at) {
        return drawn.has(Feature.LARGE)
                || states.get(at).containsValue(GONE)
                || states.get(at + 1).containsValue(GONE);
    }

    private boolean mayBeGone(String key) {
        if (key.startsWith("r/")
                && commits.stream()
                        .anyMatch(commit -> commit.changes.keySet().stream().anyMatch(Proposals::isNobodys))) {
            return true;
        }
        return drawn.mayBeLarge()
                && commits.stream()
                        .anyMatch(commit -> commit.changes
                                .getOrDefault(key, Optional.empty())
                                .filter(GONE::equals)
                                .isPresent());
    }

    private int floor(long nanos) {
        int position = 0;
        for (Floor floor : floors) {
            if (floor.nanos < nanos) {
                position = Math.max(position, floor.position);
            }
        }
        return position;
    }

    /** What a session, or the one that its token is of, has seen or committed: it goes on there, however old. */
    private int floor(String session, long nanos) {
        int position = 0;
        for (Floor floor : floors) {
            if (floor.nanos < nanos && floor.session.equals(session)) {
                position = Math.max(position, floor.position);
            }
        }
        Log.Origin origin = log.origins.get(session);
        return origin == null ? position : Math.max(position, floor(origin.session(), Math.min(nanos, origin.nanos())));
    }

    /** The last position that may have been there by then. */
    private int ceiling(long nanos) {
        int position = 0;
        while (position < commits.size() && begun[position] <= nanos) {
            position++;
        }
        return position;
    }

    // ---- What an attempt has read

    private void judge(Attempt attempt) {
        if (attempt.looks.isEmpty()) {
            return;
        }
        long last = attempt.lastNanos();
        int ceiling = ceiling(last);
        Integer own = places.get(attempt);
        ceiling = own == null ? ceiling : Math.min(ceiling, own);
        int floor = Math.max(
                floor(attempt.beginNanos - attempt.staleness.toNanos()), floor(attempt.session, attempt.beginNanos));
        boolean failed = attempt.end == End.FAILED || attempt.end == End.OPEN || attempt.end == End.UNKNOWN;
        boolean isSerializable = attempt.level == ConsistencyLevel.SERIALIZABLE;
        if (failed && own == null) {
            // The program has no answer; but what it saw together was of one state.
            floor = isSerializable ? 0 : floor;
        }
        if (own != null && isSerializable) {
            int at = own;
            if (!fits(attempt, at)) {
                boolean isOne = firstFit(attempt, 0, ceiling) >= 0;
                alarm(isOne ? VALIDATED : ONE_STATE, attempt, told(attempt, at, at));
            }
            return;
        }
        int fit = firstFit(attempt, floor, ceiling);
        if (fit < 0) {
            boolean isOne = firstFit(attempt, 0, ceiling) >= 0;
            alarm(nameOf(attempt, isOne), attempt, told(attempt, floor, ceiling));
        } else if (own != null) {
            lostUpdate(attempt, own, ceiling);
        } else if (!failed && isSerializable) {
            // All others begin after it; its session has seen no more than its answers tell: they may be its own
            // writes, or of an empty span, for which nobody looks at the log.
            int told = firstFit(attempt, floor(attempt.session, attempt.beginNanos), ceiling);
            floors.add(new Floor(last, fit, NOBODY));
            floors.add(new Floor(last, told, attempt.session));
        }
    }

    private void judge(Attempt attempt, States.Named named, int position) {
        if (position < floor(named.beginNanos()) || position > ceiling(named.endNanos()) || !fits(attempt, position)) {
            alarm(NAMED, attempt, told(attempt, position, position));
        }
    }

    private static String nameOf(Attempt attempt, boolean isOne) {
        if (!isOne) {
            return attempt.context.startsWith("OUTSIDE") ? OUTSIDE : ONE_STATE;
        }
        return attempt.decides ? ANSWERS : FRESH;
    }

    /** At SNAPSHOT nobody else has written what it writes since the state that it has read. */
    private void lostUpdate(Attempt attempt, int own, int ceiling) {
        for (int p = ceiling; p >= 0; p--) {
            if (fits(attempt, p)) {
                for (int i = p; i < own; i++) {
                    for (String key : commits.get(i).changes.keySet()) {
                        if (attempt.puts.containsKey(key)) {
                            alarm(NO_LOST_UPDATE, attempt, key + " was written at " + i + told(attempt, p, own));
                            return;
                        }
                    }
                }
                return;
            }
        }
    }

    private int firstFit(Attempt attempt, int from, int to) {
        for (int position = from; position <= to; position++) {
            if (fits(attempt, position)) {
                return position;
            }
        }
        return -1;
    }

    /** A state with a value that nobody read before it was replaced may give any answer. */
    private boolean fits(Attempt attempt, int position) {
        if (states.get(position).containsValue(GONE)) {
            return true;
        }
        List<Long> instants = instants(attempt, position);
        boolean unsure = drawn.has(Feature.SKEW)
                && drawn.has(Feature.EXPIRY)
                && !expiries.subSet(instants.getFirst() - 2 * SKEW_MILLIS_MAX, instants.get(1) + 1)
                        .isEmpty();
        return unsure || instants.stream().anyMatch(instant -> misfit(attempt, position, instant) == null);
    }

    /**
     * The instants that tell which records have expired: one is as good as another between two expiries. Nothing that a
     * commit before the position could take for expired is alive; nothing that a serializable transaction has read had
     * expired at the time of its stamp.
     */
    private List<Long> instants(Attempt attempt, int position) {
        if (!drawn.has(Feature.EXPIRY)) {
            return List.of(0L);
        }
        States.Named named = attempt.named;
        long last = named == null ? attempt.lastNanos() : named.endNanos();
        long begin = epochMillis + (attempt.beginNanos - attempt.staleness.toNanos()) / 1_000_000 - exactMillis;
        long before = position == 0 ? 0 : commits.get(position - 1).stamp.millis();
        long own = attempt.level == ConsistencyLevel.SERIALIZABLE ? attempt.stamp.millis() : 0;
        long from = Math.max(begin, Math.max(before, own) - exactMillis);
        long to = Math.max(from, epochMillis + last / 1_000_000 + exactMillis);
        List<Long> instants = new ArrayList<>(List.of(from, to));
        instants.addAll(expiries.subSet(from, to));
        attempt.expiries.stream().filter(at -> at > from && at < to).forEach(instants::add);
        return instants;
    }

    /** The first look that a state answers in another way; null when there is none. */
    private Attempt.@Nullable Look misfit(Attempt attempt, int position, long instant) {
        Attempt.Look misfit = misfit(attempt, position, instant, instant);
        // What it has written itself may expire before it commits: of that the instant of its snapshot decides.
        long begun = epochMillis + attempt.beginNanos / 1_000_000 - exactMillis;
        for (long expiry : misfit == null ? Set.<Long>of() : attempt.expiries) {
            if (expiry > begun && misfit(attempt, position, instant, expiry - 1) == null) {
                return null;
            }
        }
        return misfit;
    }

    /** @param own the instant by which what the attempt has written expires */
    private Attempt.@Nullable Look misfit(Attempt attempt, int position, long instant, long own) {
        TreeMap<String, String> state = visible(states.get(position), instant);
        boolean isCopy = state != states.get(position);
        int written = 0;
        for (Attempt.Look look : attempt.looks) {
            if (written < look.writes() && !isCopy) {
                state = new TreeMap<>(state);
                isCopy = true;
            }
            while (written < look.writes()) {
                attempt.writes.get(written++).change().make(state);
            }
            if (isCopy) {
                state = visible(state, Math.min(own, epochMillis + look.nanos() / 1_000_000));
            }
            if (!look.of().of(state).equals(look.seen())) {
                return look;
            }
        }
        return null;
    }

    private TreeMap<String, String> visible(TreeMap<String, String> state, long instant) {
        if (!drawn.has(Feature.EXPIRY)) {
            return state;
        }
        TreeMap<String, String> visible = new TreeMap<>(state);
        visible.values().removeIf(value -> {
            long at = Item.expiryMillis(value);
            return at > 0 && at <= instant;
        });
        return visible;
    }

    private void alarm(String promise, Attempt attempt, String detail) {
        log.alarm(promise, attempt + " " + detail);
    }

    /** How each state around fits, and what came between them. */
    private String told(Attempt attempt, int floor, int ceiling) {
        StringBuilder text = new StringBuilder("; may be of state " + floor + " to " + ceiling + ":");
        int from = Math.max(0, Math.max(floor - 4, ceiling - TOLD_MAX));
        for (int p = from; p <= Math.min(states.size() - 1, ceiling + 1); p++) {
            long instant = instants(attempt, p).getFirst();
            Attempt.Look wrong = misfit(attempt, p, instant);
            text.append("\n    state ").append(p).append(wrong == null ? " fits" : misses(attempt, wrong, p, instant));
            if (p < commits.size()) {
                text.append("\n      then ").append(Item.clip(commits.get(p).changes));
            }
        }
        return text.toString();
    }

    /** Of lists only what is not in both. */
    private String misses(Attempt attempt, Attempt.Look wrong, int position, long instant) {
        TreeMap<String, String> state = new TreeMap<>(visible(states.get(position), instant));
        attempt.writes
                .subList(0, wrong.writes())
                .forEach(write -> write.change().make(state));
        Object expected = wrong.of().of(state);
        if (expected instanceof List<?> wanted && wrong.seen() instanceof List<?> seen) {
            List<Object> more = new ArrayList<>(seen);
            more.removeAll(wanted);
            List<Object> less = new ArrayList<>(wanted);
            less.removeAll(seen);
            return " does not: " + wrong.what() + " has " + Item.clip(more) + ", lacks " + Item.clip(less);
        }
        return " does not: " + wrong.what() + " would be " + Item.clip(expected);
    }
}
