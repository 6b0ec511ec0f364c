package io.penstock.commit.domain;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.commit.client.HybridClock;
import io.penstock.commit.client.ServerClock;
import io.penstock.commit.domain.Intent.HandedIn;
import io.penstock.commit.domain.Intent.TransactionId;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.RefusedException;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import io.penstock.core.task.Task;
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

class DomainTest {
    private static final Duration BUDGET = Duration.ofSeconds(30);
    private static final TreeId TREE = new TreeId(1);
    private static final Duration KEEP = Duration.ofSeconds(20);

    private final Simulation simulation = new Simulation(1);
    private final SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
    private final List<LogRecord> applied = new ArrayList<>();
    private long nonces;
    private String refused = "nobody";

    private SimulatedClient machine(String name) {
        return simulation.client(name);
    }

    private ObjectStore objects() {
        return cloud.objects(machine("main"));
    }

    private MessageQueue intake(SimulatedClient machine) {
        return cloud.queues(machine).create("intake", QueueAttributes.STANDARD);
    }

    private Domain domain(String client, boolean combining, Limits limits) {
        SimulatedClient machine = machine(client);
        ClientId id = new ClientId(client.hashCode());
        MessageQueue intake = intake(machine);
        return new Domains(new Parts(
                        machine,
                        cloud.objects(machine),
                        "p/",
                        new HybridClock(machine::nowMillis),
                        new ServerClock(machine, Duration.ofMinutes(2)),
                        () -> id,
                        (name, records, alone, turn) -> {
                            if (client.equals(refused)) {
                                throw new RefusedException(ErrorCode.ACCESS_DENIED, "no right to write pages");
                            }
                            applied.addAll(records);
                            return CheckpointReport.ofRecords(0, records.size(), 0, 0);
                        },
                        limits,
                        conflict -> conflict.exception("words"),
                        combining ? Handover.byQueue(name -> intake) : Handover.NONE,
                        key -> {},
                        () -> {}))
                .of("d");
    }

    private Domain domain(String client) {
        return domain(client, false, Limits.of(KEEP, Duration.ofDays(30), BUDGET));
    }

    private static Bytes key(String name) {
        return Bytes.utf8(name);
    }

    private Intent put(long snapshot, String key) {
        ReadSet reads = new ReadSet();
        reads.add(TREE, key(key));
        return new Intent(
                new TransactionId(new ClientId(1), nonces++),
                snapshot,
                reads,
                List.of(new LogRecord(TREE, new RecordChange.Put(key(key), key("v"), Stamp.ZERO))));
    }

    /** The same without a read: nothing that was written before contradicts it, not even itself. */
    private static Intent blind(Intent intent) {
        return new Intent(intent.id(), intent.snapshot(), new ReadSet(), intent.writes());
    }

    private void run(Runnable body) {
        simulation.run(() -> {
            body.run();
            return true;
        });
    }

    private static final Limits SMALL = new Limits(
            4 << 20, 10_000, KEEP, 2_000, Limits.RETENTION_MIN, Duration.ofSeconds(30), Limits.RETENTION_MIN, BUDGET);

    @Test
    void whoMayNotWritePagesKeepsNobodyFromTheTurn() {
        run(() -> {
            Domain writer = domain("writer");
            writer.refresh();
            var unused = writer.commit(put(0, "k"));
            refused = "writer";
            assertThatThrownBy(writer::checkpointAll).is(code(ErrorCode.ACCESS_DENIED));
            assertThat(domain("checkpointer").checkpointAll().messages()).isOne();
            assertThat(applied).hasSize(1);
        });
    }

    /** As when an old horizon was restored: the log is longer than a client can hold. */
    @Test
    void aLogThatIsLongerThanMemoryIsAppliedInParts() {
        run(() -> {
            Domain one = domain("one");
            one.refresh();
            for (int i = 0; i < 100; i++) {
                var unused = one.commit(put(i, "k" + i));
            }
            Domain small = domain("small", false, SMALL);
            assertThatThrownBy(small::refresh)
                    .isInstanceOf(UnavailableException.class)
                    .is(code(ErrorCode.BACKLOG_FULL));
            assertThat(small.tail().bytes()).isLessThan(10_000);
            assertThat(small.checkpointAll().messages()).isEqualTo(100);
            assertThat(applied).hasSize(100);
            small.refresh();
            assertThat(small.tail().tip()).isEqualTo(100);
            // Nor does a client that only works in the background read it all at once.
            Domain other = domain("other", false, SMALL);
            for (int i = 100; i < 200; i++) {
                var unused = one.commit(put(i, "k" + i));
            }
            while (other.horizon() < 200) {
                assertThat(other.tail().bytes()).isLessThan(10_000);
                try {
                    other.refresh();
                } catch (UnavailableException full) {
                    assertThat(full).is(code(ErrorCode.BACKLOG_FULL));
                }
                assertThat(other.checkpoint().messages()).isPositive();
            }
        });
    }

