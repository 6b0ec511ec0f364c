package io.penstock.commit.protocol;

import io.penstock.core.Bytes;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueConfiguration;
import io.penstock.core.queue.QueueDepth;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.queue.Receipt;
import io.penstock.core.queue.SendResult;
import io.penstock.core.task.ThreadTasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Three threads send through one ordered sender: each gets the numbers that it would get if the calls came one after
 * the other, and its items have arrived by then, with those numbers. Under stress, not by trying all orders: waiting
 * for a promise makes too many of them.
 */
@Tag("long")
@Param(name = "items", gen = IntGen.class, conf = "1:3")
public class GroupSenderLincheckTest {
    private static final ThreadTasks TASKS = new ThreadTasks();

    /** Two messages a call, of two items each: a call holds what several callers have. */
    private static final QueueLimits LIMITS = new QueueLimits(2, 1024, 1024);

    private final Arrivals arrivals = new Arrivals();
    private final GroupSender<Integer> sender = new GroupSender<>(TASKS, arrivals, () -> LIMITS, new TwoEach(), 1);

    /** The first and the last number, with which the items must have arrived. */
    @Operation
    public String send(@Param(name = "items") int items) {
        try {
            GroupSender.Range range = sender.send(Collections.nCopies(items, items));
            return range.first() + "-" + range.last() + (arrivals.has(range, items) ? "" : " not there");
        } catch (StoreException failure) {
            return "failed";
        }
    }

    /** The sender as one thread would see it. */
    public static class Sequential {
        private int sent;

        public String send(int items) {
            sent += items;
            return (sent - items + 1) + "-" + sent;
        }
    }

    private record TwoEach() implements MessageFormat<Integer> {
        @Override
        public int overheadBytesMax() {
            return 1;
        }

        @Override
        public int bytesMax(Integer item) {
            return 1;
        }

        @Override
        public int itemsMax() {
            return 2;
        }

        @Override
        public Bytes encode(long first, List<Integer> items) {
            byte[] bytes = new byte[1 + items.size()];
            bytes[0] = (byte) first;
            for (int i = 0; i < items.size(); i++) {
                bytes[i + 1] = items.get(i).byteValue();
            }
            return Bytes.wrap(bytes);
        }
    }

    /** A queue that keeps what it gets by its number. No lock around a call: the sender has one under way. */
    private static final class Arrivals implements MessageQueue {
        private final List<Integer> byNumber = new CopyOnWriteArrayList<>();

        boolean has(GroupSender.Range range, int items) {
            boolean all = range.last() <= byNumber.size();
            for (int at = (int) range.first() - 1; all && at < range.last(); at++) {
                all = byNumber.get(at) == items;
            }
            return all;
        }

        @Override
        public List<SendResult> send(List<Bytes> bodies) {
            List<SendResult> results = new ArrayList<>();
            for (Bytes body : bodies) {
                byte[] bytes = body.toArray();
                if (bytes[0] != byNumber.size() + 1) {
                    throw new UnavailableException("numbers out of order");
                }
                for (int i = 1; i < bytes.length; i++) {
                    byNumber.add((int) bytes[i]);
                }
                results.add(new SendResult.Sent("id"));
            }
            return results;
        }

        @Override
        public String name() {
            return "q";
        }

        @Override
        public List<Delivery> receive(int max, Duration visibility, Duration wait) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<Receipt> delete(List<Receipt> receipts) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void changeVisibility(Receipt receipt, Duration visibility) {
            throw new UnsupportedOperationException();
        }

        @Override
        public QueueDepth depth() {
            throw new UnsupportedOperationException();
        }

        @Override
        public QueueConfiguration configuration() {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void numbersFollowTheOrderOfSending() {
        new StressOptions()
                .sequentialSpecification(Sequential.class)
                .minimizeFailedScenario(false)
                .iterations(10)
                .invocationsPerIteration(500)
                .actorsBefore(0)
                .actorsAfter(1)
                .threads(3)
                .actorsPerThread(3)
                .check(GroupSenderLincheckTest.class);
    }
}
