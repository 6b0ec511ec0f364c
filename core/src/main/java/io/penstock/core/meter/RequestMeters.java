package io.penstock.core.meter;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.penstock.core.task.Timekeeper;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one part of the system (a transaction's path, the checkpointer's, ...), all tagged {@code part}:
 *
 * <ul>
 *   <li>{@code penstock.requests} by {@code op}: requests sent, each attempt of a retried one by itself, failed or not
 *   <li>{@code penstock.request.duration} by {@code op}: how long calls took
 *   <li>{@code penstock.bytes} by {@code direction} and {@code service}: bodies of objects and messages, without keys,
 *       protocol and encoding; {@code in} to the servers, {@code out} from them
 *   <li>{@code penstock.sqs.units} by {@code op}: what SQS bills, one for each begun 64 KiB of a call
 *   <li>{@code penstock.cost} by {@code op}: dollars of the requests, at the prices of {@link Operation#dollars}
 *   <li>{@code penstock.retries} by {@code op}: attempts after the first
 * </ul>
 *
 * <p>Meters of the same registry and part are shared. Safe for use by many threads.
 */
public final class RequestMeters {
    /** The bytes that SQS bills as one request. */
    public static final int SQS_UNIT_BYTES = 64 << 10;

    private final String part;
    private final Map<Operation, Counter> requests;
    private final Map<Operation, Counter> retries;
    private final Map<Operation, Counter> units;
    private final Map<Operation, Timer> seconds;
    private final Map<Operation.Service, Counter> bytesIn;
    private final Map<Operation.Service, Counter> bytesOut;

    /** @param part names the origin of the requests, such as {@code transaction} or {@code checkpoint} */
    public RequestMeters(MeterRegistry registry, String part) {
        this.part = part;
        requests = each(Operation.class, op -> registry.counter("penstock.requests", "op", op.tag(), "part", part));
        retries = each(Operation.class, op -> registry.counter("penstock.retries", "op", op.tag(), "part", part));
        seconds =
                each(Operation.class, op -> registry.timer("penstock.request.duration", "op", op.tag(), "part", part));
        units = each(
                Operation.class,
                op -> op.service() == Operation.Service.SQS
                        ? registry.counter("penstock.sqs.units", "op", op.tag(), "part", part)
                        : null);
        for (Operation op : Operation.values()) {
            Tags tags = Tags.of("op", op.tag(), "part", part);
            // Micrometer warns of a second one.
            if (registry.find("penstock.cost").tags(tags).functionCounter() == null) {
                Counter billed = of(op.service() == Operation.Service.SQS ? units : requests, op);
                FunctionCounter.builder("penstock.cost", billed, count -> count.count() * op.dollars())
                        .tags(tags)
                        .baseUnit("dollars")
                        .register(registry);
            }
        }
        bytesIn = each(Operation.Service.class, service -> bytes(registry, "in", service, part));
        bytesOut = each(Operation.Service.class, service -> bytes(registry, "out", service, part));
    }

    private static Counter bytes(MeterRegistry registry, String direction, Operation.Service service, String part) {
        return Counter.builder("penstock.bytes")
                .tags("direction", direction, "service", service.tag(), "part", part)
                .baseUnit(BaseUnits.BYTES)
                .register(registry);
    }

    private static <K extends Enum<K>, V> Map<K, V> each(Class<K> keys, Function<K, @Nullable V> make) {
        Map<K, V> made = new EnumMap<>(keys);
        for (K key : keys.getEnumConstants()) {
            V value = make.apply(key);
            if (value != null) {
                made.put(key, value);
            }
        }
        return made;
    }

    /** The part of the client that sends the requests. */
    public String part() {
        return part;
    }

    /** Makes a call, and counts it as one request of {@code operation} even if it fails. */
    public <T> T measure(Operation operation, Timekeeper clock, Supplier<T> call) {
        return measure(operation, 1, clock, call);
    }

    /** Makes a call that sends {@code count} requests of {@code operation}. */
    public <T> T measure(Operation operation, long count, Timekeeper clock, Supplier<T> call) {
        long startNanos = clock.nanoTime();
        try {
            return call.get();
        } finally {
            counted(operation, count);
            timer(operation).record(clock.nanoTime() - startNanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Counts {@code count} more requests of {@code operation}. */
    public void counted(Operation operation, long count) {
        of(requests, operation).increment((double) count);
    }

    /** Counts an attempt after the first. */
    public void retried(Operation operation) {
        of(retries, operation).increment();
    }

    /** Counts bytes sent to the servers. */
    public void in(Operation.Service service, long bytes) {
        of(bytesIn, service).increment((double) bytes);
    }

    /** Counts bytes received from the servers. */
    public void out(Operation.Service service, long bytes) {
        of(bytesOut, service).increment((double) bytes);
    }

    /** Counts the SQS billing units of one call that carries {@code bytes}. */
    public void billed(Operation operation, long bytes) {
        of(units, operation).increment((double) Math.max(1, Math.ceilDiv(bytes, (long) SQS_UNIT_BYTES)));
    }

    private Timer timer(Operation operation) {
        return of(seconds, operation);
    }

    private static <K, V> V of(Map<K, V> meters, K key) {
        V meter = meters.get(key);
        if (meter == null) {
            throw new IllegalArgumentException("no such meter: " + key);
        }
        return meter;
    }
}
