package io.penstock;

import io.penstock.commit.client.SweepTurns;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.core.StoreException;
import io.penstock.core.task.Promise;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The background task that sweeps the store: recovers dead clients, and has PU queues that hold something checkpointed.
 * By default the clients of a store take turns; a client with {@link Settings#sweepEvery} sweeps on its own account.
 */
final class Sweeps {
    private static final Logger LOG = LoggerFactory.getLogger(Sweeps.class);

    /** One part in so many of a pause is drawn and added to it, so that clients do not ask at the same moment. */
    private static final int JITTER_PART = 10;

    private final Engine engine;
    private final Upkeep upkeep;
    private final SweepTurns turns;
    private final Promise<Boolean> stopped;

    Sweeps(Engine engine, Upkeep upkeep) {
        this.engine = engine;
        this.upkeep = upkeep;
        this.turns = new SweepTurns(
                engine.background.objects(),
                engine.settings.prefix() + "/clients/sweep",
                engine.serverClock,
                engine.tasks);
        this.stopped = engine.tasks.promise();
    }

    /** Begins what goes on as long as the store is open. */
    void start() {
        Settings settings = engine.settings;
        if (settings.sweepEvery().isPresent()) {
            engine.tasks.start("upkeep", () -> sweepEvery(settings.sweepEvery().get()));
        } else if (engine.exclusive) {
            return; // nobody else leaves work behind, and opening the store has finished what a crash left
        } else if (settings.sweeping() && settings.checkpointing()) {
            engine.tasks.start("upkeep", () -> takeTurns(settings.deadAfter().dividedBy(2)));
        } else {
            engine.tasks.start("upkeep", () -> attempt(upkeep::recover));
        }
    }

    void stop() {
        stopped.complete(true);
    }

    private void sweepEvery(Duration every) {
        attempt(engine.exclusive ? this::sweepAll : upkeep::recover);
        while (!stopped.awaitFor(every)) {
            attempt(this::sweepAll);
        }
    }

    private void takeTurns(Duration every) {
        Duration pause = Duration.ZERO;
        do {
            pause = turn(every);
        } while (!stopped.awaitFor(pause.plusNanos(
                engine.tasks.random().nextLong(every.dividedBy(JITTER_PART).toNanos()))));
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
        } catch (StoreException e) {
            LOG.warn("a sweep of the store failed and is tried again later why={}", e.getMessage());
        }
    }

    /** Recovers dead clients, and has every PU queue checkpointed. */
    private void sweepAll() {
        upkeep.recover();
        if (engine.settings.checkpointing()) {
            engine.join();
            engine.background.puQueues().list().forEach(engine.checkpoints::touch);
        }
    }

    /** The same for those PU queues that hold something: a store at rest costs little. */
    private void sweepWaiting() {
        upkeep.recoverUnsettled();
        List<PuQueueId> waiting = upkeep.waiting();
        if (!waiting.isEmpty()) {
            engine.join();
            waiting.forEach(engine.checkpoints::touch);
        }
    }
}
