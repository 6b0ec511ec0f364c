package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.StoreException;
import io.penstock.core.sim.World;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An object store whose reads lag behind its writes, as S3's did in 2008. */
class ReadLagTest {
    private static final Duration LAG = Duration.ofSeconds(3);
    private static final World LAGGING = new World(0, 0, 0, LAG, 0, 0, Duration.ZERO);

    private static Settings settings(SimulatedStore cloud, String machine) {
        return cloud.settings(machine)
                .level(ConsistencyLevel.MONOTONIC)
                .ttl(Duration.ofMillis(1))
                .checkpointInterval(Duration.ofMillis(100))
                .readLag(LAG);
    }

    /** The ledger showed a write as applied, by another client, and the page was read as it had been before it. */
    @Test
    void aSessionReadsItsOwnWrites() {
        for (long seed = 1; seed <= 20; seed++) {
            String run = "seed=" + seed;
            new SimulatedStore(seed, LAGGING).run(cloud -> {
                try (Penstock store = Penstock.open(settings(cloud, "a").checkpointing(false));
                        Penstock other = Penstock.open(settings(cloud, "b"))) {
                    define(store, cloud);
                    cloud.sleep(LAG);
                    for (int i = 0; i < 20; i++) {
                        String value = String.valueOf(i);
                        words(store).put("k", value);
                        other.admin().checkpoint();
                        for (int look = 0; look < 8; look++) {
                            cloud.sleep(Duration.ofMillis(50));
                            // Sweeps the session.
                            words(store).put("other", value);
                            assertThat(words(store).get("k")).as(run).hasValue(value);
                        }
                    }
                }
            });
        }
    }

    /**
     * A checkpoint read the catalog as it had been before the collection was created, and put its first records into
     * quarantine.
     */
    @Test
    void recordsOfANewCollectionAreNotPutAway() {
        for (long seed = 1; seed <= 20; seed++) {
            String run = "seed=" + seed;
            new SimulatedStore(seed, LAGGING).run(cloud -> {
                try (Penstock store = Penstock.open(settings(cloud, "a").checkpointing(false));
                        Penstock other = Penstock.open(
                                settings(cloud, "b").checkpointing(false).lease(Duration.ofSeconds(2)))) {
                    define(store, cloud);
                    long quarantined = 0;
                    for (int i = 0; i < 10; i++) {
                        quarantined += other.admin().checkpoint().quarantined();
                        cloud.sleep(Duration.ofSeconds(1));
                    }
                    assertThat(quarantined).as(run).isZero();
                    assertThat(words(other).get("k")).as(run).hasValue("1");
                }
            });
        }
    }

    /** The catalog itself may take a few tries. */
    private static void define(Penstock store, SimulatedStore cloud) {
        for (int attempt = 1; ; attempt++) {
            try {
                words(store).put("k", "1");
                return;
            } catch (StoreException e) {
                if (attempt == 10) {
                    throw e;
                }
                cloud.sleep(Duration.ofSeconds(1));
            }
        }
    }
}
