package io.penstock.commit.upkeep;

import io.penstock.commit.client.Membership;
import io.penstock.commit.client.SweepTurns;
import io.penstock.commit.engine.Checkpoints;
import io.penstock.commit.engine.Lane;
import io.penstock.commit.engine.Services;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.commit.settings.StoreSettings;
import io.penstock.core.task.Recurring;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The background task that sweeps the store: recovers dead clients, and has PU queues that hold something checkpointed.
 * By default the clients of a store take turns; a client with an interval of its own sweeps on its own account.
 */
public final class Sweeps {
    private static final Logger LOG = LoggerFactory.getLogger(Sweeps.class);

    /** One part in so many of a pause is drawn and added to it, so that clients do not ask at the same moment. */
    private static final int JITTER_PART = 10;

    private static final Duration AFTER_FAILURE = Duration.ofMinutes(1);

    /** However short {@code deadAfter} is, sweeps leave servers some rest. */
    private static final Duration TURN_MIN = Duration.ofMillis(100);

    private final Upkeep upkeep;
    private final Services services;
    private final StoreSettings settings;
    private final Lane lane;
    private final Membership membership;
    private final Checkpoints checkpoints;
    private final Tasks tasks;
    private final SweepTurns turns;
    private final Recurring loop;

    public Sweeps(
            Upkeep upkeep,
            Services services,
            StoreSettings settings,
            Lane lane,
            Membership membership,
            Checkpoints checkpoints) {
        this.upkeep = upkeep;
        this.services = services;
        this.settings = settings;
        this.lane = lane;
        this.membership = membership;
        this.checkpoints = checkpoints;
        this.tasks = services.tasks();
        this.turns =
                new SweepTurns(lane.objects(), settings.prefix() + "/clients/sweep", membership.serverClock(), tasks);
        this.loop = new Recurring(tasks, "upkeep", AFTER_FAILURE);
    }

    /** Starts the tasks that run as long as the store is open. */
    public void start() {
        StoreSettings.Background background = settings.background();
        if (background.sweepEvery().isPresent()) {
            sweepEvery(background.sweepEvery().get());
        } else if (services.exclusive()) {
            return; // no other client leaves work behind, and opening the store has finished what a crash left
        } else if (background.sweeping() && background.checkpointing()) {
            Duration every = turnLength(settings.limits().deadAfter());
            loop.start(Duration.ZERO, () -> turn(every).plusNanos(jitterNanos(every)));
        } else {
            tasks.start("upkeep", () -> attempt(upkeep::recover));
        }
    }

    public void stop() {
        loop.stop();
    }

    private void sweepEvery(Duration every) {
        AtomicBoolean again = new AtomicBoolean(services.exclusive());
        loop.start(Duration.ZERO, () -> {
            // A store that was opened just now has only dead clients to recover; its queues have their writers.
            attempt(again.getAndSet(true) ? this::sweepAll : upkeep::recover);
            return every;
        });
    }

    private static Duration turnLength(Duration deadAfter) {
        Duration half = deadAfter.dividedBy(2);
        return half.compareTo(TURN_MIN) < 0 ? TURN_MIN : half;
    }

    private long jitterNanos(Duration every) {
        return tasks.random().nextLong(every.dividedBy(JITTER_PART).toNanos());
    }

    /** Sweeps if it is this client's turn; returns how long to wait for the next. */
    private Duration turn(Duration every) {
        Duration[] pause = {every};
        attempt(() -> {
            pause[0] = turns.take(every);
            if (pause[0].isZero()) {
                pause[0] = every;
                sweepWaiting();
            }
        });
        return pause[0];
    }

    private void attempt(Runnable sweep) {
        try {
            sweep.run();
        } catch (RuntimeException e) {
            LOG.warn("a sweep of the store failed and is tried again later why={}", e.getMessage());
        }
    }

    /** Recovers dead clients, and has every PU queue checkpointed. */
    private void sweepAll() {
        attempt(upkeep::recover);
        if (settings.background().checkpointing()) {
            membership.join();
            lane.puQueues().list().forEach(checkpoints.loop()::touch);
        }
    }

    /** The same for those PU queues that hold something: a store at rest costs little. */
    private void sweepWaiting() {
        attempt(upkeep::recoverUnsettled);
        List<PuQueueId> waiting = upkeep.waiting();
        if (!waiting.isEmpty()) {
            membership.join();
            waiting.forEach(checkpoints.loop()::touch);
        }
    }
}
