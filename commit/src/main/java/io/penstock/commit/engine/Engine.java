package io.penstock.commit.engine;

import io.penstock.commit.catalog.Catalog;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.checkpoint.CheckpointLoop;
import io.penstock.commit.checkpoint.CheckpointSettings;
import io.penstock.commit.checkpoint.Checkpointer;
import io.penstock.commit.checkpoint.DomainPages;
import io.penstock.commit.checkpoint.LedgerStore;
import io.penstock.commit.checkpoint.Lifetimes;
import io.penstock.commit.checkpoint.LogCheckpoints;
import io.penstock.commit.checkpoint.PendingAge;
import io.penstock.commit.checkpoint.RecordApplier;
import io.penstock.commit.checkpoint.Replay;
import io.penstock.commit.client.ClientContext;
import io.penstock.commit.client.ClientRegistry;
import io.penstock.commit.client.Heartbeat;
import io.penstock.commit.client.HybridClock;
import io.penstock.commit.client.ServerClock;
import io.penstock.commit.client.ServerTimeTasks;
import io.penstock.commit.domain.Conflict;
import io.penstock.commit.domain.Domains;
import io.penstock.commit.domain.Handover;
import io.penstock.commit.domain.Limits;
import io.penstock.commit.domain.LogHome;
import io.penstock.commit.domain.Parts;
import io.penstock.commit.index.CompositeKey;
import io.penstock.commit.index.PendingEntries;
import io.penstock.commit.protocol.Routing.SendPolicy;
import io.penstock.commit.queue.DeadLetterStore;
import io.penstock.commit.queue.IntakeFolder;
import io.penstock.commit.queue.IntakeQueues;
import io.penstock.commit.queue.QueueInspection;
import io.penstock.commit.queue.QueueNames;
import io.penstock.commit.session.DomainTrees;
import io.penstock.commit.session.Overlays;
import io.penstock.commit.session.SessionMemoryGate;
import io.penstock.commit.session.SessionState;
import io.penstock.commit.settings.StoreSettings;
import io.penstock.commit.token.SessionTokens;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.TreeId;
import io.penstock.core.memory.ByteBudget;
import io.penstock.core.memory.WorkMemory;
import io.penstock.core.memory.Workspace;
import io.penstock.core.meter.Observations;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PageManager;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The parts of one open store. Each class is given the few that it needs, never this as a whole. Safe for use by many
 * threads.
 *
 * @param memory of checkpoints, loads, index work and care of the store
 * @param sessions the parts that sessions are made of
 * @param payloads the place of large payloads of transactions and loads
 * @param release releases the disk and meters that this handle alone had
 */
