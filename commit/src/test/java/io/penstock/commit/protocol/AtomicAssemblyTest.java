package io.penstock.commit.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.commit.log.AtomicMessage;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.Receipt;
import io.penstock.core.record.RecordChange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AtomicAssemblyTest {
    private static final ClientId CLIENT = new ClientId(1);

    private final AtomicAssembly assembly = new AtomicAssembly(Long.MAX_VALUE);
    private int deliveries;

    @Test
    void aTransactionInOneMessageWins() {
        add("m1", 0, part(1, 0, 1));
        assertThat(assembly.winners()).extracting(AtomicAssembly.Winner::stamp).containsExactly(stamp(1));
        assertThat(assembly.takeDeletable()).isEmpty();
        assembly.settle(stamp(1));
        assertThat(assembly.winners()).isEmpty();
        assertThat(assembly.takeDeletable()).hasSize(1);
        assertThat(assembly.takeDeletable()).isEmpty();
    }

    @Test
    void partsComeInAnyOrderAndMoreThanOnce() {
        for (long seed = 1; seed <= 100; seed++) {
            Random random = new Random(seed);
            AtomicAssembly fresh = new AtomicAssembly(Long.MAX_VALUE);
            int count = 2 + random.nextInt(6);
            List<Integer> order = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                order.add(i);
                if (random.nextBoolean()) {
                    order.add(i);
                }
            }
            Collections.shuffle(order, random);
            List<Integer> seen = new ArrayList<>();
            for (int index : order) {
                boolean whole = seen.stream().distinct().count() == count;
                assertThat(fresh.winners()).as("seed=%d", seed).hasSize(whole ? 1 : 0);
                fresh.add(delivery("m" + index, 0), new AtomicMessage(List.of(part(1, index, count))));
                seen.add(index);
            }
            List<AtomicAssembly.Winner> winners = fresh.winners();
            assertThat(winners).as("seed=%d", seed).hasSize(1);
            assertThat(winners.getFirst().records())
                    .as("seed=%d", seed)
                    .extracting(record -> record.change().key().toUtf8())
                    .containsExactlyElementsOf(java.util.stream.IntStream.range(0, count)
                            .mapToObj(i -> "1-" + i)
                            .toList());
            fresh.settle(stamp(1));
            assertThat(fresh.takeDeletable()).as("seed=%d", seed).hasSize(count);
        }
    }

    @Test
    void aMessageOfSeveralTransactionsStaysUntilAllAreSettled() {
        add("m1", 0, part(1, 0, 1), part(2, 0, 2));
        add("m2", 0, part(2, 1, 2), part(3, 0, 1));
        assertThat(assembly.winners())
                .extracting(AtomicAssembly.Winner::stamp)
                .containsExactly(stamp(1), stamp(2), stamp(3));
        assembly.settle(stamp(1));
        assembly.settle(stamp(3));
        assertThat(assembly.takeDeletable()).isEmpty();
        assembly.settle(stamp(2));
        assertThat(assembly.takeDeletable()).hasSize(2);
    }

    @Test
    void whatLacksPartsIsUndecided() {
        add("m1", 100, part(1, 0, 2));
        add("m2", 900, part(2, 0, 2));
        add("m3", 100, part(3, 0, 3));
        add("m4", 900, part(3, 1, 3));
        assertThat(assembly.winners()).isEmpty();
        assertThat(assembly.undecided()).containsExactlyInAnyOrder(stamp(1), stamp(2), stamp(3));
        add("m5", 100, part(2, 1, 2));
        assertThat(assembly.winners()).extracting(AtomicAssembly.Winner::stamp).containsExactly(stamp(2));
        assembly.settle(stamp(2));
        assertThat(assembly.undecided()).containsExactlyInAnyOrder(stamp(1), stamp(3));
        assertThat(assembly.takeDeletable()).as("the parts of what is settled").hasSize(2);
    }

    @Test
    void aRepeatOfWhatIsSettledIsOnlyDeleted() {
        add("m1", 0, part(1, 0, 1));
        assembly.settle(stamp(1));
        assembly.takeDeletable();
        add("m1", 0, part(1, 0, 1));
        assertThat(assembly.winners()).isEmpty();
        assertThat(assembly.takeDeletable()).hasSize(1);
    }

    @Test
    void theNewestReceiptOfAMessageCounts() {
        assembly.add(new Delivery("m", new Receipt("first"), Bytes.EMPTY, 0, 1), message(part(1, 0, 1)));
        assembly.add(new Delivery("m", new Receipt("second"), Bytes.EMPTY, 0, 2), message(part(1, 0, 1)));
        assembly.settle(stamp(1));
        assertThat(assembly.takeDeletable()).containsExactly(new Receipt("second"));
    }

    private void add(String id, long sentMillis, AtomicMessage.Part... parts) {
        assembly.add(delivery(id, sentMillis), message(parts));
    }

    private Delivery delivery(String id, long sentMillis) {
        return new Delivery(id, new Receipt(id + ":" + deliveries++), Bytes.EMPTY, sentMillis, 1);
    }

    private static AtomicMessage message(AtomicMessage.Part... parts) {
        return new AtomicMessage(List.of(parts));
    }

    private static Stamp stamp(long time) {
        return new Stamp(time, CLIENT);
    }

    private static AtomicMessage.Part part(long time, int index, int count) {
        LogRecord record = new LogRecord(
                new TreeId(1), new RecordChange.Put(Bytes.utf8(time + "-" + index), Bytes.EMPTY, stamp(time)));
        return new AtomicMessage.Part(stamp(time), index, count, List.of(record));
    }
}
