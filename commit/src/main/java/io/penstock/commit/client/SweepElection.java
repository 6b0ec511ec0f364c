package io.penstock.commit.client;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.Written;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The turns that the clients of a store take at sweeping it. One object decides: when it is old, the first client that
 * rewrites it sweeps. Turns only save requests: two concurrent sweeps are harmless.
 *
 * <p>Not safe for use by many threads.
 */
public final class SweepElection {
    private final ObjectStore objects;
    private final String key;
    private final ServerClock serverClock;
    private final Tasks tasks;

    /** The version that was seen last, and the time since which it has been the newest, by {@link Tasks#nanoTime}. */
    private @Nullable ObjectVersion seen;

    private long seenSinceNanos;

    /** The turn that this client has taken last. */
    private @Nullable Taken taken;

    private record Taken(State state, ObjectVersion version) {}

    /** @param key of the object, such as {@code store/clients/sweep} */
    public SweepElection(ObjectStore objects, String key, ServerClock serverClock, Tasks tasks) {
        this.objects = objects;
        this.key = key;
        this.serverClock = serverClock;
        this.tasks = tasks;
    }

    /**
     * The answer to a client that asks for its turn.
     *
     * @param pause the time to wait before asking again; zero when the turn was taken
     * @param look the look at settled clients that comes with the turn; empty when none is due
     */
    public record Turn(Duration pause, Optional<Look> look) {
        static Turn none(Duration pause) {
            return new Turn(pause, Optional.empty());
        }
    }

    /**
     * A look at a part of the settled clients.
     *
     * @param number of earlier looks
     * @param after the client that was looked at last, by any client; empty at the beginning
     */
    public record Look(long number, String after) {}

    /**
     * The content of the object that all clients share.
     *
     * @param within the time after which the next turn is due, in milliseconds; zero for the usual time
     * @param looks the number of looks at settled clients so far
     * @param lookedMillis when the last one ended, by the servers' clock
     * @param after the client that the look under way has come to; empty: none is under way
     */
    private record State(long within, long looks, long lookedMillis, String after) {
        private static final Pattern FORM = Pattern.compile("\"within\":(\\d{1,18}),\"looks\":(\\d{1,18}),"
                + "\"looked\":(\\d{1,18})(?:,\"after\":\"([0-9a-f]{16})\")?");
        static final State NONE = new State(0, 0, 0, "");

        /** One that cannot be read says nothing of this. */
        static State decode(Bytes body) {
            Matcher found = FORM.matcher(body.toUtf8());
            return found.find()
                    ? new State(
                            Long.parseLong(found.group(1)),
                            Long.parseLong(found.group(2)),
                            Long.parseLong(found.group(3)),
                            Optional.ofNullable(found.group(4)).orElse(""))
                    : NONE;
        }

        /** @param nonce S3's versions are hashes of contents, so these differ from turn to turn */
        Bytes encode(long nonce) {
            return Bytes.utf8(String.format(
                    Locale.ROOT,
                    "{\"turn\":\"%016x\",\"within\":%d,\"looks\":%d,\"looked\":%d%s}\n",
                    nonce,
                    within,
                    looks,
                    lookedMillis,
                    after.isEmpty() ? "" : ",\"after\":\"" + after + "\""));
        }

        State within(Duration time) {
            return new State(Math.max(1, time.toMillis()), looks, lookedMillis, after);
        }
    }

    /**
     * Takes the turn if the last one is older than {@code every}.
     *
     * @param lookEvery the time from one look at a part of the settled clients to the next
     */
    public Turn take(Duration every, Duration lookEvery) {
        Optional<StoredObject> last;
        try {
            last = objects.get(key);
        } catch (CorruptDataException damaged) {
            put(State.NONE, WriteCondition.ALWAYS); // two sweeps at once do no harm
            return Turn.none(Duration.ZERO);
        }
        State state = last.map(turn -> State.decode(turn.body())).orElse(State.NONE);
        Duration length = state.within > 0 ? min(every, Duration.ofMillis(state.within)) : every;
        Duration left = last.map(turn -> left(turn, length)).orElse(Duration.ZERO);
        if (left.isPositive()) {
            return Turn.none(left);
        }
        boolean look = serverClock.nowMillis() - state.lookedMillis >= lookEvery.toMillis();
        State next = new State(0, state.looks, state.lookedMillis, state.after);
        Turn mine = new Turn(Duration.ZERO, look ? Optional.of(new Look(state.looks, state.after)) : Optional.empty());
        WriteCondition unchanged =
                last.map(turn -> WriteCondition.ifVersion(turn.version())).orElse(WriteCondition.IF_ABSENT);
        try {
            put(next, unchanged);
        } catch (ConflictException another) {
            return Turn.none(every);
        } catch (OutcomeUnknownException unknown) {
            taken = null;
        }
        return mine;
    }

    private void put(State state, WriteCondition condition) {
        Written written = objects.put(key, state.encode(tasks.random().nextLong()), condition);
        serverClock.observe(written.serverMillis());
        taken = new Taken(state, written.version());
    }

    /**
     * Sets the next turn to come {@code within} this time from now. Like the methods that follow, this is for the
     * client that has taken the last turn: it does nothing if another has taken it by now.
     */
    public void next(Duration within) {
        rewrite(state -> state.within(within));
    }

    /** Sets the time of the next turn, and notes that the look at settled clients has come to {@code after}. */
    public void lookedUntil(String after, Duration within) {
        rewrite(state -> new State(0, state.looks, state.lookedMillis, after).within(within));
    }

    /** Sets the time of the next turn, and notes that the look at settled clients has ended. */
    public void looked(Duration within) {
        rewrite(state -> new State(0, state.looks + 1, serverClock.nowMillis(), "").within(within));
    }

    private void rewrite(UnaryOperator<State> change) {
        Taken mine = taken;
        if (mine == null) {
            return;
        }
        try {
            put(change.apply(mine.state), WriteCondition.ifVersion(mine.version));
        } catch (ConflictException | OutcomeUnknownException another) {
            taken = null; // somebody's turn it was meanwhile
        }
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    /**
     * The time until the next turn is due. A wrong clock may make it shorter but cannot make it longer than {@code
     * every}: a turn that this client has seen for all of {@code every} is old, whatever clocks say.
     */
    private Duration left(StoredObject turn, Duration every) {
        if (!turn.version().equals(seen)) {
            seen = turn.version();
            seenSinceNanos = tasks.nanoTime();
        }
        long leftByNanos = every.toNanos() - (tasks.nanoTime() - seenSinceNanos);
        long leftByClock = every.toMillis() - Math.max(0, serverClock.nowMillis() - turn.modifiedMillis());
        return leftByClock <= 0
                ? Duration.ZERO
                : Duration.ofNanos(Math.max(
                        0, Math.min(leftByNanos, Duration.ofMillis(leftByClock).toNanos())));
    }
}
