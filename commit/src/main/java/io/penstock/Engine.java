package io.penstock;

import io.penstock.btree.TreeCheck;
import io.penstock.commit.catalog.Catalog;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.checkpoint.CheckpointLoop;
import io.penstock.commit.checkpoint.CheckpointSettings;
import io.penstock.commit.checkpoint.Checkpointer;
import io.penstock.commit.checkpoint.LedgerStore;
import io.penstock.commit.client.ClientRegistry;
import io.penstock.commit.client.Heartbeat;
import io.penstock.commit.client.HybridClock;
import io.penstock.commit.client.ServerClock;
import io.penstock.commit.index.PendingEntries;
import io.penstock.commit.protocol.SendPolicy;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.commit.queue.Quarantine;
import io.penstock.commit.queue.QueueNames;
import io.penstock.commit.session.Overlay;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.ClosedException;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.TreeId;
import io.penstock.core.overflow.OverflowReference;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PageManager;
import io.penstock.core.pool.PoolSettings;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.record.VersionedRecord;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** All parts of one open store, wired together: what the front door stands on. Safe for use by many threads. */
final class Engine {
    /** How many bytes of messages a checkpoint applies at a time. */
    private static final int CHECKPOINT_BATCH_BYTES = 16 << 20;

    /** Below the life of tombstones, which is 30 days, by more than any clock may be off. */
    private static final Duration RECORD_LIFE = Duration.ofDays(29);

    /** Where no other client can be, every other one is dead, and was before now, whatever clocks say. */
    private static final Duration DEAD_AT_ONCE = Duration.ofDays(-36_500);

    private static final long FRESH_POOL_BYTES_MAX = 64 << 20;

    final Settings settings;
    final boolean exclusive;
    final Tasks tasks;
    final ClientId client;
    final QueueNames names;
    final QueueLimits limits;
    final Lane foreground;
    final Lane background;
    final Catalog catalog;
    final Trees trees;
    final Trees backgroundTrees;
    final HybridClock clock;
    final ServerClock serverClock;
    final ClientRegistry registry;
    final Heartbeat heartbeat;
    final Quarantine quarantine;
    final LedgerStore ledgers;
    final Checkpointer checkpointer;
    final CheckpointLoop checkpoints;
    final Protocols protocols;
    final BufferPool pool;

    /** What leaves name besides records. */
    final List<NamedObjects> namedObjects;

    private final List<Overlay> overlays = new CopyOnWriteArrayList<>();
    private final AtomicInteger committing = new AtomicInteger();
    private final AtomicBoolean closing = new AtomicBoolean();

    /** @param exclusive whether no other client can reach these servers, so that all clients of the past are dead */
    Engine(Settings settings, Lane.Servers servers, boolean exclusive) {
        this.settings = settings;
        this.exclusive = exclusive;
        this.tasks = servers.tasks();
        this.client = new ClientId(tasks.random().nextLong());
        String prefix = settings.prefix() + "/";
        this.names = new QueueNames(settings.prefix());
        this.limits = servers.queues().limits();
        this.pool = new BufferPool(
                new PoolSettings(settings.poolBytes(), settings.ttl(), settings.readLag()),
                settings.pageTier().apply(tasks));
        Duration tokenGrace = exclusive ? Duration.ZERO : settings.lease().multipliedBy(2);
        Lane.Servers allowed = settings.provisioning() == Provisioning.EXISTING ? servers.provisioned(names) : servers;
        this.foreground = Lane.of(allowed, pool, names, tokenGrace, settings, "transaction");
        this.background = Lane.of(allowed, pool, names, tokenGrace, settings, "checkpoint");
        this.namedObjects = List.of(new OverflowObjects(background.overflows()));
        this.catalog = new Catalog(foreground.objects(), prefix + "catalog/", mayDefine());
        SendPolicy policy = sendPolicy(settings.layout());
        this.trees = new Trees(
                catalog,
                foreground.pages(),
                tasks,
                policy.parallelCalls(),
                settings.readahead(),
                settings.blockBytes());
        this.backgroundTrees = new Trees(catalog, background.pages(), tasks, SendPolicy.GROUPED.parallelCalls(), 0, 0);
        this.clock = new HybridClock(tasks);
        this.serverClock = new ServerClock(tasks, settings.clockSkewMax());
        Duration deadAfter = exclusive ? DEAD_AT_ONCE : settings.deadAfter();
        this.registry = new ClientRegistry(background.objects(), prefix + "clients/", serverClock, deadAfter);
        this.heartbeat = new Heartbeat(tasks, registry, settings.heartbeatInterval());
        serverClock.askBy(() -> heartbeat.begin(client));
        this.quarantine = new Quarantine(background.objects(), prefix + "quarantine/");
        this.ledgers = new LedgerStore(background.pages(), tasks);
        this.checkpointer = new Checkpointer(
                tasks,
                background.puQueues(),
                ledgers,
                background.overflows(),
                backgroundTrees::findWriter,
                new PendingEntries(catalog, backgroundTrees::writer),
                id -> !heartbeat.isBeating(id) && registry.isDead(id),
                serverClock,
                quarantine,
                checkpointSettings(deadAfter),
                (result, nanos) -> StoreMeters.checkpointed(this, result, nanos));
        this.checkpoints = new CheckpointLoop(
                tasks, checkpointer, ledgers, settings.checkpointInterval(), settings.checkpointing(), this::awaited);
        this.protocols = new Protocols(this, policy);
        StoreMeters.register(this);
    }

