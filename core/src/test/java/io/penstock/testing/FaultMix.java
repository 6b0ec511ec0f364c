package io.penstock.testing;

import java.time.Duration;

/**
 * The shares of all requests that meet each fault of a {@link FaultProxy}; the rest passes. At most one fault for a
 * request.
 *
 * @param delay the request is held for up to {@code delayMax}, before or after its effect
 * @param cutBefore the connection ends before the request reaches the server
 * @param cutAfter the request takes effect, and the connection ends without an answer
 * @param halfAnswer the request takes effect, and the connection ends in the middle of the answer
 * @param throttle the proxy answers in the server's place that there are too many requests
 */
public record FaultMix(
        double delay, Duration delayMax, double cutBefore, double cutAfter, double halfAnswer, double throttle) {
    /** Everything passes. */
    public static final FaultMix CALM = new FaultMix(0, Duration.ZERO, 0, 0, 0, 0);

    public FaultMix {
        double sum = delay + cutBefore + cutAfter + halfAnswer + throttle;
        if (Math.min(Math.min(delay, cutBefore), Math.min(cutAfter, Math.min(halfAnswer, throttle))) < 0 || sum > 1) {
            throw new IllegalArgumentException("shares are from 0 to 1, and so is their sum; sum=" + sum);
        }
    }

    /** Each kind of fault with this share. */
    public static FaultMix each(double share, Duration delayMax) {
        return new FaultMix(share, delayMax, share, share, share, share);
    }

    /** The fault of a request that drew {@code number}, from 0 to 1. */
    Fault at(double number) {
        double rest = number;
        if ((rest -= delay) < 0) {
            return Fault.DELAY;
        }
        if ((rest -= cutBefore) < 0) {
            return Fault.CUT_BEFORE;
        }
        if ((rest -= cutAfter) < 0) {
            return Fault.CUT_AFTER;
        }
        if ((rest -= halfAnswer) < 0) {
            return Fault.HALF_ANSWER;
        }
        return rest - throttle < 0 ? Fault.THROTTLE : Fault.NONE;
    }

    /** The fate of one request. */
    public enum Fault {
        NONE,
        DELAY,
        CUT_BEFORE,
        CUT_AFTER,
        HALF_ANSWER,
        THROTTLE,
        /** It was read, and never answered: {@link FaultProxy.Plug#BLACK_HOLE}. */
        SWALLOWED
    }
}