public record Engine(
        Services services,
        StoreState handle,
        WorkMemory memory,
        ServerPath foreground,
        ServerPath background,
        StoreTrees trees,
        ClientContext membership,
        HybridClock clock,
        Overlays overlays,
        Checkpoints checkpoints,
        Protocols protocols,
        SessionParts sessions,
        LargePayloads.Place payloads,
        Runnable release) {
    /** Wires the parts of a store. */
    public static Engine of(StoreSettings settings, Services services) {
        return new Assembly(settings, services).engine();
    }

    /** The place where the parts of a store are made and wired, one method for each group of them. */
    private static final class Assembly {
        /** The most requests for leaves that a scan has under way before it needs them. */
        private static final int READAHEAD_MAX = 32;

        /** The bytes of messages that a checkpoint applies at a time. */
        private static final int CHECKPOINT_BATCH_BYTES = 16 << 20;

        /** The time for which a tree that the catalog does not have is not looked for again. */
        private static final Duration UNKNOWN_FOR = Duration.ofSeconds(10);

        private final StoreSettings settings;
        private final Services services;
        private final Lifetimes lifetimes;
        private final StoreState handle;
        private final BufferPool pool;
        private final ServerPath foreground;
        private final ServerPath background;
        private final WorkMemory memory;
        private final StoreTrees trees;
        private final HybridClock clock;
        private final ClientContext membership;
        private final Overlays overlays;
        private final Checkpoints checkpoints;
        private final Protocols protocols;
        private final Committer committer;
        private final StoreMeters meters;

        private Assembly(StoreSettings settings, Services services) {
            this.settings = settings;
            this.services = services;
            this.lifetimes =
                    Lifetimes.of(settings.limits().lease(), settings.limits().clockSkewMax(), services.exclusive());
            this.handle = StoreState.of(settings, services);
            Tasks tasks = services.tasks();
            Observations observations = new Observations(settings.calls().observations(), this::collectionOf);
            this.pool = pool(settings, tasks);
            QueueNames names = new QueueNames(handle.identity());
            Services allowed = settings.client().mayCreate() ? services : services.provisioned(names);
            QueueInspection inspection = new QueueInspection(services.queues().limits(), tasks);
            this.foreground = ServerPath.of(allowed, pool, settings, names, inspection, observations, "transaction");
            this.background = ServerPath.of(allowed, pool, settings, names, inspection, observations, "checkpoint");
            this.membership = membership(settings, services, background);
            Tasks steady = new ServerTimeTasks(tasks, membership.serverClock());
            this.memory = new WorkMemory(
                    steady, settings.memory().workBytes(), settings.paging().pageBytes());
            this.trees = trees(settings, steady, foreground, background);
            this.clock = membership.serverClock().stamping(lifetimes.aheadMax());
            LedgerStore ledgers = new LedgerStore(background.pages(), tasks);
            this.overlays = new Overlays(
                    ledgers,
                    foreground.pages(),
                    new ByteBudget(settings.memory().sessionBytes()),
                    tree -> trees.catalog().knownOfTree(tree).stream().flatMap(CollectionDefinition::trees));
            this.meters = StoreMeters.of(settings.calls(), observations, tasks);
            this.checkpoints = checkpoints(ledgers);
            this.protocols = new Protocols(services, settings, foreground, background, trees, membership, checkpoints);
            checkpoints.age().include(this::oldestUnforwarded);
            checkpoints.age().tellOf(protocols.recovery()::oldestTooLarge);
            SessionMemoryGate room = new SessionMemoryGate(
                    tasks,
                    overlays,
                    checkpoints.loop()::checkpointSoon,
                    settings.calls().budget());
            this.committer = new Committer(tasks, membership, clock, checkpoints.age(), room, meters, trees.catalog());
            register();
        }

        private static BufferPool pool(StoreSettings settings, Tasks tasks) {
            return new BufferPool(
                    settings.paging().pool(),
                    settings.limits().ttl(),
                    settings.paging().tier().apply(tasks));
        }

        private void register() {
            meters.register(checkpoints.logs());
            meters.register(pool);
            meters.register(protocols, overlays, checkpoints);
            meters.register(protocols.forwarder().loop());
            meters.register(checkpoints.loop().loop());
            meters.register(membership.heartbeat());
        }

        /** Returns the name of the collection of a tree, as far as this client knows it. */
        private Optional<String> collectionOf(TreeId tree) {
            return trees.catalog().knownOfTree(tree).map(CollectionDefinition::name);
        }

        private static StoreTrees trees(StoreSettings settings, Tasks tasks, ServerPath front, ServerPath back) {
            StoreSettings.Paging paging = settings.paging();
            Catalog catalog = new Catalog(
                    tasks,
                    front.objects(),
                    settings.prefix() + "/",
                    settings.client().mayDefine(),
                    UNKNOWN_FOR);
            int width = settings.routing().policy().parallelCalls();
            int backWidth = SendPolicy.GROUPED.parallelCalls();
            Trees foreground = new Trees(
                    catalog,
                    front.pages(),
                    back.overflows(),
                    tasks,
                    new Trees.Bounds(width, READAHEAD_MAX, paging.blockBytes()));
            Trees background =
                    new Trees(catalog, back.pages(), back.overflows(), tasks, new Trees.Bounds(backWidth, 0, 0));
            return new StoreTrees(
                    catalog,
                    foreground,
                    background,
                    room -> new Trees(
                            catalog,
                            freshPages(settings, tasks, back, room),
                            back.overflows(),
                            tasks,
                            new Trees.Bounds(backWidth, READAHEAD_MAX, 0)));
        }

        private static PageManager freshPages(StoreSettings settings, Tasks tasks, ServerPath lane, Workspace room) {
            long bytes = Math.min(settings.paging().pool().bytesMax(), room.bytes());
            BufferPool fresh = new BufferPool(bytes, settings.limits().ttl());
            return new PageManager(lane.objects(), fresh, tasks, settings.prefix() + "/");
        }

        private static ClientContext membership(StoreSettings settings, Services services, ServerPath lane) {
            Tasks tasks = services.tasks();
            ServerClock serverClock = new ServerClock(tasks, settings.limits().clockSkewMax());
            ClientRegistry registry = new ClientRegistry(
                    lane.objects(),
                    settings.prefix(),
                    serverClock,
                    services.deadAfter(settings.limits().deadAfter()));
            Heartbeat heartbeat = new Heartbeat(
                    tasks,
                    registry,
                    new Heartbeat.Options(
                            settings.background().heartbeatInterval(),
                            settings.limits().deadAfter(),
                            settings.client().name().filter(name -> !services.exclusive())));
            serverClock.askBy(heartbeat::beatNow);
            return new ClientContext(registry, heartbeat, serverClock);
        }

        private Checkpoints checkpoints(LedgerStore ledgers) {
            Trees written = trees.background();
            DeadLetterStore quarantine = kept("quarantine");
            DeadLetterStore parked = kept("parked");
            RecordApplier applier = new RecordApplier(
                    written::findWriter, new PendingEntries(trees.catalog()), background.overflows(), parked);
            Checkpointer checkpointer = new Checkpointer(
                    services.tasks(),
                    membership,
                    background.puQueues(),
                    ledgers,
                    quarantine,
                    applier,
                    checkpointSettings(),
                    meters::checkpoint);
            StoreSettings.Background work = settings.background();
            PendingAge age = new PendingAge(services.tasks(), agesOfBacklog());
            CheckpointLoop loop = new CheckpointLoop(
                    services.tasks(),
                    checkpointer,
                    ledgers,
                    membership.serverClock(),
                    age,
                    work.checkpointInterval(),
                    work.checkpointing(),
                    overlays::awaited);
            Replay reapplication = new Replay(membership, applier, lifetimes);
            DomainPages pages =
                    new DomainPages(applier, lifetimes, membership.serverClock(), trees.foreground()::checkAgain);
            LogCheckpoints logs = new LogCheckpoints(
                    services.tasks(),
                    domains(pages),
                    work.checkpointInterval(),
                    work.checkpointing() && !settings.client().readOnly(),
                    trees.catalog()::knowsDomains,
                    meters::checkpoint);
            return new Checkpoints(checkpointer, loop, ledgers, quarantine, parked, reapplication, logs, age);
        }

        private Domains domains(DomainPages pages) {
            ObjectStore log = settings.log()
                    .objects()
                    .map(objects -> ServerPath.reliable(objects, services.tasks(), settings, "transaction"))
                    .orElse(foreground.objects());
            return new Domains(new Parts(
                    services.tasks(),
                    log,
                    settings.prefix() + "/",
                    clock,
                    membership.serverClock(),
                    membership::client,
                    pages,
                    Limits.of(
                            settings.limits().ttl(),
                            settings.log().retention(),
                            settings.calls().budget()),
                    this::refusal,
                    handover(log),
                    settings.log().objects().isEmpty() ? key -> {} : key -> home(log, key),
                    meters::putting));
        }

        private Handover handover(ObjectStore log) {
            if (services.exclusive()) {
                return Handover.NONE; // no other client can be, so no race is lost
            }
            if (services.queued()) {
                return Handover.byQueue(new IntakeQueues(foreground.queues(), foreground.names())::of);
            }
            Map<String, MessageQueue> folders = new ConcurrentHashMap<>();
            return Handover.byFolder(domain -> folders.computeIfAbsent(
                    domain,
                    made -> new IntakeFolder(services.tasks(), log, Domains.intake(settings.prefix() + "/", made))));
        }

        private void home(ObjectStore log, String key) {
            new LogHome(foreground.objects(), log, services.tasks().random()::nextLong)
                    .require(key, !settings.client().readOnly());
        }

        /** A conflict, by the names of its collection and index. */
        private ConflictException refusal(Conflict conflict) {
            Optional<CollectionDefinition> collection = trees.catalog().knownOfTree(conflict.tree());
            String name = collection.map(CollectionDefinition::name).orElse("?");
            meters.refused(name, conflict.kind());
            Bytes key = conflict.key();
            if (collection.isEmpty() || key == null || key.isEmpty()) {
                return conflict.exception(name);
            }
            if (collection.get().treeId().equals(conflict.tree())) {
                return conflict.exception(name, null, key);
            }
            return collection.get().indexes().stream()
                    .filter(index -> index.treeId().equals(conflict.tree()))
                    .findFirst()
                    .map(index -> conflict.exception(
                            name, index.name(), CompositeKey.split(key).second()))
                    .orElseGet(() -> conflict.exception(name));
        }

        private DeadLetterStore kept(String folder) {
            return new DeadLetterStore(background.objects(), settings.prefix() + "/" + folder + "/");
        }

        /**
         * Returns the age limits of the backlog. Records wait until the next checkpoint, and those after a missing one
         * until order is given up.
         */
        private PendingAge.Limits agesOfBacklog() {
            StoreSettings.Limits limits = settings.limits();
            Stream<Duration> usual = Stream.of(
                    lifetimes.heldBackMax(),
                    limits.deadAfter(),
                    settings.background().checkpointInterval());
            return PendingAge.Limits.of(
                    limits.pendingAgeMax(), usual.max(Comparator.naturalOrder()).orElseThrow());
        }

        private Optional<Duration> oldestUnforwarded() {
            OptionalLong oldest = protocols.forwarder().oldestMillis();
            return oldest.isEmpty()
                    ? Optional.empty()
                    : Optional.of(Duration.ofMillis(membership.serverClock().wallMillis() - oldest.getAsLong()));
        }

        private CheckpointSettings checkpointSettings() {
            StoreSettings.Limits limits = settings.limits();
            return new CheckpointSettings(
                    limits.lease(),
                    CHECKPOINT_BATCH_BYTES,
                    queueLimits().batchEntries(),
                    services.pollWait(),
                    services.deadAfter(limits.deadAfter()),
                    lifetimes,
                    memory.budget());
        }

        private QueueLimits queueLimits() {
            return services.queues().limits();
        }

        /** The parts that sessions are made of. */
        private SessionParts sessions() {
            PageManager told = foreground.pages().forNotifiedReaders();
            SessionState.Shared shared = new SessionState.Shared(
                    overlays,
                    trees.foreground()::records,
                    foreground.pages(),
                    foreground.overflows(),
                    clock,
                    new DomainTrees(told, trees.foreground().on(told)::records),
                    nanos -> trees.foreground().on(foreground.pages().notBefore(nanos))::records);
            return new SessionParts(
                    services.tasks(),
                    handle,
                    committer,
                    protocols,
                    payloads(),
                    checkpoints.logs(),
                    shared,
                    tokens(shared),
                    settings.memory().transactionBytesMax(),
                    settings.limits().staleness(),
                    settings.calls().budget());
        }

        private SessionTokens tokens(SessionState.Shared shared) {
            boolean checkpoints =
                    settings.background().checkpointing() && !settings.client().readOnly();
            SessionTokens.Parts parts = new SessionTokens.Parts(
                    services.tasks(),
                    membership,
                    clock,
                    this.checkpoints.ledgers(),
                    shared,
                    new TokenPlaces(trees.catalog(), background, protocols, this.checkpoints, checkpoints),
                    settings.calls().budget());
            return new SessionTokens(parts, settings.client().tokens(), handle.storeNumber());
        }

        /** The place of large payloads of transactions and loads: a smaller one fits into a message of any queue. */
        private LargePayloads.Place payloads() {
            return new LargePayloads.Place(
                    handle,
                    services.tasks(),
                    foreground.overflows(),
                    membership,
                    Math.min(QueueInspection.MESSAGE_BYTES_MIN, queueLimits().messageBytes()));
        }

        private Engine engine() {
            return new Engine(
                    services,
                    handle,
                    memory,
                    foreground,
                    background,
                    trees,
                    membership,
                    clock,
                    overlays,
                    checkpoints,
                    protocols,
                    sessions(),
                    payloads(),
                    this::release);
        }

        private void release() {
            meters.remove();
            pool.close();
            pool.tier().close();
        }
    }
}
