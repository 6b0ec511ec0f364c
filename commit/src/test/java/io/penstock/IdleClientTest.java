package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.core.ClientId;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A handle that is open and does nothing: it used to rewrite two objects every 30 s for ever. */
class IdleClientTest {
    private static double requests(MeterRegistry meters) {
        return meters.find("penstock.requests").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"SNAPSHOT", "SERIALIZABLE"})
    void signsOffAndComesBackUnderAnotherId(ConsistencyLevel level) {
        for (long seed = 1; seed <= 3; seed++) {
            String run = "seed=" + seed;
            new SimulatedStore(seed, World.CALM).run(cloud -> {
                MeterRegistry meters = new SimpleMeterRegistry();
                Settings settings = cloud.settings("a").level(level).meters(meters);
                try (Penstock store = Penstock.open(settings)) {
                    words(store).put("k", "1");
                    ClientId first = store.clientId();
                    assertThat(cloud.keys("clients/")).as(run).hasSize(1);
                    cloud.sleep(Duration.ofMinutes(10));
                    assertThat(cloud.keys("clients/")).as(run).isEmpty();
                    assertThat(cloud.keys("retired/")).as(run).isEmpty();
                    assertThat(cloud.queues("at-")).as(run).isEmpty();
                    double before = requests(meters);
                    cloud.sleep(Duration.ofDays(1));
                    assertThat(requests(meters)).as(run).isEqualTo(before);
                    words(store).put("k", "2");
                    assertThat(store.clientId()).as(run).isNotEqualTo(first);
                }
                assertThat(cloud.keys("clients/")).as(run).isEmpty();
                assertThat(cloud.queues("at-")).as(run).isEmpty();
                try (Penstock reader = cloud.open("reader")) {
                    assertThat(words(reader).get("k")).as(run).hasValue("2");
                }
            });
        }
    }

    /** What was drawn before a snapshot is taken is the same in all its copies. */
    @Test
    void drawsNothingBeforeItCommits() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                assertThat(words(store).get("k")).isEmpty();
                cloud.sleep(Duration.ofMinutes(1));
                assertThat(store.engine().membership().heartbeat().current()).isEmpty();
                assertThat(cloud.keys("clients/")).isEmpty();
            }
        });
    }

    /** Of a dead client without an ATOMIC queue nothing can turn up; it was kept on record for four weeks. */
    @Test
    void ofADeadClientWithoutAQueueNothingStays() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            SimulatedClient machine = cloud.machine("a");
            machine.start("work", () -> {
                Penstock store = Penstock.open(cloud.settings("a").level(ConsistencyLevel.MONOTONIC));
                words(store).put("k", "1");
                machine.crash();
            });
            cloud.sleep(Duration.ofMinutes(6));
            assertThat(cloud.keys("clients/")).hasSize(1);
            try (Penstock heir = cloud.open("heir")) {
                heir.admin().recover();
                heir.admin().checkpoint();
                assertThat(words(heir).get("k")).hasValue("1");
                assertThat(cloud.keys("retired/")).isEmpty();
            }
            assertThat(cloud.keys("clients/")).isEmpty();
        });
    }
}
