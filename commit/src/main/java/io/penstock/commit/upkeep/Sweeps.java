package io.penstock.commit.upkeep;

import io.penstock.commit.client.ClientContext;
import io.penstock.commit.client.SweepElection;
import io.penstock.commit.engine.Checkpoints;
import io.penstock.commit.engine.ServerPath;
import io.penstock.commit.engine.Services;
import io.penstock.commit.settings.StoreSettings;
import io.penstock.core.ClientId;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Recurring;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The background task that sweeps the store: recovers dead clients, and has PU queues that hold something checkpointed.
 * By default the clients of a store take turns; a client with an interval of its own sweeps on its own account.
 */
public final class Sweeps {
    private static final Logger LOG = LoggerFactory.getLogger(Sweeps.class);

    /**
     * The inverse of the part of a pause that is drawn at random and added to it, so that clients do not ask at the
     * same moment.
     */
    private static final int JITTER_PART = 20;

    /**
     * The length of a turn, and the silence of a living client from which the next turn comes sooner, in parts of
     * {@code deadAfter}. A client that is silent for less at one turn is dead for 0.7 of it at most at the next, random
     * part included; the rest of the second {@code deadAfter} is for the recovery.
     */
    private static final double TURN = 1.4;

    private static final double SILENCE_MAX = 0.3;

    /** A turn that is to find a client dead comes this part of {@code deadAfter} after it is. */
    private static final int MARGIN_PART = 30;

    /** The part of {@code deadAfter} for which a turn sees that queues are empty, and looks at settled clients. */
    private static final double WORK = 0.3;

    /** The part after which another client goes on with a turn that has a lot to do, if the one at work is gone. */
    private static final double HELD = 2 * WORK;

    /**
     * The number of parts in which settled clients are looked at, one a day: within half of the retention of their
     * queues.
     */
    private static final int LOOKS = 7;

    private static final Duration LOOK_EVERY = Duration.ofDays(1);

    /**
     * The time since the last look, of any client, after which a client that was opened just now looks: it may be gone
     * soon, so it looks only if no other does.
     */
    private static final Duration FIRST_LOOK_EVERY = Duration.ofHours(36);

    private static final Duration AFTER_FAILURE = Duration.ofMinutes(1);

    /** The minimum time between two turns: however short {@code deadAfter} is, sweeps leave servers some rest. */
    private static final Duration TURN_MIN = Duration.ofMillis(100);

    private final Maintenance upkeep;
    private final Recoveries recoveries;
    private final Services services;
    private final StoreSettings settings;
    private final ServerPath lane;
    private final ClientContext membership;
    private final Checkpoints checkpoints;
    private final Tasks tasks;
    private final SweepElection turns;
    private final Recurring loop;

    // Of the loop alone: whether this client has had a turn.
    private boolean hadTurn;

    // The same, for a client with an interval of its own:
    private long looks;
    private long lookedNanos;

    public Sweeps(
            Maintenance upkeep,
            Services services,
            StoreSettings settings,
            ServerPath lane,
            ClientContext membership,
            Checkpoints checkpoints) {
        this.upkeep = upkeep;
        this.recoveries = upkeep.recoveries();
        this.services = services;
        this.settings = settings;
        this.lane = lane;
        this.membership = membership;
        this.checkpoints = checkpoints;
        this.tasks = services.tasks();
        this.turns = new SweepElection(
                lane.objects(), settings.prefix() + "/clients/sweep", membership.serverClock(), tasks);
        this.loop = new Recurring(tasks, "upkeep", AFTER_FAILURE);
    }

    /** Starts the tasks that run as long as the store is open. */
    public void start() {
        StoreSettings.Background background = settings.background();
        if (background.sweepEvery().isPresent()) {
            sweepEvery(background.sweepEvery().get());
        } else if (services.exclusive() || !services.queued()) {
            return; // no client leaves work behind that others must do, and a commit log is applied by who uses it
        } else if (background.sweeping() && background.checkpointing()) {
            Duration every = atLeast(part(TURN));
            loop.start(Duration.ZERO, () -> turn(every));
        } else {
            tasks.start("upkeep", () -> attempt(this::recoverFresh));
        }
    }

    public void stop() {
        loop.stop();
    }

    private void sweepEvery(Duration every) {
        AtomicBoolean again = new AtomicBoolean(services.exclusive());
        loop.start(Duration.ZERO, () -> {
            // A store that was opened just now has only dead clients to recover; its queues have their writers.
            attempt(again.getAndSet(true) ? this::sweepAll : this::recoverFresh);
            return every;
        });
    }

    private Duration part(double ofDeadAfter) {
        return Duration.ofNanos((long) (settings.limits().deadAfter().toNanos() * ofDeadAfter));
    }

    private static Duration atLeast(Duration pause) {
        return pause.compareTo(TURN_MIN) < 0 ? TURN_MIN : pause;
    }

    private Duration jittered(Duration pause) {
        return pause.plusNanos(
                tasks.random().nextLong(Math.max(1, pause.dividedBy(JITTER_PART).toNanos())));
    }