    @Test
    void anotherClientSeesWhatWasAcknowledged() {
        run(() -> {
            Domain one = domain("one");
            Domain other = domain("other");
            one.refresh();
            Domain.Committed first = one.commit(put(0, "a"));
            Domain.Committed second = one.commit(put(1, "b"));
            assertThat(List.of(first.position(), second.position())).containsExactly(1L, 2L);
            assertThat(second.stamp().time()).isGreaterThan(first.stamp().time());
            other.refresh();
            TailView view = other.tail().at(1);
            assertThat(view.find(TREE, key("a"))).isNotNull();
            assertThat(view.find(TREE, key("b"))).isNull();
            assertThat(view.newest()).isEqualTo(first.stamp());
            List<Bytes> keys = new ArrayList<>();
            other.tail()
                    .at(2)
                    .iterate(TREE, KeyRange.all(), Direction.DESCENDING)
                    .forEachRemaining(change -> keys.add(change.key()));
            assertThat(keys).containsExactly(key("b"), key("a"));
            assertThat(other.tail().at(2).writtenBefore(TREE, 1)).hasSize(2);
        });
    }

    @Test
    void theLaterOfTwoThatDidNotSeeEachOtherIsRefused() {
        run(() -> {
            Domain one = domain("one");
            Domain other = domain("other");
            one.refresh();
            other.refresh();
            var unused = one.commit(put(0, "a"));
            assertThatThrownBy(() -> other.commit(put(0, "a")))
                    .isInstanceOf(ConflictException.class)
                    .hasMessageContaining("conflict=KEY");
            // It has read on meanwhile:
            assertThat(other.commit(put(1, "a")).position()).isEqualTo(2);
        });
    }

