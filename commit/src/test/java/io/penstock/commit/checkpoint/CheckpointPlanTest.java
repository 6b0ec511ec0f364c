package io.penstock.commit.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.commit.checkpoint.CheckpointPlan.Received;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.Receipt;
import io.penstock.core.record.RecordChange;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CheckpointPlanTest {
    private static final ClientId A = new ClientId(1);
    private static final ClientId B = new ClientId(2);
    private static final long NOW = 1_000_000;
    private static final long HOLE_BEFORE = NOW - 1000;
    private static final long OLD = NOW - 5000;
    private static final long OVERDUE_BEFORE = NOW - 10_000;
    private static final CheckpointPlan.Times TIMES = new CheckpointPlan.Times(NOW, HOLE_BEFORE, OVERDUE_BEFORE);

    private int deliveries;

    @Test
    void inOrderWhateverTheOrderOfArrival() {
        CheckpointPlan plan =
                plan(Ledger.EMPTY, Set.of(), message(A, 3, 2, NOW), message(B, 1, 1, NOW), message(A, 1, 2, NOW));
        assertThat(plan.toApply()).hasSize(5);
        assertThat(plan.done()).hasSize(3);
        assertThat(plan.heldBack()).isEmpty();
        assertThat(plan.ledger().covers(A, 1, 4)).isTrue();
        assertThat(plan.ledger().covers(B, 1, 1)).isTrue();
    }

    @Test
    void whatLiesBehindAHoleIsHeldBack() {
        Received late = message(A, 4, 1, OLD);
        CheckpointPlan plan = plan(Ledger.EMPTY, Set.of(), message(A, 1, 2, NOW), late);
        assertThat(plan.toApply()).hasSize(2);
        assertThat(plan.heldBack()).containsExactly(late);
        assertThat(plan.ledger().covers(A, 1, 2)).isTrue();
        assertThat(plan.ledger().of(A).highest()).isEqualTo(2);
        assertThat(plan.awaited()).containsExactly(A);
    }

    @Test
    void aHoleOfADeadClientIsSkippedWhenOldEnough() {
        CheckpointPlan young = plan(Ledger.EMPTY, Set.of(A), message(A, 4, 1, NOW));
        assertThat(young.heldBack()).hasSize(1);
        CheckpointPlan old = plan(Ledger.EMPTY, Set.of(A), message(A, 4, 1, OLD), message(B, 2, 1, OLD));
        assertThat(old.toApply()).hasSize(1);
        assertThat(old.heldBack()).hasSize(1);
        assertThat(old.ledger().of(A).holes()).containsExactly(new Ledger.Hole(1, 3));
    }

    @Test
    void aLateRecordFillsAHoleAndIsApplied() {
        Ledger skipped = plan(Ledger.EMPTY, Set.of(A), message(A, 4, 2, OLD)).ledger();
        CheckpointPlan late = plan(skipped, Set.of(), message(A, 2, 1, NOW));
        assertThat(late.toApply()).hasSize(1);
        assertThat(late.ledger().covers(A, 2, 2)).isTrue();
        assertThat(late.ledger().covers(A, 1, 1)).isFalse();
        CheckpointPlan again = plan(late.ledger(), Set.of(), message(A, 2, 1, NOW));
        assertThat(again.repeated()).isEqualTo(1);
        assertThat(again.done()).hasSize(1);
    }

    /** The first message of a renewed id waits for the last one under the old, which a dead checkpoint may hide. */
    @Test
    void aRenewedIdWaitsForItsPredecessor() {
        // A sorts before B and is the new id, so it also waits for what the same checkpoint has received.
        Received renewed = renewed(A, new PuMessage.Predecessor(B, 3), 2);
        Received second = message(A, 3, 1, OLD);
        Ledger two = plan(Ledger.EMPTY, Set.of(), message(B, 1, 2, OLD)).ledger();
        CheckpointPlan alone = plan(two, Set.of(), renewed, second);
        assertThat(alone.heldBack()).containsExactlyInAnyOrder(renewed, second);
        assertThat(alone.awaited()).contains(B);
        CheckpointPlan together = plan(two, Set.of(), renewed, second, message(B, 3, 1, OLD));
        assertThat(together.toApply()).hasSize(4);
        assertThat(together.heldBack()).isEmpty();
        assertThat(together.ledger().covers(A, 1, 3)).isTrue();
        assertThat(plan(two, Set.of(B), renewed, second).heldBack()).isEmpty();
        assertThat(plan(together.ledger(), Set.of(), renewed).repeated()).isEqualTo(1);
    }

    @Test
    void aPredecessorIsAwaitedForAWhileOnly() {
        Received first = renewed(A, new PuMessage.Predecessor(B, 3), 1);
        assertThat(plan(Ledger.EMPTY, Set.of(), first).heldBack()).hasSize(1);
        Received overdue =
                new Received(new Delivery("m", new Receipt("m"), Bytes.EMPTY, OVERDUE_BEFORE - 1, 5), first.message());
        CheckpointPlan plan = plan(Ledger.EMPTY, Set.of(), overdue);
        assertThat(plan.toApply()).hasSize(1);
        assertThat(plan.outOfOrder()).isEqualTo(1);
    }

    /** A clone of a client counts by the same numbers. What it had committed was taken for a repeat, and was lost. */
    @Test
    void whatTheLedgerCoversIsAppliedAllTheSame() {
        Ledger before = plan(Ledger.EMPTY, Set.of(), message(A, 1, 3, NOW)).ledger();
        CheckpointPlan plan =
                plan(before, Set.of(), message(A, 1, 3, NOW), message(A, 4, 1, NOW), message(A, 4, 1, NOW));
        assertThat(plan.toApply()).hasSize(5);
        assertThat(plan.repeated()).isEqualTo(2);
        assertThat(plan.done()).hasSize(3);
        assertThat(plan.ledger().of(A).highest()).isEqualTo(4);
    }

    @Test
    void aRepeatThatIsTooOldGoesIntoQuarantine() {
        Ledger before = plan(Ledger.EMPTY, Set.of(), message(A, 1, 3, NOW)).ledger();
        Received repeat = message(A, 1, 3, NOW);
        Received old = new Received(repeat.delivery(), repeat.message(), Optional.of("too old"));
        CheckpointPlan plan = plan(before, Set.of(), old);
        assertThat(plan.toApply()).isEmpty();
        assertThat(plan.refused()).containsExactly(old);
        assertThat(plan.done()).containsExactly(old.delivery());
        assertThat(plan.ledger()).isEqualTo(before);
    }

    @Test
    void unorderedMessagesAreAlwaysApplied() {
        CheckpointPlan plan = plan(Ledger.EMPTY, Set.of(), message(A, 0, 2, NOW), message(A, 0, 2, NOW));
        assertThat(plan.toApply()).hasSize(4);
        assertThat(plan.done()).hasSize(2);
        assertThat(plan.ledger()).isEqualTo(Ledger.EMPTY);
    }

    /**
     * However messages are lost, repeated, split over checkpoints and shuffled: each is applied, the client's in order.
     */
    @Test
    void anyHistoryAppliesEveryRecordAndKeepsOrder() {
        for (long seed = 1; seed <= 400; seed++) {
            Random random = new Random(seed);
            List<Received> sent = new ArrayList<>();
            long next = 1;
            for (int i = 0; i < 12; i++) {
                int count = 1 + random.nextInt(3);
                sent.add(message(A, next, count, NOW));
                next += count;
            }
            List<Received> queue = new ArrayList<>(sent);
            Ledger ledger = Ledger.EMPTY;
            Set<Long> applied = new HashSet<>();
            for (int round = 0; round < 200 && !queue.isEmpty(); round++) {
                Collections.shuffle(queue, random);
                List<Received> seen = new ArrayList<>(queue.subList(0, 1 + random.nextInt(queue.size())));
                if (random.nextInt(3) == 0) {
                    seen.add(sent.get(random.nextInt(sent.size())));
                }
                CheckpointPlan plan = CheckpointPlan.of(ledger, seen, Set.of(), TIMES);
                plan.toApply().forEach(record -> applied.add(number(record)));
                for (long number : applied) {
                    assertThat(number == 1 || applied.contains(number - 1))
                            .as("seed=%d number=%d", seed, number)
                            .isTrue();
                }
                if (random.nextInt(4) != 0) { // else: the checkpoint failed before its ledger
                    ledger = plan.ledger();
                    queue.removeIf(r -> plan.done().contains(r.delivery()));
                }
            }
            assertThat(queue).as("seed=%d", seed).isEmpty();
            assertThat(applied).as("seed=%d", seed).hasSize((int) next - 1);
        }
    }

    /** The ledger is copied once for a plan, not once for each message: that took seconds. */
    @Test
    void aPlanOverALargeLedgerCopiesItOnce() {
        Ledger before = CheckpointDecider.ledgerOf(30_000);
        List<Received> received = new ArrayList<>();
        for (int id = 1; id <= 200; id++) {
            received.add(message(new ClientId(id), 4, 1, NOW));
        }
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = threads.getCurrentThreadAllocatedBytes();
        CheckpointPlan plan = CheckpointPlan.of(before, received, Set.of(), TIMES);
        allocated = threads.getCurrentThreadAllocatedBytes() - allocated;
        assertThat(plan.done()).hasSize(200);
        assertThat(plan.ledger().covers(new ClientId(200), 4, 4)).isTrue();
        assertThat(allocated).as("bytes").isLessThan(10_000_000);
    }

    private static long number(LogRecord record) {
        return Long.parseLong(record.change().key().toUtf8());
    }

    private static CheckpointPlan plan(Ledger before, Set<ClientId> hopeless, Received... received) {
        return CheckpointPlan.of(before, List.of(received), hopeless, TIMES);
    }

    private Received renewed(ClientId client, PuMessage.Predecessor after, int count) {
        Received plain = message(client, 1, count, OLD);
        return new Received(
                plain.delivery(),
                new PuMessage(client, 1, after, plain.message().records()));
    }

    private Received message(ClientId client, long first, int count, long sentMillis) {
        List<LogRecord> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Stamp stamp = Stamp.of(first + i, 0, client);
            records.add(new LogRecord(
                    new TreeId(1), new RecordChange.Put(Bytes.utf8(String.valueOf(first + i)), Bytes.EMPTY, stamp)));
        }
        PuMessage message = new PuMessage(client, first, records);
        String id = "m" + deliveries++;
        return new Received(new Delivery(id, new Receipt(id), message.encode(), sentMillis, 1), message);
    }
}
