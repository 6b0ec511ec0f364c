package io.penstock.commit.engine;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.penstock.commit.checkpoint.CheckpointResult;
import io.penstock.commit.checkpoint.LogCheckpoints;
import io.penstock.commit.client.Heartbeat;
import io.penstock.commit.domain.Conflict;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.commit.session.Overlays;
import io.penstock.commit.settings.StoreSettings;
import io.penstock.core.meter.Observations;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PageTier;
import io.penstock.core.task.Recurring;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.Timekeeper;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * The meters of an open store, besides those of its requests: pool, backlog of this client, commits. Names and units
 * are in {@code docs/OPERATIONS.md}. Safe for use by many threads.
 */
final class StoreMeters {
    private final MeterRegistry registry;
    private final Observations observations;
    private final Timekeeper clock;
    private final Tags tags;

    private StoreMeters(MeterRegistry registry, Tags tags, Observations observations, Timekeeper clock) {
        this.registry = registry;
        this.tags = tags;
        this.observations = observations;
        this.clock = clock;
    }

    static StoreMeters of(StoreSettings.Calls calls, Observations observations, Tasks tasks) {
        // Tells apart the handles of one process; ids of clients change.
        String handle = HexFormat.of().toHexDigits(tasks.random().nextLong());
        return new StoreMeters(calls.meters(), Tags.of("client", handle), observations, tasks);
    }

    void register(BufferPool pool) {
        counter("penstock.pool.hits", pool, p -> p.stats().hits());
        counter("penstock.pool.misses", pool, p -> p.stats().misses());
        counter("penstock.pool.revalidations", pool, p -> p.stats().revalidations());
        counter("penstock.pool.evictions", pool, p -> p.stats().evictions());
        gauge("penstock.pool.bytes", pool, p -> p.stats().bytes());
        PageTier tier = pool.tier();
        counter("penstock.tier.hits", tier, t -> t.stats().hits());
        counter("penstock.tier.misses", tier, t -> t.stats().misses());
        counter("penstock.tier.bytes.read", tier, t -> t.stats().bytesRead());
        counter("penstock.tier.damaged", tier, t -> t.stats().damaged());
        counter("penstock.tier.evictions", tier, t -> t.stats().evictions());
        counter("penstock.tier.failures", tier, t -> t.stats().failures());
        gauge("penstock.tier.bytes", tier, t -> t.stats().bytes());
    }

    void register(Protocols protocols, Overlays overlays, Checkpoints checkpoints) {
        gauge("penstock.pending.unforwarded", protocols, p -> p.forwarder().unforwarded());
        gauge("penstock.recovery.too.large", protocols, p -> p.recovery().tooLarge());
        gauge("penstock.pending.sending.bytes", protocols, Protocols::sendingBytes);
        gauge("penstock.pending.unapplied", overlays, Overlays::transactions);
        gauge("penstock.pending.unapplied.bytes", overlays, o -> o.budget().used());
        gauge(
                "penstock.pending.queues",
                checkpoints.loop(),
                loop -> loop.pending().size());
        gauge("penstock.pending.age", checkpoints.age(), age -> age.age().toSeconds());
        gauge("penstock.quarantined", checkpoints.quarantine(), quarantine -> quarantine.count());
        gauge("penstock.parked", checkpoints.parked(), parked -> parked.count());
    }

    void register(LogCheckpoints logs) {
        gauge("penstock.log.segments", logs, LogCheckpoints::knownSegments);
        gauge("penstock.log.tail.bytes", logs, LogCheckpoints::knownBytes);
        gauge("penstock.log.horizon.age", logs, known -> known.knownAge().toSeconds());
        register(logs.loop());
    }

    void register(Heartbeat heartbeat) {
        counter("penstock.identity.twins", heartbeat, Heartbeat::twins);
        register(heartbeat.loop());
    }

    void register(Recurring work) {
        FunctionCounter.builder("penstock.background.failures", work, Recurring::failures)
                .tags(tags.and("task", work.name()))
                .register(registry);
    }

    private <T> void counter(String name, T of, ToDoubleFunction<T> value) {
        FunctionCounter.builder(name, of, value).tags(tags).register(registry);
    }

    private <T> void gauge(String name, T of, ToDoubleFunction<T> value) {
        Gauge.builder(name, of, value).tags(tags).register(registry);
    }

    /** Runs a commit before the eyes of who observes. */
    <T> T commit(String level, Supplier<T> commit) {
        return observations.commit(level, commit);
    }

    void committed(String level, long nanos) {
        registry.timer("penstock.commit.seconds", "level", level).record(nanos, TimeUnit.NANOSECONDS);
    }

    void failed(String level) {
        registry.counter("penstock.commit.failures", "level", level).increment();
    }

    void retried(String level) {
        registry.counter("penstock.transaction.retries", "level", level).increment();
    }

    void aborted(String level) {
        registry.counter("penstock.transaction.aborts", "level", level).increment();
    }

    void refused(String collection, Conflict.Kind kind) {
        registry.counter("penstock.conflicts", "collection", collection, "kind", kind.name())
                .increment();
    }

    /** Runs the checkpoint of a domain. */
    <T> T checkpoint(String domain, Supplier<T> checkpoint) {
        return observations.checkpoint(domain, checkpoint);
    }

    /** Runs a checkpoint that has its lease, and counts what it has done. */
    CheckpointResult checkpoint(PuQueueId queue, Supplier<CheckpointResult> checkpoint) {
        long start = clock.nanoTime();
        CheckpointResult result = observations.checkpoint(queue.tree(), checkpoint);
        checkpointed(result, clock.nanoTime() - start);
        return result;
    }

    private void checkpointed(CheckpointResult result, long nanos) {
        registry.timer("penstock.checkpoint.seconds").record(nanos, TimeUnit.NANOSECONDS);
        registry.counter("penstock.checkpoint.messages").increment(result.messages());
        registry.counter("penstock.checkpoint.records").increment(result.records());
        registry.counter("penstock.checkpoint.pages").increment(result.pages());
        registry.counter("penstock.checkpoint.held.back").increment(result.heldBack());
        registry.counter("penstock.checkpoint.repeated").increment(result.repeated());
        registry.counter("penstock.checkpoint.discarded").increment(result.discarded());
    }
}