    @Test
    void whatGathersDuringAPutTravelsTogether() {
        run(() -> {
            Domain one = domain("one");
            one.refresh();
            List<Task<Domain.Committed>> all = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                String key = "k" + i;
                all.add(machine("one").fork("commit", () -> one.commit(put(0, key))));
            }
            assertThat(all.stream().map(task -> task.join().position()).distinct())
                    .hasSizeLessThanOrEqualTo(3);
        });
    }

    @Test
    void checkpointAppliesTheNewestOfEachKeyAndMovesTheHorizon() {
        run(() -> {
            Domain one = domain("one");
            one.refresh();
            for (int i = 0; i < 3; i++) {
                var unused = one.commit(put(i, "a"));
            }
            assertThat(one.pendingSegments()).isEqualTo(3);
            assertThat(one.oldestPending()).isPresent();
            CheckpointReport progress = one.checkpoint();
            assertThat(progress)
                    .isEqualTo(CheckpointReport.ofRecords(1, 1, 0, 0).ofMessages(3));
            assertThat(applied)
                    .singleElement()
                    .matches(record -> record.change().stamp().equals(one.tail().tipStamp()));
            assertThat(one.horizon()).isEqualTo(3);
            assertThat(one.checkpoint()).isEqualTo(CheckpointReport.NONE);
            // A new client begins there.
            Domain other = domain("other");
            other.refresh();
            assertThat(other.tail().tip()).isEqualTo(3);
            assertThat(other.tail().bytes()).isZero();
        });
    }

    @Test
    void segmentsLeaveTheTailWhenPagesShowThem() {
        run(() -> {
            Domain one = domain("one");
            one.refresh();
            var first = one.commit(put(0, "a"));
            Pin pin = one.pin(true);
            var second = one.commit(put(1, "b"));
            var progress = one.checkpoint();
            machine("one").sleep(KEEP);
            var third = one.commit(put(2, "c"));
            assertThat(one.tail().at(3).find(TREE, key("a"))).isNull();
            // An open transaction can still be checked against what came after its snapshot.
            assertThat(pin.view().isTooOld()).isFalse();
            assertThat(one.tail().at(3).find(TREE, key("b"))).isNotNull();
            pin.close();
            var fourth = one.commit(put(3, "d"));
            assertThat(one.tail().at(4).find(TREE, key("b"))).isNull();
            assertThatThrownBy(() -> pin.view().find(TREE, key("b"))).hasMessageContaining("TOO_OLD");
            assertThatThrownBy(() -> one.commit(put(1, "e"))).hasMessageContaining("TOO_OLD");
        });
    }

    @Test
    void aDamagedAForeignAndAMissingSegmentAreNamed() {
        run(() -> {
            Domain one = domain("one");
            one.refresh();
            for (int i = 0; i < 3; i++) {
                var unused = one.commit(put(i, "a"));
            }
            String first = "p/log/d/0000000000000001";
            String second = "p/log/d/0000000000000002";
            Bytes good = cloud.newest(second).orElseThrow().body();
            var damaged = cloud.replace(second, good.slice(0, good.length() - 1));
            assertNamed("damaged", second);
            var foreign =
                    cloud.replace(second, cloud.newest(first).orElseThrow().body());
            assertNamed("foreign", second);
            objects().delete(second);
            assertNamed("missing", second);
            var mended = cloud.replace(second, good);
            domain("mended").refresh();
            objects().delete(first);
            assertNamed("first", first);
        });
    }

    @Test
    void aHorizonThatIsNotThatOfTheLogIsNamed() {
        run(() -> {
            Domain one = domain("one");
            one.refresh();
            var unused = one.commit(put(0, "a"));
            var progress = one.checkpoint();
            objects().delete("p/log/d/0000000000000001");
            assertNamed("beyond", "p/log/d/0000000000000001");
            var broken = cloud.replace("p/domains/d", Bytes.utf8("no horizon"));
            assertNamed("broken", "p/domains/d");
        });
    }

    private void assertNamed(String client, String object) {
        assertThatThrownBy(() -> domain(client).refresh())
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(object);
    }

    @Test
    void whatFitsNoSegmentIsRefused() {
        run(() -> {
            Domain one = domain("one");
            one.refresh();
            Intent large = new Intent(
                    new TransactionId(new ClientId(1), 1),
                    0,
                    new ReadSet(),
                    List.of(new LogRecord(
                            TREE, new RecordChange.Put(key("k"), Bytes.wrap(new byte[5 << 20]), Stamp.ZERO))));
            assertThatThrownBy(() -> one.commit(large)).isInstanceOf(InvalidRequestException.class);
            Intent empty = new Intent(large.id(), 0, new ReadSet(), List.of());
            assertThatThrownBy(() -> one.commit(empty)).isInstanceOf(InvalidRequestException.class);
        });
        assertThatThrownBy(() -> Domains.requireName("a/b")).isInstanceOf(InvalidRequestException.class);
    }

    /** A message that comes again when nobody remembers whether its transaction is in the log. */
    @Test
    void whatWasHandedInIsNotPutWhenItIsLate() {
        run(() -> {
            Domain one = domain("one", true, Limits.of(KEEP, Duration.ofDays(30), BUDGET));
            one.refresh();
            Intent intent = blind(put(0, "a"));
            var first = one.commit(intent);
            Bytes message = HandedIn.encode("d", List.of(HandedIn.at(intent, 0, Duration.ZERO)));
            var progress = one.checkpoint();
            machine("one").sleep(KEEP);
            var second = one.commit(put(1, "b"));
            var sent = intake(machine("main")).send(List.of(message));
            var third = one.commit(put(2, "c"));
            machine("one").sleep(Duration.ofSeconds(10));
            assertThat(one.tail().tip()).isEqualTo(3);
        });
    }

    /** The same transaction comes from the intake, from the intake again, and from its own client. */
    @Test
    void whatWasHandedInIsPutOnce() {
        run(() -> {
            Domain one = domain("one", true, Limits.of(KEEP, Duration.ofDays(30), BUDGET));
            one.refresh();
            var first = one.commit(put(0, "a"));
            Bytes message = HandedIn.encode("d", List.of(HandedIn.at(blind(put(1, "b")), 1, Duration.ZERO)));
            var sent = intake(machine("main")).send(List.of(message, message));
            machine("one").sleep(Duration.ofSeconds(1));
            var third = one.commit(put(1, "c"));
            machine("one").sleep(Duration.ofSeconds(10));
            var again = intake(machine("main")).send(List.of(message));
            var fourth = one.commit(put(one.tail().tip(), "d"));
            machine("one").sleep(Duration.ofSeconds(10));
            assertThat(one.tail().at(9).find(TREE, key("b"))).isNotNull();
            assertThat(one.tail().kept(0, 9).stream()
                            .flatMap(kept -> kept.segment().records().stream())
                            .filter(record -> record.change().key().equals(key("b"))))
                    .hasSize(1);
        });
    }

    @Test
    void messagesOfTheIntakeAreReadAgain() {
        HandedIn handedIn = HandedIn.at(put(3, "a"), 5, Duration.ofMillis(7));
        Bytes message = HandedIn.encode("d", List.of(handedIn));
        HandedIn read = HandedIn.decode(message, "d").getFirst();
        assertThat(read.intent().id()).isEqualTo(handedIn.intent().id());
        assertThat(read.intent().writes()).isEqualTo(handedIn.intent().writes());
        assertThat(List.of(read.born(), read.until(), read.intent().snapshot()))
                .containsExactly(5L, handedIn.until(), 3L);
        assertThat(read.begunNanos(8_000_000)).isEqualTo(1_000_000);
        assertThat(read.mayFollow(5, 5)).isTrue();
        assertThat(read.mayFollow(6, 6)).isFalse();
        assertThat(read.mayFollow(5, read.until())).isFalse();
        assertThat(read.mayFollow(4, 4)).isFalse();
        assertThatThrownBy(() -> HandedIn.decode(message, "e")).isInstanceOf(CorruptDataException.class);
    }
}
