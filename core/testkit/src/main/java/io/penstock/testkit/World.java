package io.penstock.testkit;

import java.time.Duration;

/**
 * The faults of the simulated servers, apart from their latency. Probabilities are per call or per message.
 *
 * @param unavailable a call fails before it has an effect; above zero, one in four conditional puts that meet another
 *     put of their object on the way is refused, whatever its condition (S3's 409), and a batch may be done in part
 * @param lostAnswer a call that changes something (a receive hides messages) takes effect, or not (half each), and its
 *     answer is lost
 * @param slow a call takes {@link #SLOW_FACTOR} times as long
 * @param staleFor the longest lag between a write and a read that shows it; zero: S3 as it is since December 2020
 * @param duplicate a message is shown again though it is hidden, or returns after its deletion: at once, or some time
 *     later if sends are delayed too
 * @param missed a short poll (no wait) does not see a given message, or a listing a queue created within a minute; a
 *     queue is counted roughly; a send to a queue that was deleted within a minute seems to succeed
 * @param sendDelay the longest time until a message becomes visible
 */
public record World(
        double unavailable,
        double lostAnswer,
        double slow,
        Duration staleFor,
        double duplicate,
        double missed,
        Duration sendDelay) {
    static final int SLOW_FACTOR = 20;

    /** No faults; queues still have no order. */
    public static final World CALM = new World(0, 0, 0, Duration.ZERO, 0, 0, Duration.ZERO);

    /** Today's cloud on a bad day: strong reads, and everything else that the documentation allows. */
    public static final World ROUGH = new World(0.01, 0.01, 0.01, Duration.ZERO, 0.02, 0.3, Duration.ofSeconds(1));
}
