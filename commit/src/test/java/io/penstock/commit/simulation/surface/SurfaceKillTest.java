package io.penstock.commit.simulation.surface;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Drawn programs on processes that are killed: {@code scripts/kills --surface --local}, short. */
@Tag("slow")
@Tag("long")
class SurfaceKillTest {
    private final long seed = Long.getLong("seed", 1);

    @Test
    void processesThatAreKilledBreakNoPromise() throws IOException {
        assertThat(SurfaceKills.run(seed, Map.of("--kills", "3"), true))
                .as("seed=%d", seed)
                .isTrue();
    }
}
