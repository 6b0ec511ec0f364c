package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.report.VerifyReport;
import io.penstock.testkit.World;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A million pages of S3, one after the other, would be hours. */
class VerifyReadsAheadTest {
    @Test
    void verifyReadsManyPagesAtATime() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                RecordCollection<String, String> words = SimulatedStore.words(store);
                store.transact(tx -> {
                    for (int i = 0; i < 12_000; i++) {
                        tx.put(words, "key " + i, "value ".repeat(10));
                    }
                    return true;
                });
                SimulatedStore.settle(store, cloud.machine("main"));
            }
            try (Penstock fresh = cloud.open("b")) {
                long start = cloud.machine("main").nanoTime();
                VerifyReport report = fresh.admin().verify();
                Duration took = Duration.ofNanos(cloud.machine("main").nanoTime() - start);
                assertThat(report.violations()).isEmpty();
                assertThat(report.pages()).isGreaterThan(1_000);
                Duration oneByOne = Duration.ofMillis(29 * report.pages());
                // It reads each page twice: once more to find out what nothing refers to.
                assertThat(took.multipliedBy(3)).isLessThan(oneByOne);
            }
        });
    }
}
