package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Runs that draw their level by seed have a list of their own, so that seeds stay; no level is missing in it. */
class LevelsDrawnTest {
    @Test
    void byTheOracle() {
        assertThat(OracleRun.LEVELS)
                .containsAll(Levels.except(
                        ConsistencyLevel.BASIC, ConsistencyLevel.SNAPSHOT, ConsistencyLevel.SERIALIZABLE));
    }

    @Test
    void byLiveIndexes() {
        assertThat(LiveIndexRun.LEVELS)
                .containsAll(Levels.except(
                        ConsistencyLevel.NAIVE, ConsistencyLevel.SNAPSHOT, ConsistencyLevel.SERIALIZABLE));
    }
}