    /**
     * The trees behind a pool of their own, which is empty at first: nothing that is read through it is from before
     * now.
     */
    Trees freshTrees() {
        long bytes = Math.min(settings.poolBytes(), FRESH_POOL_BYTES_MAX);
        BufferPool fresh = new BufferPool(new PoolSettings(bytes, settings.ttl(), settings.readLag()));
        PageManager pages = new PageManager(background.objects(), fresh, tasks, settings.prefix() + "/");
        return new Trees(catalog, pages, tasks, SendPolicy.GROUPED.parallelCalls(), settings.readahead(), 0);
    }

    /** The payload of a live record; empty when it was large, and is replaced by now. */
    Optional<Bytes> payload(TreeId tree, VersionedRecord record) {
        Bytes payload = record.livePayload();
        return record.isReference()
                ? background.overflows().read(tree, OverflowReference.decode(payload))
                : Optional.of(payload);
    }

    boolean mayDefine() {
        return settings.provisioning() == Provisioning.CREATE && !settings.readOnly();
    }

    private static SendPolicy sendPolicy(Layout layout) {
        return switch (layout) {
            case Layout.PerLeaf perLeaf -> SendPolicy.PAPER;
            case Layout.Partitioned partitioned -> SendPolicy.GROUPED;
        };
    }

    private CheckpointSettings checkpointSettings(Duration holeAfter) {
        return new CheckpointSettings(
                settings.lease(),
                CHECKPOINT_BATCH_BYTES,
                limits.batchEntries(),
                pollWait(),
                holeAfter,
                // Where no other client is, no message is older than what was deleted after it.
                exclusive ? Duration.ofDays(36_500) : RECORD_LIFE,
                settings.readLag());
    }

    /** A poll that waits asks all servers; where there is but one, none has to wait. */
    Duration pollWait() {
        return exclusive ? Duration.ZERO : Duration.ofSeconds(1);
    }

    Overlay newOverlay() {
        Overlay overlay = new Overlay(ledgers, settings.ttl().plus(settings.readLag()));
        overlays.add(overlay);
        return overlay;
    }

    void forget(Overlay overlay) {
        overlays.remove(overlay);
    }

    private Set<PuQueueId> awaited() {
        Set<PuQueueId> queues = new TreeSet<>();
        long now = tasks.nanoTime();
        for (Overlay overlay : overlays) {
            overlay.sweep(now);
            queues.addAll(overlay.awaited());
        }
        return queues;
    }

    /** How many committed transactions the sessions of this client still keep, for want of a checkpoint. */
    int unapplied() {
        return overlays.stream().mapToInt(Overlay::size).sum();
    }

    /** Checks every tree of the store; one line for each violation. */
    List<String> check() {
        List<String> lines = new ArrayList<>();
        for (CollectionDefinition definition : catalog.list()) {
            definition
                    .trees()
                    .flatMap(tree -> TreeCheck.run(background.pages(), tree).violations().stream())
                    .forEach(violation -> lines.add(Verification.line(definition.name(), violation)));
        }
        return lines;
    }

    void requireOpen() {
        if (closing.get()) {
            throw new ClosedException("the store was closed; open it again", "prefix", settings.prefix());
        }
    }

    void requireWritable() {
        requireOpen();
        if (settings.readOnly()) {
            throw new InvalidRequestException(
                    "the store was opened to be read only; open it without readOnly to change it",
                    "prefix",
                    settings.prefix());
        }
    }

    /**
     * Makes this client known before it first writes, which also tells it the servers' time.
     *
     * @throws io.penstock.core.UnavailableException when this machine's clock is too far off
     */
    void join() {
        heartbeat.begin(client);
        serverClock.requireInStep();
    }

    /** Runs a commit, so that {@link #close} knows of it and an orderly end waits for it. */
    <T> T whileOpen(Supplier<T> commit) {
        committing.incrementAndGet();
        try {
            requireOpen();
            return commit.get();
        } finally {
            committing.decrementAndGet();
        }
    }

    /** Closes the store to new commits; false when it was closed already. */
    boolean close() {
        return !closing.getAndSet(true);
    }

    /** Whether commits that began before {@link #close} are still under way. */
    boolean isCommitting() {
        return committing.get() > 0;
    }
}
