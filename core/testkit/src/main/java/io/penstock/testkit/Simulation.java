package io.penstock.testkit;

import io.penstock.core.ErrorCode;
import io.penstock.core.UnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs concurrent code one actor at a time in virtual time, as a pure function of a seed.
 *
 * <p>An actor runs until it waits (sleep, promise, join, or an SPI call of the simulated cloud). It then takes the next
 * wake-up from the agenda, moves the virtual clock to it and hands control over; among wake-ups of the same instant the
 * seed decides. Nothing else orders anything, so two runs of one seed are equal event by event.
 *
 * <p>Used by one thread: {@link #run} from outside, everything else from the actors inside.
 */
public final class Simulation {
    /** The start of virtual time: 2026-01-01T00:00:00Z, in milliseconds since 1970. */
    public static final long EPOCH_MILLIS = 1_767_225_600_000L;

    /**
     * The maximum number of wake-ups; more are a bug: an actor that never waits for time to pass, or an agenda that
     * never empties.
     */
    private static final long WAKEUPS_MAX = 2_000_000_000L;

    private final long seed;
    private final SeededRandom order;
    private final PriorityQueue<Wakeup> agenda = new PriorityQueue<>();
    private final Map<String, SimulatedClient> clients = new LinkedHashMap<>();
    private final List<Actor> actors = new ArrayList<>();
    private final CountDownLatch mainDone = new CountDownLatch(1);

    private long nowNanos;
    private long wakeups;
    private boolean over;
    private @Nullable Actor current;
    private @Nullable Actor main;
    private @Nullable RuntimeException deadlock;

    public Simulation(long seed) {
        this(seed, 0);
    }

    /** @param nowNanos the virtual time at which this simulation begins, for servers that were copied then */
    public Simulation(long seed, long nowNanos) {
        this.seed = seed;
        this.nowNanos = nowNanos;
        this.order = SeededRandom.stream(seed, "order");
    }

    public long seed() {
        return seed;
    }

    /** Returns the virtual time since the start, in nanoseconds. */
    public long nowNanos() {
        return nowNanos;
    }

    /** The number of times control went to an actor: a measure of the interleaving. */
    public long wakeups() {
        return wakeups;
    }

    /** The handle of one simulated machine; the same one for the same name. */
    public SimulatedClient client(String name) {
        return clients.computeIfAbsent(name, n -> new SimulatedClient(this, n));
    }

    /**
     * Runs {@code body} as the first actor, in the client named "main", until it returns; then stops all others. To be
     * called once, from an ordinary thread.
     *
     * @throws IllegalStateException when every actor waits for another
     * @throws RuntimeException the exception of {@code body}
     */
    public <T> T run(Supplier<T> body) {
        SimulatedTask<T> task = new SimulatedTask<>(this, "main");
        Actor first = spawn(client("main"), "main", () -> task.run(body));
        main = first;
        dispatch(nextActor());
        awaitMain();
        stopAll();
        if (deadlock != null) {
            throw deadlock;
        }
        return task.result();
    }

    private void awaitMain() {
        boolean interrupted = false;
        while (true) {
            try {
                mainDone.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Unwinds every remaining actor, one after the other, so that nothing runs after {@link #run}. */
    private void stopAll() {
        over = true;
        for (Actor actor : List.copyOf(actors)) {
            if (actor.started() && !actor.finished) {
                actor.stopped = true;
                current = actor;
                actor.resume();
                actor.awaitEnd();
            }
        }
    }

    Actor spawn(SimulatedClient client, String name, Runnable work) {
        if (over || client.crashed()) {
            checkRunning();
        }
        Actor[] self = new Actor[1];
        Actor actor = new Actor(name, client, () -> {
            try {
                work.run();
            } finally {
                end(self[0]);
            }
        });
        self[0] = actor;
        actor.stopped = client.crashed(); // its task ends as those do that a crash stops
        actors.add(actor);
        wakeAt(actor, nowNanos);
        return actor;
    }

    private void end(Actor actor) {
        actor.finish();
        if (over) {
            return;
        }
        if (actors.size() > 1024) {
            actors.removeIf(a -> a.finished);
        }
        if (actor == main) {
            mainDone.countDown();
            return;
        }
        dispatch(nextActor());
    }

    /** The actor that is running: the caller. */
    Actor current() {
        Actor running = current;
        if (running == null) {
            throw new IllegalStateException("a simulated call from outside the simulation; wrap it in Simulation.run");
        }
        return running;
    }

    /** Puts a wake-up of {@code actor}'s present wait on the agenda. */
    void wakeAt(Actor actor, long atNanos) {
        agenda.add(new Wakeup(atNanos, order.nextLong(), actor, actor.waits));
    }

    /** Waits for a wake-up that the caller has arranged. Throws when the caller was stopped meanwhile. */
    void pause() {
        Actor self = current();
        checkRunning();
        Actor next = nextActor();
        if (next != self) {
            dispatch(next);
            self.awaitTurn();
        }
        self.waits++;
        if (self.stopped) {
            throw new ActorStopped(self.name);
        }
    }

    /** Throws when the running actor was stopped. */
    void checkRunning() {
        if (over || current().stopped) {
            throw new ActorStopped(current().name);
        }
    }

    /** The time at which {@code length} has passed; the end of virtual time, 292 years on, if it does not come. */
    long after(Duration length) {
        return after(TimeUnit.NANOSECONDS.convert(length));
    }

    private long after(long nanos) {
        return nowNanos + Math.clamp(nanos, 0, Long.MAX_VALUE - nowNanos);
    }

    /** Sleeps for {@code length}, or until an interrupt. */
    void sleepInterruptibly(Duration length) {
        Actor self = current();
        wakeAt(self, after(length));
        pauseInterruptibly();
        checkInterrupt(self);
    }

    /** Waits for a wake-up that the caller has arranged, or for an interrupt; it does not begin to wait after one. */
    void pauseInterruptibly() {
        Actor self = current();
        checkInterrupt(self);
        self.waiting = true;
        try {
            pause();
        } finally {
            self.waiting = false;
        }
    }

    private static void checkInterrupt(Actor self) {
        if (self.mustNotWait()) {
            throw new UnavailableException(
                    ErrorCode.INTERRUPTED, "the simulated thread was interrupted while it waited; retry the call");
        }
    }

    /** Interrupts the threads of a client that its program has started. */
    void interrupt(SimulatedClient client) {
        for (Actor actor : actors) {
            if (actor.client == client && actor.interruptible && !actor.finished) {
                actor.interrupted = true;
                if (actor.waiting && actor.shields == 0) {
                    wakeAt(actor, nowNanos);
                }
            }
        }
    }

    void sleep(long nanos) {
        wakeAt(current(), after(nanos));
        pause();
    }

    /** Stops all actors of {@code client} where they are; those that run continue to unwind. */
    void crash(SimulatedClient client) {
        for (Actor actor : actors) {
            if (actor.client == client && !actor.finished) {
                actor.stopped = true;
                if (actor != current) {
                    wakeAt(actor, nowNanos);
                }
            }
        }
        checkRunning();
    }

    private Actor nextActor() {
        while (true) {
            Wakeup next = agenda.poll();
            if (next == null) {
                return deadlocked();
            }
            if (next.turn == next.actor.waits && !next.actor.finished) {
                if (isFrozen(next)) {
                    agenda.add(next.at(next.actor.client.frozenUntilNanos()));
                    continue;
                }
                nowNanos = Math.max(nowNanos, next.atNanos);
                current = next.actor;
                if (++wakeups > WAKEUPS_MAX) {
                    throw new IllegalStateException("the simulation does not end seed=" + seed);
                }
                return next.actor;
            }
        }
    }

    private boolean isFrozen(Wakeup next) {
        return !next.actor.stopped && next.actor.client.frozenUntilNanos() > Math.max(nowNanos, next.atNanos);
    }

    private Actor deadlocked() {
        List<String> waiting =
                actors.stream().filter(a -> !a.finished).map(a -> a.name).toList();
        deadlock = new IllegalStateException("every actor waits for another seed=" + seed + " actors=" + waiting);
        Actor first = java.util.Objects.requireNonNull(main);
        first.stopped = true;
        current = first;
        return first;
    }

    private void dispatch(Actor next) {
        next.resume();
    }

    /** One entry of the agenda; void when {@code actor} has waited again since. */
    private record Wakeup(long atNanos, long tieBreak, Actor actor, long turn) implements Comparable<Wakeup> {
        Wakeup at(long laterNanos) {
            return new Wakeup(laterNanos, tieBreak, actor, turn);
        }

        /** Written out: simulations spend much of their time here. */
        @Override
        public int compareTo(Wakeup other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            return byTime != 0 ? byTime : Long.compare(tieBreak, other.tieBreak);
        }
    }
}
