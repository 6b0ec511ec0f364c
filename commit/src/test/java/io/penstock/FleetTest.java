package io.penstock;

import static io.penstock.SimulatedStore.content;
import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.testkit.Profile;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Many clients that live for seconds and die without closing. */
class FleetTest {
    private static final Duration DEAD_AFTER = Duration.ofSeconds(30);
    private static final int CLIENTS = 300;

    private static Settings settings(SimulatedStore cloud, String machine) {
        return cloud.settings(machine)
                .advanced(advanced -> advanced.sweeping(true))
                .level(ConsistencyLevel.ATOMIC)
                .advanced(advanced -> advanced.heartbeatInterval(DEAD_AFTER.dividedBy(5)))
                .deadAfter(DEAD_AFTER);
    }

    /** All commit at the same time, and die; returns the keys that were acknowledged. */
    private static Set<String> die(SimulatedStore cloud) {
        Set<String> acknowledged = new HashSet<>();
        for (int i = 0; i < CLIENTS; i++) {
            String name = "dead" + i;
            cloud.machine(name).start("work", () -> {
                Penstock store = Penstock.open(settings(cloud, name));
                words(store).put(name, "there");
                acknowledged.add(name);
                cloud.machine(name).crash();
            });
        }
        cloud.sleep(Duration.ofSeconds(10));
        assertThat(acknowledged).hasSize(CLIENTS);
        return acknowledged;
    }

    /** It took a minute to make sure of each eight of them, and those that came last waited for all others. */
    @Test
    void manyThatDieTogetherAreSeenInTime() {
        for (long seed = 1; seed <= 3; seed++) {
            String run = "seed=" + seed;
            new SimulatedStore(seed, Profile.AWS_2026, World.CALM).run(cloud -> {
                try (Penstock other = Penstock.open(settings(cloud, "other"))) {
                    Set<String> acknowledged = die(cloud);
                    cloud.sleep(DEAD_AFTER.multipliedBy(2).minusSeconds(10));
                    assertThat(content(other).keySet()).as(run).containsAll(acknowledged);
                    cloud.sleep(Duration.ofHours(1));
                    assertThat(cloud.keys("clients/")).as(run).hasSizeLessThan(5);
                    assertThat(cloud.keys("retired/")).as(run).hasSize(CLIENTS);
                }
            });
        }
    }

    /** Whoever sweeps dies in the middle of it, again and again: others go on, and no turn is waited for. */
    @Test
    void sweepersThatDieAreFollowedByOthers() {
        new SimulatedStore(1, Profile.AWS_2026, World.CALM).run(cloud -> {
            die(cloud);
            assertThat(cloud.depth("at-")).isEqualTo(CLIENTS);
            cloud.sleep(DEAD_AFTER);
            for (int i = 0; i < 20; i++) {
                String name = "short" + i;
                cloud.machine(name).start("work", () -> Penstock.open(settings(cloud, name)));
                cloud.sleep(Duration.ofSeconds(2));
                cloud.machine(name).crash();
                cloud.sleep(DEAD_AFTER.dividedBy(5));
            }
            assertThat(cloud.depth("at-")).isZero();
        });
    }

    /** The daily look at those that are kept on record asked about hundreds, in whatever client came by. */
    @Test
    void anOpenPaysForNoneOfThoseOnRecord() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock other = Penstock.open(settings(cloud, "other"))) {
                die(cloud);
                cloud.sleep(Duration.ofHours(20));
            }
            cloud.sleep(Duration.ofHours(10));
            MeterRegistry meters = new SimpleMeterRegistry();
            try (Penstock store = Penstock.open(settings(cloud, "fresh").meters(meters))) {
                assertThat(words(store).get("dead0")).contains("there");
                cloud.sleep(DEAD_AFTER);
                assertThat(requests(meters)).isLessThanOrEqualTo(12);
            }
        });
    }

    private static double requests(MeterRegistry meters) {
        return meters.find("penstock.requests").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }
}
