package io.penstock.commit.checkpoint;

import io.penstock.core.ErrorCode;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Timekeeper;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The age of the oldest acknowledged log record that this client knows not to be applied. Queues drop messages that are
 * not applied for two weeks, so a great age is logged first, then slows commits down, and at last makes them fail, as
 * long as it lasts. Safe for use by many threads.
 */
public final class PendingAge {
    private static final Logger LOG = LoggerFactory.getLogger(PendingAge.class);

    /** The wait of a commit that is slowed down. */
    static final Duration SLOWED_BY = Duration.ofSeconds(1);

    /** The time for which a known age counts; to find the age takes a look at every queue. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final Timekeeper time;
    private final Limits limits;
    private final List<Supplier<Optional<Duration>>> sources = new CopyOnWriteArrayList<>();
    private final List<Supplier<Optional<Duration>>> toldOnly = new CopyOnWriteArrayList<>();
    private final AtomicReference<Finding> last;

    /** The ages from which a warning is logged, commits are slowed down, and commits are refused. */
    public record Limits(Duration tell, Duration slow, Duration refuse) {
        private static final Duration TELL_MIN = Duration.ofMinutes(10);

        /**
         * The maximum age at which commits are refused: half of a queue's retention, time enough to mend what keeps
         * records from being applied.
         */
        private static final Duration REFUSE_MAX = Duration.ofDays(7);

        private static final int SLOW_PART = 12;
        private static final int TELL_PART = 72;

        /**
         * @param refuse the age from which commits are refused, unless records have to wait for long anyway
         * @param usual the longest time that a record may wait where all is well
         */
        public static Limits of(Duration refuse, Duration usual) {
            Duration atLeast = usual.multipliedBy(SLOW_PART);
            Duration last = atLeast.compareTo(refuse) > 0 ? atLeast : refuse;
            Duration bounded = last.compareTo(REFUSE_MAX) < 0 ? last : REFUSE_MAX;
            Duration tell = bounded.dividedBy(TELL_PART);
            return new Limits(tell.compareTo(TELL_MIN) > 0 ? tell : TELL_MIN, bounded.dividedBy(SLOW_PART), bounded);
        }

        private State of(Duration age) {
            if (age.compareTo(refuse) >= 0) {
                return State.REFUSING;
            }
            if (age.compareTo(slow) >= 0) {
                return State.SLOWING;
            }
            return age.compareTo(tell) >= 0 ? State.LATE : State.FINE;
        }
    }

    private enum State {
        FINE,
        LATE,
        SLOWING,
        REFUSING
    }

    private record Finding(Duration age, State state, long nanos) {}

    public PendingAge(Timekeeper time, Limits limits) {
        this.time = time;
        this.limits = limits;
        this.last = new AtomicReference<>(new Finding(Duration.ZERO, State.FINE, time.nanoTime() - FRESH.toNanos()));
    }

    /** Adds a place where records may wait; {@code source} returns the age of its oldest one. */
    public void include(Supplier<Optional<Duration>> source) {
        sources.add(source);
    }

    /** Adds a place where records wait whatever commits do: their age is logged, and no commit waits for them. */
    public void tellOf(Supplier<Optional<Duration>> source) {
        toldOnly.add(source);
    }

    /** Returns the age from which a warning is logged. */
    Duration late() {
        return limits.tell;
    }

    /** The age of the oldest record that waits; zero when none does. */
    public Duration age() {
        return find().age;
    }

    /**
     * Lets a commit pass, holds it up, or refuses it.
     *
     * @throws UnavailableException when too old a record waits
     */
    public void admit() {
        Finding found = find();
        switch (found.state) {
            case FINE, LATE -> {}
            case SLOWING -> time.sleep(SLOWED_BY);
            case REFUSING ->
                throw new UnavailableException(
                        ErrorCode.BACKLOG_FULL,
                        "commits wait for too long to be applied; nothing was committed, see that checkpoints run",
                        "oldestSeconds",
                        found.age.toSeconds(),
                        "oldestSecondsMax",
                        limits.refuse.toSeconds());
        }
    }

    private Finding find() {
        Finding known = last.get();
        long now = time.nanoTime();
        if (now - known.nanos < FRESH.toNanos()) {
            return known;
        }
        Duration waiting = oldest(sources, Duration.ZERO);
        Duration age = oldest(toldOnly, waiting);
        State state = limits.of(waiting);
        boolean isLate = state == State.FINE && limits.of(age) != State.FINE;
        Finding next = new Finding(age, isLate ? State.LATE : state, now);
        if (last.compareAndSet(known, next)) {
            tell(known.state, next);
        }
        return next;
    }

    private static Duration oldest(List<Supplier<Optional<Duration>>> places, Duration atLeast) {
        Duration oldest = atLeast;
        for (Supplier<Optional<Duration>> place : places) {
            Duration found = place.get().orElse(Duration.ZERO);
            oldest = found.compareTo(oldest) > 0 ? found : oldest;
        }
        return oldest;
    }

    private static void tell(State before, Finding now) {
        if (now.state.compareTo(before) > 0) {
            LOG.warn(
                    "commits wait to be applied; see that checkpoints run oldestSeconds={} commits={}",
                    now.age.toSeconds(),
                    switch (now.state) {
                        case FINE, LATE -> "taken";
                        case SLOWING -> "slowed";
                        case REFUSING -> "refused";
                    });
        } else if (now.state == State.FINE && before != State.FINE) {
            LOG.info("commits no longer wait to be applied");
        }
    }
}
