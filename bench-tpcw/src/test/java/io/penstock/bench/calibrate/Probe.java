package io.penstock.bench.calibrate;

import io.penstock.bench.program.Benchmark;
import io.penstock.core.Bytes;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.Receipt;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import io.penstock.testkit.CloudCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A client of bare objects and of one queue that does {@link Load loads} and takes the time of each call. It runs on a
 * real cloud and on a simulated one. For one thread, but {@link #stop} may come from any.
 */
final class Probe {
    private static final Duration HIDDEN = Duration.ofMinutes(10);
    /** So long that all servers of a queue are asked. */
    private static final Duration WAIT = Duration.ofSeconds(1);

    private static final int LISTED = 64;
    private static final int RANGE_AT = 4 << 10;

    private final ObjectStore objects;
    private final @Nullable MessageQueue queue;
    private final Tasks tasks;
    private final String prefix;
    private final Queue<Receipt> received = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;

    /** @param prefix of the keys of all objects */
    Probe(ObjectStore objects, @Nullable MessageQueue queue, Tasks tasks, String prefix) {
        this.objects = objects;
        this.queue = queue;
        this.tasks = tasks;
        this.prefix = prefix;
    }

    /** One call. */
    @FunctionalInterface
    private interface Work {
        /** Returns whether there was anything to call for. */
        boolean call(int worker, int number);
    }

    /** The writes of {@link #prepare} and of a round of loads that nobody measures. */
    static int writesBeside(List<Load> loads) {
        int seeds = loads.stream()
                .filter(load -> load.call() == CloudCall.PUT_MATCH)
                .mapToInt(Load::underWay)
                .sum();
        return LISTED + Load.SIZES.size() + 1 + seeds;
    }

    /** Makes the objects that are read and listed. */
    void prepare() {
        for (int i = 0; i < LISTED; i++) {
            put("list/" + i, 1);
        }
        Load.SIZES.forEach(bytes -> put("get/" + bytes, bytes));
        put("large", RANGE_AT + Load.SIZES.getLast());
    }

    private ObjectVersion put(String key, int bytes) {
        return objects.put(prefix + key, body(bytes), WriteCondition.ALWAYS).version();
    }

    private Bytes body(int bytes) {
        byte[] body = new byte[bytes];
        tasks.random().nextBytes(body);
        return Bytes.wrap(body);
    }

    /** Ends the measurement soon: with a failure. */
    void stop() {
        stopped = true;
    }

    /**
     * Returns the milliseconds of the calls, but for the first ones: they make connections, and too few are under way.
     *
     * @throws Benchmark.FailedException when it was stopped
     */
    Collection<Double> measure(Load load) {
        Work work = work(load);
        AtomicInteger begun = new AtomicInteger();
        Queue<Double> millis = new ConcurrentLinkedQueue<>();
        List<Task<Boolean>> workers = new ArrayList<>();
        for (int i = 0; i < load.underWay(); i++) {
            int worker = i;
            workers.add(tasks.start("probe", () -> {
                for (int n = begun.getAndIncrement(); n < load.requests() && !stopped; n = begun.getAndIncrement()) {
                    long start = tasks.nanoTime();
                    boolean called = work.call(worker, n);
                    if (called && n >= load.underWay()) {
                        millis.add((tasks.nanoTime() - start) / 1e6);
                    }
                }
            }));
        }
        workers.forEach(Task::join);
        if (stopped) {
            throw new Benchmark.FailedException("interrupted");
        }
        if (load.call() == CloudCall.PUT_ABSENT && load.bytes() > Load.SIZES.getFirst()) {
            objects.deleteAll(ObjectStores.listAll(objects, prefix + "absent/").stream()
                    .map(Listing.Entry::key)
                    .toList());
        }
        return millis;
    }

    private Work work(Load load) {
        int bytes = load.bytes();
        return switch (load.call()) {
            case PUT_ABSENT -> {
                Bytes body = body(bytes);
                yield (worker, n) -> objects.put(prefix + "absent/" + n, body, WriteCondition.IF_ABSENT) != null;
            }
            case PUT_MATCH -> match(load);
            case GET -> (worker, n) -> objects.get(prefix + "get/" + bytes).isPresent();
            case RANGE ->
                (worker, n) ->
                        objects.getRange(prefix + "large", RANGE_AT, bytes).isPresent();
            case MISS -> (worker, n) -> objects.get(prefix + "none").isEmpty();
            case REMOVE ->
                (worker, n) -> {
                    objects.delete(prefix + "absent/" + n);
                    return true;
                };
            case LIST ->
                (worker, n) -> !objects.list(prefix + "list/", "", ObjectStores.LIST_LIMIT)
                        .entries()
                        .isEmpty();
            default -> queueWork(load);
        };
    }

    /** Each worker has an object of its own. */
    private Work match(Load load) {
        Bytes body = body(load.bytes());
        ObjectVersion[] versions = new ObjectVersion[load.underWay()];
        for (int i = 0; i < versions.length; i++) {
            versions[i] = put("match/" + i, load.bytes());
        }
        return (worker, n) -> {
            WriteCondition condition = WriteCondition.ifVersion(versions[worker]);
            versions[worker] =
                    objects.put(prefix + "match/" + worker, body, condition).version();
            return true;
        };
    }

    private Work queueWork(Load load) {
        MessageQueue with = Objects.requireNonNull(queue);
        return switch (load.call()) {
            case SEND -> {
                List<Bytes> message = List.of(body(load.bytes()));
                yield (worker, n) -> !with.send(message).isEmpty();
            }
            case RECEIVE ->
                (worker, n) -> {
                    List<Delivery> found = with.receive(1, HIDDEN, WAIT);
                    found.forEach(delivery -> received.add(delivery.receipt()));
                    return !found.isEmpty();
                };
            case ACKNOWLEDGE ->
                (worker, n) -> {
                    Receipt receipt = received.poll();
                    return receipt != null && with.delete(List.of(receipt)).isEmpty();
                };
            default -> throw new IllegalArgumentException("nobody measures " + load.call());
        };
    }
}
