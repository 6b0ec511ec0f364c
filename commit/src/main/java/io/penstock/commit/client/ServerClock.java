package io.penstock.commit.client;

import io.penstock.core.ErrorCode;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Timekeeper;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An estimate of the servers' clock from their answers. A client whose own clock is far off would win, or lose, all
 * conflicts for a long time, so this class keeps it from committing.
 *
 * <p>Between two answers the wall clock and the monotonic clock carry the time forward. Where these two disagree, the
 * wall clock was set or the machine was suspended: then a server is asked again before anything is decided. So a step
 * of the wall clock has no effect, whenever it happens. Safe for use by many threads.
 */
public final class ServerClock {
    /**
     * The most by which the wall clock and the monotonic clock may diverge between two answers: far more than clocks
     * drift.
     */
    private static final long STEP_MILLIS = 1000;

    /** The age from which on an answer that says that the clock is wrong is asked for again. */
    private static final long ASK_AGAIN_MILLIS = 60_000;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Timekeeper time;
    private final Duration skewMax;
    private volatile @Nullable Answer last;
    private volatile Runnable ask = () -> {};

    /** A server's time, and the times of this machine's clocks when the answer arrived. */
    private record Answer(long serverMillis, long wallMillis, long nanos) {
        long aheadMillis() {
            return serverMillis - wallMillis;
        }
    }

    public ServerClock(Timekeeper time, Duration skewMax) {
        this.time = time;
        this.skewMax = skewMax;
    }

    /**
     * The clock that draws stamps.
     *
     * @param aheadMax by how much a stamp of another client may be ahead of the servers' time
     */
    public HybridClock stamping(Duration aheadMax) {
        return new HybridClock(
                this::wallMillis, this::stampMillis, () -> nowMillis() + aheadMax.toMillis(), time::nanoTime);
    }

    /** Records a time that a server has sent just now. */
    public void observe(long serverMillis) {
        last = new Answer(serverMillis, time.nowMillis(), time.nanoTime());
    }

    /** The servers' time, in milliseconds since 1970; this machine's time before any server has answered. */
    public long nowMillis() {
        Answer answer = last;
        return answer == null ? time.nowMillis() : answer.serverMillis + sinceMillis(answer);
    }

    /**
     * Returns this machine's time, in milliseconds since 1970, without the steps that its clock has made since a server
     * answered.
     */
    public long wallMillis() {
        Answer answer = last;
        return answer == null ? time.nowMillis() : answer.wallMillis + sinceMillis(answer);
    }

    /**
     * Returns {@link #wallMillis} for a stamp. It goes by one answer: a caller that has checked the clock may have
     * waited since, and meanwhile the clock may have stepped, and another server have answered.
     *
     * @throws UnavailableException when a server says that the clock is wrong, or it has stepped since one answered
     */
    long stampMillis() {
        Answer answer = last;
        if (answer == null) {
            return time.nowMillis();
        }
        if (isTooFar(answer.aheadMillis())) {
            throw wrong(answer.aheadMillis());
        }
        long since = time.nowMillis() - answer.wallMillis;
        if (isStep(answer, since)) {
            throw new UnavailableException(
                    ErrorCode.CLOCK_SKEW,
                    "this machine's clock was set, or it slept, during a commit; nothing was committed, retry it");
        }
        return answer.wallMillis + since;
    }

    /**
     * The time since an answer by the wall clock, which also counts while the machine sleeps; if it has stepped, by the
     * monotonic clock.
     */
    private long sinceMillis(Answer answer) {
        long byWall = time.nowMillis() - answer.wallMillis;
        return isStep(answer, byWall) ? sinceByNanos(answer) : byWall;
    }

    private long sinceByNanos(Answer answer) {
        return (time.nanoTime() - answer.nanos) / NANOS_PER_MILLI;
    }

    private boolean isStep(Answer answer, long byWall) {
        return Math.abs(byWall - sinceByNanos(answer)) > STEP_MILLIS;
    }

    /**
     * Whether a server is to be asked again: the wall clock has stepped since it answered; or its answer says that the
     * clock is wrong. It may have been late, or the clock was set right, and nothing else may ask.
     */
    private boolean isDoubtful(Answer answer) {
        return isStep(answer, time.nowMillis() - answer.wallMillis)
                || isTooFar(answer.aheadMillis()) && sinceByNanos(answer) >= ASK_AGAIN_MILLIS;
    }

    private boolean isTooFar(long aheadMillis) {
        return Math.abs(aheadMillis) > skewMax.toMillis();
    }

    /** Sets a call that makes a server answer with its time, for decisions that need it. */
    public void askBy(Runnable how) {
        ask = how;
    }

    /**
     * Checks as {@link #requireInStep}, but asks a server if none has answered yet. Stamps need this, and decisions by
     * age, such as dropping tombstones or giving up old messages.
     *
     * @throws UnavailableException also when the time of no server is known
     */
    public void requireKnownInStep() {
        if (last == null) {
            ask.run();
        }
        if (last == null) {
            throw new UnavailableException("no server has told its time yet; nothing was done, retry the call");
        }
        requireInStep();
    }

    /**
     * Checks that this machine's clock is close to the servers', as far as their answers show.
     *
     * @throws UnavailableException when this machine's clock is further off than the settings allow
     */
    public void requireInStep() {
        Answer answer = last;
        if (answer != null && isDoubtful(answer)) {
            ask.run();
            answer = last;
        }
        long aheadMillis = answer == null ? 0 : answer.aheadMillis();
        if (isTooFar(aheadMillis)) {
            throw wrong(aheadMillis);
        }
    }

    private UnavailableException wrong(long aheadMillis) {
        return new UnavailableException(
                ErrorCode.CLOCK_SKEW,
                "this machine's clock is too far from the servers'; nothing was committed, set the clock right",
                "serverAheadMillis",
                aheadMillis,
                "allowedMillis",
                skewMax.toMillis());
    }
}
