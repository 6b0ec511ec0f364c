package io.penstock;

import static io.penstock.SimulatedStore.words;
import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.report.RecoveryReport;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A transaction is no larger than everyone may hold in memory who has to finish it. Times are virtual. */
class TransactionBytesTest {
    private static final String VALUE = "v".repeat(100_000);
    private static final int RECORDS = 30;

    private static Settings settings(SimulatedStore cloud, String machine) {
        return cloud.settings(machine).pageBytes(1 << 20);
    }

    private static void putAll(Penstock store, Transaction transaction) {
        for (int i = 0; i < RECORDS; i++) {
            transaction.put(words(store), "k" + i, VALUE);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLargerOneIsRefusedBeforeAnythingIsSent(ConsistencyLevel level) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Settings settings =
                    settings(cloud, "a").level(level).advanced(advanced -> advanced.transactionBytesMax(1 << 20));
            try (Penstock store = Penstock.open(settings)) {
                words(store).put("first", "1");
                cloud.sleep(Duration.ofSeconds(30));
                AtomicInteger calls = new AtomicInteger();
                cloud.cloud.watch((step, client, call, on, outcome) -> {
                    boolean sends = call.startsWith("put") || call.startsWith("send");
                    calls.addAndGet(step == CallWatcher.Step.BEGINS && sends ? 1 : 0);
                });
                try (Transaction transaction = store.begin()) {
                    assertThatThrownBy(() -> putAll(store, transaction))
                            .as("no more is gathered than is allowed, and one record")
                            .isInstanceOf(InvalidRequestException.class)
                            .is(code(ErrorCode.TOO_LARGE))
                            .hasMessageContaining("transactionBytesMax=1048576");
                    assertThatThrownBy(transaction::commit).isInstanceOf(InvalidRequestException.class);
                }
                assertThat(calls).hasValue(0);
                assertThat(words(store).get("k0")).isEmpty();
                try (Transaction transaction = store.begin()) {
                    for (int i = 0; i < RECORDS; i++) {
                        transaction.put(words(store), "k", VALUE); // what is overwritten does not count
                    }
                    transaction.commit();
                }
            }
        });
    }

    /** Each client that opened the store used to take the whole of it into memory. */
    @Test
    void aRecovererLeavesWhatIsTooLargeForItToOneThatMayHoldIt() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            SimulatedClient machine = cloud.machine("a");
            machine.fork("writer", () -> {
                Penstock store = Penstock.open(
                        settings(cloud, "a").advanced(advanced -> advanced.forwardInterval(Duration.ofHours(1))));
                store.transact(transaction -> {
                    putAll(store, transaction);
                    return true;
                });
                words(store).put("small", "1");
                machine.crash();
                return true;
            });
            cloud.sleep(Duration.ofMinutes(10));
            MeterRegistry meters = new SimpleMeterRegistry();
            try (Penstock little = Penstock.open(settings(cloud, "b")
                    .advanced(advanced -> advanced.transactionBytesMax(1 << 20))
                    .meters(meters))) {
                RecoveryReport report = RecoveryReport.NONE;
                for (int i = 0; i < 3; i++) {
                    RecoveryReport next = little.admin().recover();
                    assertThat(next.tooLarge()).isEqualTo(1);
                    assertThat(next.undecided()).isZero();
                    assertThat(next.undecidedMessages()).isZero();
                    report = report.plus(next);
                    cloud.sleep(Duration.ofMinutes(3));
                }
                assertThat(meters.get("penstock.recovery.too.large").gauge().value())
                        .isEqualTo(1);
                assertThat(meters.get("penstock.pending.age").gauge().value()).isGreaterThan(600);
                assertThat(little.admin().backlog().atomicMessages()).isGreaterThanOrEqualTo(3);
                little.admin().checkpoint();
                assertThat(SimulatedStore.content(little)).containsOnlyKeys("small");
            }
            try (Penstock large = Penstock.open(settings(cloud, "c"))) {
                SimulatedStore.settle(large, cloud.machine("c"));
                assertThat(SimulatedStore.content(large)).hasSize(RECORDS + 1);
            }
        });
    }
}
