package io.penstock.commit.client;

import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.MemoryLock;
import io.penstock.core.task.Permits;
import io.penstock.core.task.Recurring;
import io.penstock.core.task.SingleFlight;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A background task that keeps the identity of one open store alive in the registry, as long as something of it is
 * pending. The identity is drawn late, by the first commit, and again when others have taken the client for dead, when
 * a twin is found (a clone of this process, which believes to be the same client), and after an idle time. Safe for use
 * by many threads.
 */
public final class Heartbeat {
    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

    /** The maximum duration of a heartbeat, which is that of one put. */
    private static final Duration BEAT_MAX = Duration.ofSeconds(5);

    /** The time without pending work after which a client signs off: heartbeats cost more than to join again. */
    private static final Duration SIGN_OFF_AFTER = Duration.ofMinutes(5);

    /** The most tries to be registered in one call. */
    private static final int TRIES_MAX = 8;

    /** The first pause between two tries; each next one is twice as long. */
    private static final Duration TRY_PAUSE = Duration.ofMillis(50);

    private final Tasks tasks;
    private final ClientRegistry registry;
    private final Options options;
    /** The rest of the client; null before the store is open: then something is always pending. */
    private volatile @Nullable Idle idle;

    /**
     * The heartbeats under way, by whether a queue is needed: callers that need one at the same time share it, and its
     * failure.
     */
    private final SingleFlight<Boolean, Identity> joining;

    /** One heartbeat at a time: each builds on the version that the last has written. */
    private final Permits writing;

    private final Recurring loop;
    private final LongAdder twins = new LongAdder();

    /** Identities that others have taken for dead, and have yet to settle. */
    private final Queue<Identity> takenOver = new ConcurrentLinkedQueue<>();

    /** Guards the fields that follow. */
    private final MemoryLock lock = new MemoryLock();

    private volatile @Nullable Identity current;
    private int users;
    private long uses;

    // Of the loop alone: since when nothing is pending, and how often the identity had been used by then.
    private long idleSinceNanos;
    private long usesSeen;

    /**
     * The options of heartbeats, which do not change while a store is open.
     *
     * @param outOfTouch the time without a heartbeat after which a client gives one before it sends anything
     * @param name the client's name, under which its successor finds its last identity
     */
    public record Options(Duration interval, Duration outOfTouch, Optional<String> name) {}

    /** The questions that a heartbeat asks of the rest of the client, to find out whether it may sign off. */
    public interface Idle {
        /** Whether the client has work that others would have to finish. */
        boolean isPending();

        /** Removes an identity of which nothing is pending. */
        void signOff(Identity identity);
    }

    public Heartbeat(Tasks tasks, ClientRegistry registry, Options options) {
        this.tasks = tasks;
        this.registry = registry;
        this.options = options;
        this.joining = new SingleFlight<>(tasks);
        this.writing = new Permits(tasks, 1);
        this.loop = new Recurring(tasks, "heartbeat", options.interval());
    }

    /** Sets the source of the decision whether the client may sign off; before, it never does. */
    public void signOffBy(Idle how) {
        idle = how;
    }

    /** The identity, drawn if there is none; it need not be registered yet. */
    public Identity identity() {
        return lock.with(() -> {
            Identity known = current;
            if (known == null) {
                known = Identity.draw(tasks.random());
                current = known;
            }
            return known;
        });
    }

    /** The identity that there is. */
    public Optional<Identity> current() {
        return Optional.ofNullable(current);
    }

    /**
     * Returns the identity when the registry has it, and has had a sign of life of it not long ago.
     *
     * @param queue whether it is to have an ATOMIC queue
     */
    public Identity join(boolean queue) {
        Identity known = current;
        return known != null && isJoined(known, queue) ? known : joining.call(queue, () -> beat(queue));
    }

    /** Whether {@link #join} would return this identity at once. */
    boolean isJoined(Identity identity, boolean queue) {
        return current == identity
                && identity.version().isPresent()
                && (!queue || identity.hasQueue())
                && !isOutOfTouch(identity);
    }

    /**
     * Makes sure that others did not take the client for dead before now; with another heartbeat, if the last one is
     * too old for that.
     *
     * @throws OutcomeUnknownException when they did, or when that could not be found out: what was sent as {@code
     *     identity} may be left for a daily look
     */
    public void requireAlive(Identity identity) {
        if (!isOutOfTouch(identity)) {
            return;
        }
        try {
            beatNow();
        } catch (StoreException failure) {
            throw new OutcomeUnknownException(
                    "the client was silent for too long while it committed; read to find out", failure);
        }
        if (identity.isOver()) {
            throw new OutcomeUnknownException(
                    "others took the client for dead while it committed; read to find out",
                    "client",
                    identity.client());
        }
    }

