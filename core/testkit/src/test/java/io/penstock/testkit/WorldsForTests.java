package io.penstock.testkit;

import java.time.Duration;

/** Weather that more than one test asks for. */
final class WorldsForTests {
    /** {@link World#ROUGH} without lost answers. */
    static final World ROUGH_BUT_ANSWERED = new World(
            World.ROUGH.unavailable(),
            0,
            World.ROUGH.slow(),
            World.ROUGH.staleFor(),
            World.ROUGH.duplicate(),
            World.ROUGH.missed(),
            World.ROUGH.sendDelay());

    private WorldsForTests() {}

    /** S3 as it was: a read may lag by up to {@code staleFor}; nothing else goes wrong. */
    static World eventual(Duration staleFor) {
        return new World(0, 0, 0, staleFor, 0, 0, Duration.ZERO);
    }

    /** Calm except for lost answers. */
    static World losing(double lostAnswer) {
        return new World(0, lostAnswer, 0, Duration.ZERO, 0, 0, Duration.ZERO);
    }

    /** Calm except for the whims of queues. */
    static World whims(double duplicate, double missed, Duration sendDelay) {
        return new World(0, 0, 0, Duration.ZERO, duplicate, missed, sendDelay);
    }
}