    /** Sweeps if it is this client's turn; returns how long to wait for the next. */
    private Duration turn(Duration every) {
        try {
            // A client with a wrong clock applies nothing, and must not keep the turn from others.
            membership.serverClock().requireInStep();
            SweepElection.Turn turn = turns.take(every, hadTurn ? LOOK_EVERY : FIRST_LOOK_EVERY);
            if (turn.pause().isPositive()) {
                return jittered(turn.pause());
            }
            hadTurn = true;
            handBackUnlessInStep();
            return new Sweep(every).run(turn.look());
        } catch (RuntimeException e) {
            failed(e);
            return jittered(every);
        }
    }

    /** Hands the turn back if this machine's clock is wrong, which the answer to the turn's own request may show. */
    private void handBackUnlessInStep() {
        try {
            membership.serverClock().requireInStep();
        } catch (UnavailableException wrongClock) {
            turns.next(TURN_MIN);
            throw wrongClock;
        }
    }

    private void attempt(Runnable sweep) {
        try {
            sweep.run();
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    private static void failed(RuntimeException e) {
        LOG.warn("a sweep of the store failed and is tried again later why={}", e.getMessage());
    }

    /** Recovers dead clients, and has every PU queue checkpointed. */
    private void sweepAll() {
        attempt(this::recoverFresh);
        attempt(this::lookOnceADay);
        if (settings.background().checkpointing()) {
            membership.join();
            lane.puQueues().list().forEach(checkpoints.loop()::touch);
            // Of all domains: a daemon uses no collection itself, so that it knows of none.
            checkpoints.logs().checkpointAll();
        }
    }

    private void lookOnceADay() {
        long now = tasks.nanoTime();
        if (looks == 0 || now - lookedNanos >= LOOK_EVERY.toNanos()) {
            lookedNanos = now;
            lookAtSettled(looks++);
        }
    }

    private void recoverFresh() {
        recoveries.finish(recoveries.adoptAll(() -> {}), part(WORK));
    }

    private void lookAtSettled(long number) {
        var unused = recoveries.retireStray();
        Optional<String> after = Optional.of(idBefore(number));
        while (after.isPresent()) {
            after = recoveries.lookAgain(after.get(), lastId(number));
        }
    }

    /** The id before those of a part of the settled clients. */
    private static String idBefore(long number) {
        return new ClientId(Long.divideUnsigned(-1L, LOOKS) * Math.floorMod(number, LOOKS)).hex();
    }

    private static String lastId(long number) {
        return Math.floorMod(number + 1, LOOKS) == 0 ? new ClientId(-1L).hex() : idBefore(number + 1);
    }

    /**
     * One turn of this client. It also has those PU queues checkpointed that hold something, and no others, so that a
     * store at rest costs little.
     */
    private final class Sweep {
        private final Duration every;
        private final long startNanos = tasks.nanoTime();
        private boolean held;
        private boolean finished = true;
        private Duration silence = Duration.ZERO;

        Sweep(Duration every) {
            this.every = every;
        }

        /** Returns how long to wait for the next. */
        Duration run(Optional<SweepElection.Look> look) {
            attempt(this::recover);
            look.ifPresent(part -> attempt(() -> lookOn(part)));
            Duration next = next();
            if (held || !finished || isSilent()) {
                turns.next(next);
                return next;
            }
            return jittered(next);
        }

        private void recover() {
            Recoveries.Pass pass;
            try {
                pass = recoveries.adoptAll(this::hold);
            } finally {
                upkeep.waiting().forEach(checkpoints.loop()::touch);
                checkpoints.logs().sweep();
            }
            silence = pass.silence();
            finished = recoveries.finish(pass, part(WORK));
        }

        private void hold() {
            held = true;
            turns.next(part(HELD));
        }

        private void lookOn(SweepElection.Look look) {
            long deadline = tasks.nanoTime() + part(WORK).toNanos();
            String from = look.after().isEmpty() ? idBefore(look.number()) : look.after();
            Optional<String> after = Optional.of(from);
            held = true;
            var unused = recoveries.retireStray();
            while (after.isPresent()) {
                if (tasks.nanoTime() - deadline >= 0) {
                    finished = false;
                    return;
                }
                after = recoveries.lookAgain(after.get(), lastId(look.number()));
                after.ifPresent(come -> turns.lookedUntil(come, part(HELD)));
            }
            turns.looked(next());
        }

        private boolean isSilent() {
            return silence.compareTo(part(SILENCE_MAX)) > 0;
        }

        /** Returns the rest of the time until the next turn. */
        private Duration next() {
            if (!finished) {
                return TURN_MIN;
            }
            Duration deadAfter = settings.limits().deadAfter();
            Duration whole = isSilent() ? deadAfter.minus(silence).plus(deadAfter.dividedBy(MARGIN_PART)) : every;
            return atLeast(whole.minusNanos(tasks.nanoTime() - startNanos));
        }
    }
}
