package io.penstock.commit.session;

import io.penstock.commit.checkpoint.LedgerStore;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.protocol.StampedForTests;
import io.penstock.commit.protocol.StampedTransaction;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.memory.ByteBudget;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PageManager;
import io.penstock.core.record.RecordChange;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Three threads of one session commit, read and sweep, under stress. Transactions with an odd number are applied
 * from the beginning, so that a sweep drops them some time; the others must stay.
 */
@Tag("long")
@Param(name = "key", gen = IntGen.class, conf = "1:2")
@Param(name = "number", gen = IntGen.class, conf = "1:4")
public class OverlayLincheckTest {
    private static final TreeId TREE = new TreeId(1);
    private static final BufferPool POOL = new BufferPool(1 << 20, Duration.ZERO);
    private static final LedgerStore NO_LEDGERS = ledgers();

    private final Overlay overlay =
            new Overlay(NO_LEDGERS, POOL, new ByteBudget(Long.MAX_VALUE), tree -> Stream.empty());

    /** The newest transaction that each page shows, of those with odd numbers: they are applied when they come. */
    private final Map<Integer, Long> pages = new ConcurrentHashMap<>();

    private static LedgerStore ledgers() {
        InlineTasks tasks = new InlineTasks(1);
        PageManager pages = new PageManager(new MemoryObjectStore(), POOL, tasks, "");
        return new LedgerStore(pages, tasks);
    }

    private static Bytes name(int key) {
        return Bytes.utf8("k" + key);
    }

    @Operation
    public void add(@Param(name = "key") int key, @Param(name = "number") int number) {
        Stamp stamp = Stamp.of(number, 0, new ClientId(1));
        RecordChange change = new RecordChange.Put(name(key), Bytes.EMPTY, stamp);
        StampedTransaction committed = new StampedTransaction(stamp, List.of(new LogRecord(TREE, change)));
        if (number % 2 == 1) {
            StampedForTests.needsNothing(committed);
            pages.merge(key, (long) number, Math::max);
        }
        overlay.add(committed);
    }

    /** The number of the newest transaction that wrote the key, on the page or, read first, in the overlay. */
    @Operation
    public long find(@Param(name = "key") int key) {
        RecordChange found = overlay.find(TREE, name(key));
        long number = found == null ? 0 : found.stamp().millis();
        return Math.max(number, pages.getOrDefault(key, 0L));
    }

    @Operation
    public void sweep() {
        overlay.sweep(() -> 1);
        overlay.sweep(() -> 2);
    }

    /** The overlay and pages as one thread would see them: the newest added transaction, wherever it is by now. */
    public static class Sequential {
        private final Map<Integer, Integer> newest = new TreeMap<>();

        public void add(int key, int number) {
            newest.merge(key, number, Math::max);
        }

        public long find(int key) {
            return newest.getOrDefault(key, 0);
        }

        public void sweep() {
            // Whether a page or the overlay shows what is applied, is the same.
        }
    }

    @Test
    void whatNoPageShowsIsFoundUntilOneDoes() {
        new StressOptions()
                .sequentialSpecification(Sequential.class)
                .minimizeFailedScenario(false)
                .iterations(10)
                .invocationsPerIteration(2000)
                .actorsBefore(1)
                .actorsAfter(2)
                .threads(3)
                .actorsPerThread(3)
                .check(OverlayLincheckTest.class);
    }
}
