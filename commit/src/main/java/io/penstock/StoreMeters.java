package io.penstock;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.penstock.commit.checkpoint.CheckpointResult;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PageTier;
import java.util.concurrent.TimeUnit;

/**
 * The meters of an open store, besides those of its requests: pool, backlog of this client, commits. Names and units
 * are in {@code docs/OPERATIONS.md}.
 */
final class StoreMeters {
    private StoreMeters() {}

    static void register(Engine engine) {
        MeterRegistry registry = engine.settings.meters();
        Tags tags = Tags.of("client", engine.client.hex());
        BufferPool pool = engine.pool;
        counter(registry, "penstock.pool.hits", tags, pool, () -> pool.stats().hits());
        counter(registry, "penstock.pool.misses", tags, pool, () -> pool.stats().misses());
        counter(
                registry,
                "penstock.pool.revalidations",
                tags,
                pool,
                () -> pool.stats().revalidations());
        counter(
                registry,
                "penstock.pool.evictions",
                tags,
                pool,
                () -> pool.stats().evictions());
        gauge(registry, "penstock.pool.bytes", tags, engine, e -> e.pool.stats().bytes());
        registerTier(registry, tags, pool);
        gauge(registry, "penstock.pending.unforwarded", tags, engine, e -> e.protocols.forwarder.unforwarded());
        gauge(registry, "penstock.pending.sending.bytes", tags, engine, e -> e.protocols.sendingBytes());
        gauge(registry, "penstock.pending.unapplied", tags, engine, Engine::unapplied);
        gauge(
                registry,
                "penstock.pending.queues",
                tags,
                engine,
                e -> e.checkpoints.pending().size());
        gauge(registry, "penstock.quarantined", tags, engine, e -> e.quarantine.count());
    }

    private static void registerTier(MeterRegistry registry, Tags tags, BufferPool pool) {
        PageTier tier = pool.tier();
        counter(registry, "penstock.tier.hits", tags, pool, () -> tier.stats().hits());
        counter(registry, "penstock.tier.misses", tags, pool, () -> tier.stats().misses());
        counter(
                registry,
                "penstock.tier.bytes.read",
                tags,
                pool,
                () -> tier.stats().bytesRead());
        counter(
                registry,
                "penstock.tier.damaged",
                tags,
                pool,
                () -> tier.stats().damaged());
        counter(
                registry,
                "penstock.tier.evictions",
                tags,
                pool,
                () -> tier.stats().evictions());
        counter(
                registry,
                "penstock.tier.failures",
                tags,
                pool,
                () -> tier.stats().failures());
        Gauge.builder("penstock.tier.bytes", tier, t -> t.stats().bytes())
                .tags(tags)
                .register(registry);
    }

    private static void counter(
            MeterRegistry registry, String name, Tags tags, BufferPool pool, java.util.function.LongSupplier value) {
        FunctionCounter.builder(name, pool, p -> value.getAsLong()).tags(tags).register(registry);
    }

    private static void gauge(
            MeterRegistry registry,
            String name,
            Tags tags,
            Engine engine,
            java.util.function.ToDoubleFunction<Engine> value) {
        Gauge.builder(name, engine, value).tags(tags).register(registry);
    }

    static void committed(Engine engine, ConsistencyLevel level, long nanos) {
        engine.settings
                .meters()
                .timer("penstock.commit.seconds", "level", level.name())
                .record(nanos, TimeUnit.NANOSECONDS);
    }

    static void failed(Engine engine, ConsistencyLevel level) {
        engine.settings
                .meters()
                .counter("penstock.commit.failures", "level", level.name())
                .increment();
    }

    static void checkpointed(Engine engine, CheckpointResult result, long nanos) {
        MeterRegistry registry = engine.settings.meters();
        registry.timer("penstock.checkpoint.seconds").record(nanos, TimeUnit.NANOSECONDS);
        registry.counter("penstock.checkpoint.messages").increment(result.messages());
        registry.counter("penstock.checkpoint.records").increment(result.records());
        registry.counter("penstock.checkpoint.pages").increment(result.pages());
        registry.counter("penstock.checkpoint.held.back").increment(result.heldBack());
    }
}
