package io.penstock.commit.client;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
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
 * The object by which the clients of a store take turns at sweeping it: the client that rewrites it first, once it is
 * old, sweeps. It saves requests and nothing more: two sweeps at once are harmless.
 *
 * <p>Not safe for use by many threads.
 */
public final class SweepTurns {
    private final ObjectStore objects;
    private final String key;
    private final ServerClock serverClock;
    private final Tasks tasks;

    /** The version that was seen last, and since when it has been the newest, by {@link Tasks#nanoTime}. */
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
     * @return how long to wait before asking again; zero when the turn was taken
     */
    public Duration take(Duration every) {
        Optional<StoredObject> last = objects.get(key);
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
     * The rest of the time until the next turn is due. A clock that is wrong may bring it forward; it cannot put it
     * off, since a turn that this client has seen for all of {@code every} is old whatever clocks say.
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

    /** Content that differs from turn to turn: versions of S3 are hashes of contents. */
    private Bytes nonce() {
        return Bytes.utf8(String.format("{\"turn\":\"%016x\"}\n", tasks.random().nextLong()));
    }
}
