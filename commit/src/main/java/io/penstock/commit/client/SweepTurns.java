package io.penstock.commit.client;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The turns that the clients of a store take at sweeping it. One object decides: when it is old, the first client that
 * rewrites it sweeps. Turns only save requests: two concurrent sweeps are harmless.
 *
 * <p>Not safe for use by many threads.
 */
public final class SweepTurns {
    private final ObjectStore objects;
    private final String key;
    private final ServerClock serverClock;
    private final Tasks tasks;

    /** The version that was seen last, and the time since which it has been the newest, by {@link Tasks#nanoTime}. */
    private @Nullable ObjectVersion seen;

    private long seenSinceNanos;

    /** @param key of the object, such as {@code store/clients/sweep} */
    public SweepTurns(ObjectStore objects, String key, ServerClock serverClock, Tasks tasks) {
        this.objects = objects;
        this.key = key;
        this.serverClock = serverClock;
        this.tasks = tasks;
    }

    /**
     * Takes the turn if the last one is older than {@code every}.
     *
     * @return the time to wait before asking again; zero when the turn was taken
     */
    public Duration take(Duration every) {
        Optional<StoredObject> last;
        try {
            last = objects.get(key);
        } catch (CorruptDataException damaged) {
            objects.put(key, nonce(), WriteCondition.ALWAYS); // two sweeps at once do no harm
            return Duration.ZERO;
        }
        Duration left = last.map(turn -> left(turn, every)).orElse(Duration.ZERO);
        if (left.isPositive()) {
            return left;
        }
        WriteCondition unchanged =
                last.map(turn -> WriteCondition.ifVersion(turn.version())).orElse(WriteCondition.IF_ABSENT);
        try {
            objects.put(key, nonce(), unchanged);
        } catch (ConflictException another) {
            return every;
        } catch (OutcomeUnknownException unknown) {
            return Duration.ZERO;
        }
        return Duration.ZERO;
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

    /** Content that differs from turn to turn, since S3's versions are hashes of contents. */
    private Bytes nonce() {
        return Bytes.utf8(String.format("{\"turn\":\"%016x\"}\n", tasks.random().nextLong()));
    }
}
