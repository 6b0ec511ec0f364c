package io.penstock.commit.engine;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.penstock.commit.checkpoint.Checkpointer;
import io.penstock.commit.checkpoint.LogCheckpoints;
import io.penstock.commit.client.Heartbeat;
import io.penstock.commit.domain.Conflict;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.commit.session.Overlays;
import io.penstock.commit.settings.StoreSettings;
import io.penstock.core.meter.FailureTag;
import io.penstock.core.meter.Observations;
import io.penstock.core.meter.ReadTimes;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PageTier;
import io.penstock.core.task.Recurring;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.Timekeeper;
import io.penstock.report.CheckpointReport;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of an open store, besides those of its requests: pool, backlog of this client, commits. Names and units
 * are in {@code docs/OPERATIONS.md}. Safe for use by many threads.
 */
final class StoreMeters {
    private static final String SECONDS = "seconds";

    private final MeterRegistry registry;
    private final Observations observations;
    private final Timekeeper clock;
    private final Tags tags;
    private final Collection<Meter> own = ConcurrentHashMap.newKeySet();
    private final Timer checkpoints;
    private final Counter messages;
    private final Counter records;
    private final Counter pages;
    private final Counter heldBack;
    private final Counter repeated;
    private final Counter discarded;
    private final Counter puts;
    private final Map<String, ReadTimes> reads = new ConcurrentHashMap<>();

    private StoreMeters(MeterRegistry registry, Tags tags, Observations observations, Timekeeper clock) {
        this.registry = registry;
        this.tags = tags;
        this.observations = observations;
        this.clock = clock;
        this.checkpoints = registry.timer("penstock.checkpoint.duration");
        this.messages = registry.counter("penstock.checkpoint.messages");
        this.records = registry.counter("penstock.checkpoint.records");
        this.pages = registry.counter("penstock.checkpoint.pages");
        this.heldBack = registry.counter("penstock.checkpoint.held.back");
        this.repeated = registry.counter("penstock.checkpoint.repeated");
        this.discarded = registry.counter("penstock.checkpoint.discarded");
        this.puts = registry.counter("penstock.log.puts");
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
        gauge("penstock.pool.bytes", pool, p -> p.stats().bytes(), BaseUnits.BYTES);
        PageTier tier = pool.tier();
        counter("penstock.tier.hits", tier, t -> t.stats().hits());
        counter("penstock.tier.misses", tier, t -> t.stats().misses());
        counter("penstock.tier.read", tier, t -> t.stats().bytesRead(), BaseUnits.BYTES);
        counter("penstock.tier.damaged", tier, t -> t.stats().damaged());
        counter("penstock.tier.evictions", tier, t -> t.stats().evictions());
        counter("penstock.tier.failures", tier, t -> t.stats().failures());
        gauge("penstock.tier.bytes", tier, t -> t.stats().bytes(), BaseUnits.BYTES);
    }

    void register(Protocols protocols, Overlays overlays, Checkpoints checkpoints) {
        gauge("penstock.pending.unforwarded", protocols, p -> p.forwarder().unforwarded());
        gauge("penstock.recovery.too.large", protocols, p -> p.recovery().tooLarge());
        gauge("penstock.pending.sending.bytes", protocols, Protocols::sendingBytes, BaseUnits.BYTES);
        gauge("penstock.pending.unapplied", overlays, Overlays::transactions);
        gauge("penstock.pending.unapplied.bytes", overlays, o -> o.budget().used(), BaseUnits.BYTES);
        gauge(
                "penstock.pending.queues",
                checkpoints.loop(),
                loop -> loop.pending().size());
        gauge("penstock.pending.age", checkpoints.age(), age -> age.age().toSeconds(), SECONDS);
        gauge("penstock.quarantined", checkpoints.quarantine(), quarantine -> quarantine.count());
        gauge("penstock.parked", checkpoints.parked(), parked -> parked.count());
    }

    void register(LogCheckpoints logs) {
        gauge("penstock.log.segments", logs, LogCheckpoints::knownSegments);
        gauge("penstock.log.tail.bytes", logs, LogCheckpoints::knownBytes, BaseUnits.BYTES);
        gauge("penstock.log.horizon.age", logs, known -> known.knownAge().toSeconds(), SECONDS);
        register(logs.loop());
    }

    void register(Heartbeat heartbeat) {
        counter("penstock.identity.twins", heartbeat, Heartbeat::twins);
        register(heartbeat.loop());
    }

    void register(Recurring work) {
        failures(work, FailureTag.FIRST);
        work.onFailure(failure -> failures(work, FailureTag.of(failure)).increment());
    }

    private Counter failures(Recurring work, Tag code) {
        Counter counter = Counter.builder("penstock.background.failures")
                .tags(tags.and("task", work.name()).and(code))
                .register(registry);
        own.add(counter);
        return counter;
    }

    /** Takes the meters of this handle from the registry. Those without its tag are of all handles. */
    void remove() {
        own.forEach(registry::remove);
    }

    private <T> void counter(String name, T of, ToDoubleFunction<T> value) {
        counter(name, of, value, null);
    }

    private <T> void counter(String name, T of, ToDoubleFunction<T> value, @Nullable String unit) {
        own.add(FunctionCounter.builder(name, of, value)
                .tags(tags)
                .baseUnit(unit)
                .register(registry));
    }

    private <T> void gauge(String name, T of, ToDoubleFunction<T> value) {
        gauge(name, of, value, null);
    }

    private <T> void gauge(String name, T of, ToDoubleFunction<T> value, @Nullable String unit) {
        own.add(Gauge.builder(name, of, value).tags(tags).baseUnit(unit).register(registry));
    }

    /** The meters of the reads of a level. With them come those of its commits, so that none is absent at zero. */
    ReadTimes reads(String level) {
        return reads.computeIfAbsent(level, name -> {
            commits(name);
            failures(name, FailureTag.FIRST);
            retries(name);
            aborts(name);
            return new ReadTimes(registry, name, clock);
        });
    }

    private Timer commits(String level) {
        return registry.timer("penstock.commit.duration", "level", level);
    }

    Counter failures(String level, Tag code) {
        return Counter.builder("penstock.commit.failures")
                .tags(Tags.of("level", level).and(code))
                .register(registry);
    }

    Counter retries(String level) {
        return registry.counter("penstock.transaction.retries", "level", level);
    }

    Counter aborts(String level) {
        return registry.counter("penstock.transaction.aborts", "level", level);
    }

    /** Runs a commit as an observation. */
    <T> T commit(String level, Supplier<T> commit) {
        return observations.commit(level, commit);
    }

    void committed(String level, long nanos) {
        commits(level).record(nanos, TimeUnit.NANOSECONDS);
    }

    /** Notes that a segment of a commit log is about to be put. */
    void putting() {
        puts.increment();
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
    Checkpointer.Outcome checkpoint(PuQueueId queue, Supplier<Checkpointer.Outcome> checkpoint) {
        long start = clock.nanoTime();
        Checkpointer.Outcome outcome = observations.checkpoint(queue.tree(), checkpoint);
        checkpointed(outcome.report(), clock.nanoTime() - start);
        repeated.increment(outcome.repeated());
        return outcome;
    }

    private void checkpointed(CheckpointReport report, long nanos) {
        checkpoints.record(nanos, TimeUnit.NANOSECONDS);
        messages.increment(report.messages());
        records.increment(report.records());
        pages.increment(report.pages());
        heldBack.increment(report.heldBack());
        discarded.increment(report.discarded());
    }
}