    /** Runs {@code body} with the identity, registered as by {@link #join}; it does not sign off meanwhile. */
    public <T> T whileJoined(boolean queue, Function<Identity, T> body) {
        use(1);
        try {
            return body.apply(join(queue));
        } finally {
            use(-1);
        }
    }

    private void use(int more) {
        lock.run(() -> {
            users += more;
            uses++;
        });
    }

    /** Gives a heartbeat now, whose answer has the servers' time. */
    public void beatNow() {
        joining.call(false, () -> beat(false));
    }

    private boolean isOutOfTouch(Identity identity) {
        return identity.isSilent(tasks.nowMillis(), tasks.nanoTime(), options.outOfTouch());
    }

    private Identity beat(boolean queue) {
        return writing.with(() -> registered(queue));
    }

    private Identity registered(boolean queue) {
        boolean withQueue = queue;
        Duration pause = TRY_PAUSE;
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            Identity mine = identity();
            withQueue |= mine.hasQueue();
            long millis = tasks.nowMillis();
            long nanos = tasks.nanoTime();
            switch (attempt(mine, withQueue)) {
                case OURS -> {
                    mine.heard(millis, nanos);
                    loop.start(options.interval(), this::tick);
                    return mine;
                }
                case AGAIN -> {
                    tasks.sleep(pause);
                    pause = pause.multipliedBy(2);
                }
                case TAKEN_OVER -> {
                    LOG.info("others took this client for dead; it goes on under a new id client={}", mine.client());
                    mine.unheard();
                    renew(mine);
                    takenOver.add(mine);
                }
                case TWIN -> {
                    twins.increment();
                    LOG.warn(
                            "another process writes under this client's id, most likely a clone of this process; it"
                                    + " goes on under a new id client={}",
                            mine.client());
                    renew(mine);
                }
            }
        }
        throw new UnavailableException(
                "the client could not be registered; nothing was committed, retry it", "tries", TRIES_MAX);
    }

    private ClientRegistry.Beat attempt(Identity mine, boolean queue) {
        if (mine.version().isEmpty()) {
            // Before it is registered: a successor then finds the last id that may have left something.
            options.name().ifPresent(name -> registry.name(name, mine.client()));
        }
        return registry.beat(mine, tasks.random().nextLong(), queue);
    }

    /**
     * Ends an identity, so that the next call draws another one; what {@code old} has left is for other clients to
     * finish.
     */
    public void renew(Identity old) {
        lock.run(() -> {
            old.end();
            if (current == old) {
                current = null;
            }
        });
    }

    private void tick() {
        Identity known = current;
        if (known == null || known.version().isEmpty()) {
            return;
        }
        Idle asked = idle;
        if (isIdle(known, asked) && asked != null) {
            asked.signOff(known);
            return;
        }
        try {
            beat(false);
        } catch (StoreException e) {
            LOG.warn("a heartbeat failed; it is tried again client={} why={}", known.client(), e.getMessage());
        }
    }

    /** Whether nothing was pending for a while, and the identity is given up now. */
    private boolean isIdle(Identity known, @Nullable Idle asked) {
        long before = lock.with(() -> uses);
        if (before != usesSeen || asked == null || asked.isPending()) {
            usesSeen = before;
            idleSinceNanos = tasks.nanoTime();
            return false;
        }
        return tasks.nanoTime() - idleSinceNanos >= SIGN_OFF_AFTER.toNanos() && isGivenUp(known, before);
    }

    private boolean isGivenUp(Identity known, long usesBefore) {
        return lock.with(() -> {
            if (users > 0 || uses != usesBefore || current != known) {
                return false;
            }
            known.end();
            current = null;
            return true;
        });
    }

    /** The identities that others have taken for dead since this was called last. */
    public List<Identity> takeOvers() {
        List<Identity> all = new ArrayList<>();
        for (Identity one = takenOver.poll(); one != null; one = takenOver.poll()) {
            all.add(one);
        }
        return all;
    }

    /** The number of times that a clone of this client was found. */
    public long twins() {
        return twins.sum();
    }

    /**
     * Ends all heartbeats. Waits for one that is under way, at most for a while: it would put the client back on record
     * after it has signed off.
     */
    public void stop() {
        if (!loop.stop(BEAT_MAX)) {
            LOG.warn("a heartbeat is still under way; closing without waiting any longer");
        }
    }

    /** The task that sends the heartbeats. */
    public Recurring loop() {
        return loop;
    }
}
