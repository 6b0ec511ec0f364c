package io.penstock.commit.simulation.surface;

import io.penstock.ConsistencyLevel;
import io.penstock.Transaction;
import io.penstock.commit.simulation.surface.Attempt.End;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Programs that take positions of the log, and read the states that these name, whoever took them. */
final class States {
    private static final int TAKEN_MAX = 6;
    private static final int STEPS_MAX = 6;
    private static final int PAUSE_MILLIS_MAX = 20_000;
    private static final int HOLD_MILLIS_MAX = 60_000;

    private final Drawn drawn;
    private final Log log;
    private final SplittableRandom random;
    private final List<Named> taken = new ArrayList<>();

    /**
     * The position of a state.
     *
     * @param beginNanos when it was asked for
     * @param endNanos when it was told
     */
    record Named(String position, long beginNanos, long endNanos) {}

    States(Drawn drawn, Log log, SplittableRandom random) {
        this.drawn = drawn;
        this.log = log;
        this.random = random;
    }

    void next(Handle handle) {
        if (taken.isEmpty() || random.nextInt(3) == 0) {
            take(handle);
        } else {
            read(handle, taken.get(random.nextInt(taken.size())));
        }
    }

    private void take(Handle handle) {
        long begun = handle.machine.nanoTime();
        log.calls.called("RecordCollection.position()");
        Named named = new Named(handle.records(random.nextBoolean() ? "a" : "b").position(), begun, now(handle));
        if (taken.size() == TAKEN_MAX) {
            taken.remove(random.nextInt(TAKEN_MAX));
        }
        taken.add(named);
        log.say(handle, "takes position " + named.position);
    }

    private static long now(Handle handle) {
        return handle.machine.nanoTime();
    }

    private void read(Handle handle, Named named) {
        Attempt attempt = new Attempt(
                handle.machine.name(),
                "",
                "AT in session none",
                ConsistencyLevel.SERIALIZABLE,
                Duration.ZERO,
                named.beginNanos);
        attempt.named = named;
        log.attempts.add(attempt);
        Duration hold = Duration.ofMillis(random.nextBoolean() ? random.nextInt(HOLD_MILLIS_MAX) : 0);
        log.calls.called("Penstock.at(String,Duration)");
        End end = End.FAILED;
        try (Transaction state = handle.store.at(named.position, hold)) {
            steps(handle, attempt, state);
            end = End.ANSWERED;
        } catch (InvalidRequestException gone) {
            if (gone.code() != ErrorCode.POSITION_TOO_OLD) {
                throw gone;
            }
        } finally {
            attempt.end(end, now(handle));
            log.say(handle, attempt.toString());
        }
    }

    private void steps(Handle handle, Attempt attempt, Transaction state) {
        Acts acts = new Acts(drawn, handle, log, random, new Way(state, log.calls), attempt);
        for (int i = 1 + random.nextInt(STEPS_MAX); i > 0; i--) {
            if (random.nextBoolean()) {
                handle.machine.sleep(Duration.ofMillis(random.nextInt(PAUSE_MILLIS_MAX)));
            }
            if (drawn.has(Feature.QUERIES) && random.nextInt(4) == 0) {
                acts.queryInParts();
            } else {
                Step step = Step.draw(drawn, handle, false, false, random);
                log.count(step.name(), drawn, "AT");
                step.run(acts);
            }
        }
    }
}
