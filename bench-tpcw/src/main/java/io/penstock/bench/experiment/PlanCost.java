package io.penstock.bench.experiment;

import io.penstock.commit.checkpoint.CheckpointPlan;
import io.penstock.commit.checkpoint.Ledger;
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
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

/** The processor time of a checkpoint plan, by the production code's own decision. */
final class PlanCost {
    private static final long NUMBERS = 3;
    private static final int RUNS = 200;
    private static final long NOW = 1_000_000;

    private final Ledger before;
    private final List<CheckpointPlan.Received> received;

    /** @param ids in the ledger, one message of each of the first {@code messages} is planned */
    PlanCost(int ids, int messages) {
        Ledger.Draft draft = new Ledger.Draft(Ledger.EMPTY);
        LongStream.rangeClosed(1, ids)
                .forEach(id -> draft.put(new ClientId(id), new Ledger.Progress(NUMBERS, List.of(), 1)));
        before = draft.build();
        received = LongStream.rangeClosed(1, messages)
                .mapToObj(id -> message(new ClientId(id)))
                .toList();
    }

    private static CheckpointPlan.Received message(ClientId client) {
        RecordChange change =
                new RecordChange.Put(Bytes.utf8(client.hex()), Bytes.EMPTY, Stamp.of(NUMBERS + 1, 0, client));
        PuMessage message = new PuMessage(client, NUMBERS + 1, List.of(new LogRecord(new TreeId(1), change)));
        Delivery delivery = new Delivery(client.hex(), new Receipt(client.hex()), message.encode(), NOW, 1);
        return new CheckpointPlan.Received(delivery, message);
    }

    /** The median of some runs, the first of which are slower than in a program that has run for a while. */
    double millis() {
        return LongStream.range(0, RUNS)
                        .map(run -> nanos())
                        .sorted()
                        .skip(RUNS / 2)
                        .findFirst()
                        .orElseThrow()
                / 1e6;
    }

    private long nanos() {
        long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        CheckpointPlan plan =
                CheckpointPlan.of(before, received, Set.of(), new CheckpointPlan.Times(NOW, NOW - 1, NOW - 2));
        long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
        if (plan.done().size() != received.size()) {
            throw new IllegalStateException("not everything is planned");
        }
        return nanos;
    }
}
