package io.penstock.commit.domain;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.commit.client.HybridClock;
import io.penstock.commit.client.ServerClock;
import io.penstock.commit.domain.Intent.TransactionId;
import io.penstock.commit.domain.PendingGroup.Waiting;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.ErrorCode;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.UnavailableException;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.record.RecordChange;
import io.penstock.report.CheckpointReport;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Commits that no request fails, and that come to no end by themselves. */
class CommitBudgetTest {
    private static final Duration BUDGET = Duration.ofSeconds(10);
    private static final Limits LIMITS = Limits.of(Duration.ofSeconds(20), Duration.ofDays(30), BUDGET);

    private final Simulation simulation = new Simulation(1);
    private final SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
    private long nonces;

    private Domain domain(SimulatedClient machine, boolean combining) {
        ClientId id = new ClientId(machine.name().hashCode());
        MessageQueue intake = cloud.queues(machine).create("intake", QueueAttributes.STANDARD);
        return new Domains(new Parts(
                        machine,
                        cloud.objects(machine),
                        "p/",
                        new HybridClock(machine::nowMillis),
                        new ServerClock(machine, Duration.ofMinutes(2)),
                        () -> id,
                        (domain, records, alone, turn) -> CheckpointReport.ofRecords(0, records.size(), 0, 0),
                        LIMITS,
                        conflict -> conflict.exception("words"),
                        combining ? Handover.byQueue(name -> intake) : Handover.NONE,
                        key -> {},
                        () -> {}))
                .of("d");
    }

    private Intent put(long snapshot) {
        return new Intent(
                new TransactionId(new ClientId(1), nonces++),
                snapshot,
                new ReadSet(),
                List.of(new LogRecord(
                        new TreeId(1), new RecordChange.Put(Bytes.utf8("k"), Bytes.utf8("v"), Stamp.ZERO))));
    }

    /** The others put one segment after another, and never look whether anybody hands in. */
    @Test
    void whoIsNeverIncludedIsToldInTime() {
        simulation.run(() -> {
            for (int i = 0; i < 3; i++) {
                SimulatedClient machine = simulation.client("rival" + i);
                Domain rival = domain(machine, false);
                for (int thread = 0; thread < 2; thread++) {
                    machine.start("rival", () -> {
                        rival.refresh();
                        while (true) {
                            try {
                                var unused = rival.commit(put(rival.tail().tip()));
                            } catch (UnavailableException | OutcomeUnknownException late) {
                                machine.sleep(Duration.ofMillis(1));
                            }
                        }
                    });
                }
            }
            SimulatedClient machine = simulation.client("mine");
            Domain mine = domain(machine, true);
            mine.refresh();
            for (int i = 0; i < 20; i++) {
                long begun = machine.nanoTime();
                try {
                    var unused = mine.commit(put(mine.tail().tip()));
                } catch (UnavailableException | OutcomeUnknownException told) {
                    assertThat(told).hasMessageContaining("in time");
                }
                assertThat(Duration.ofNanos(machine.nanoTime() - begun)).isLessThanOrEqualTo(BUDGET);
            }
            return true;
        });
    }

    @Test
    void whatIsGivenUpBeforeItsTurnIsNeverPut() {
        simulation.run(() -> {
            SimulatedClient machine = simulation.client("mine");
            PendingGroup gathering = new PendingGroup("d", machine, LIMITS);
            Waiting early = gathering.add(put(0), 0);
            assertThatThrownBy(() -> early.result(BUDGET))
                    .isInstanceOf(UnavailableException.class)
                    .is(code(ErrorCode.UNAVAILABLE));
            Waiting late = gathering.add(put(0), 0);
            List<Waiting> own = new ArrayList<>();
            gathering.takeInto(own, 0);
            assertThat(own).containsExactly(late);
            assertThat(early.goesOut()).isFalse();
            assertThat(late.goesOut()).isTrue();
            assertThatThrownBy(() -> late.result(BUDGET)).isInstanceOf(OutcomeUnknownException.class);
            return true;
        });
    }
}
