package io.penstock.commit.client;

import io.penstock.core.UnavailableException;
import io.penstock.core.task.Timekeeper;
import java.time.Duration;

/**
 * What the servers' clock says, as far as this client can tell from their answers. A client whose own clock is far off
 * would win, or lose, every race for long; so it is kept from committing. Safe for use by many threads.
 */
public final class ServerClock {
    private final Timekeeper time;
    private final Duration skewMax;

    /** Server time minus local wall time; a guess from the last answer. */
    private volatile long aheadMillis;

    private volatile boolean seen;
    private volatile Runnable ask = () -> {};

    public ServerClock(Timekeeper time, Duration skewMax) {
        this.time = time;
        this.skewMax = skewMax;
    }

    /** Takes notice of a time that a server has sent just now. */
    public void observe(long serverMillis) {
        aheadMillis = serverMillis - time.nowMillis();
        seen = true;
    }

    /** The servers' time, in milliseconds since 1970. */
    public long nowMillis() {
        return time.nowMillis() + aheadMillis;
    }

    /** Sets what makes a server tell its time, for whoever needs it before any server has. */
    public void askBy(Runnable how) {
        ask = how;
    }

    /**
     * As {@link #requireInStep}, and not by trust: for what is decided by the age of things, such as dropping
     * tombstones or giving up what is too old.
     */
    public void requireKnownInStep() {
        if (!seen) {
            ask.run();
        }
        requireInStep();
    }

    /** @throws UnavailableException when this machine's clock is further off than the settings allow */
    public void requireInStep() {
        if (Math.abs(aheadMillis) > skewMax.toMillis()) {
            throw new UnavailableException(
                    "this machine's clock is too far from the servers'; nothing was committed, set the clock right",
                    "serverAheadMillis",
                    aheadMillis,
                    "allowedMillis",
                    skewMax.toMillis());
        }
    }
}
