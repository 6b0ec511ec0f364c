package io.penstock;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.penstock.commit.protocol.Routing;
import io.penstock.commit.queue.NoQueues;
import io.penstock.commit.settings.Bounds;
import io.penstock.commit.settings.NamedSettings;
import io.penstock.commit.settings.Servers;
import io.penstock.commit.settings.StoreSettings;
import io.penstock.core.Durability;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.pool.PageTier;
import io.penstock.core.pool.PoolRoom;
import io.penstock.core.pool.disk.DiskTier;
import io.penstock.core.queue.QueueService;
import io.penstock.core.seal.MasterKeys;
import io.penstock.core.task.Tasks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The settings with which a client opens a store. Immutable: each method returns changed settings. Everything has a
 * default, except the place of the store:
 *
 * <pre>{@code
 * Settings settings = Settings.local(Path.of("shop")).level(ConsistencyLevel.ATOMIC).poolBytes(256 << 20);
 * }</pre>
 */
public final class Settings implements Cloneable {
    /** The longest key, in bytes: keys are repeated in inner nodes and index entries. */
    public static final int KEY_BYTES_MAX = 1024;

    /** The longest time between two heartbeats where none is set. */
    private static final Duration HEARTBEAT_INTERVAL_MAX = Duration.ofSeconds(30);

    /** The room for pages where none is set. */
    private static final long POOL_BYTES = 64 << 20;

    private Servers servers;
    private String prefix = "penstock";
    /** The level of transactions that do not choose one; null when it is not chosen. */
    private @Nullable ConsistencyLevel level;

    private int pageBytes = 64 << 10;
    private Function<Tasks, PageTier> tier = tasks -> PageTier.NONE;
    private Duration ttl = Duration.ofSeconds(10);
    private Duration staleness = Duration.ZERO;
    private Duration checkpointInterval = Duration.ofSeconds(10);
    private boolean checkpointing = true;
    private Duration deadAfter = Duration.ofMinutes(5);
    private Duration closeWithin = Duration.ofSeconds(25);
    private @Nullable String clientName;
    private @Nullable ObjectStore commitLog;
    private Duration logRetention = Duration.ofDays(30);
    private @Nullable MasterKeys encryption;
    private Session.Tokens tokens = Session.Tokens.unsigned();
    private Provisioning provisioning = Provisioning.CREATE;
    private boolean readOnly;
    private boolean anyHeartbeat;
    private Advanced advanced = new Advanced();
    private StoreSettings.Calls calls;
    private boolean isMetered;
    private PoolRoom pool;

    Settings(Servers servers) {
        this.servers = servers;
        // Not where they are declared: every changed copy would make new ones, and share none.
        this.calls = StoreSettings.Calls.standard();
        this.pool = new PoolRoom(POOL_BYTES);
    }

    private Settings with(Consumer<Settings> change) {
        try {
            Settings next = (Settings) clone();
            change.accept(next);
            return next;
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * A store in a directory of this machine, without servers; one process at a time, and any number that only read.
     * Made if it is not there.
     */
    public static Settings local(Path directory) {
        return local(directory, Durability.FLUSHED);
    }

    /**
     * Settings of a store in a local directory, with a choice of what a commit survives: a power cut too, or only the
     * end of the process.
     */
    public static Settings local(Path directory, Durability durability) {
        return new Settings(new Servers.Local(Bounds.requirePresent("directory", directory), durability, false));
    }

    /**
     * A store in a directory that processes of this machine share, all by this: the first opens it, and the others do
     * all by way of that one. When it ends, their calls fail until the next one opens the directory. Made if it is not
     * there.
     */
    public static Settings shared(Path directory) {
        return new Settings(new Servers.Local(Bounds.requirePresent("directory", directory), Durability.FLUSHED, true));
    }

    /** A store on these servers. They stay open when the store is closed. */
    public static Settings on(ObjectStore objects, QueueService queues, Tasks tasks) {
        return new Settings(new Servers.Given(objects, queues, tasks, Servers.Sharing.ANYBODY));
    }

    /**
     * A store in a bucket alone, without queues: its levels are SNAPSHOT and SERIALIZABLE, and all its collections are
     * in domains. The server stays open when the store is closed.
     */
    public static Settings on(ObjectStore objects, Tasks tasks) {
        return on(objects, NoQueues.INSTANCE, tasks);
    }

    /**
     * A store in the memory of this process, for tests: another one at each call. All handles opened with these
     * settings, or with ones made from them, are clients of one store, as if each were in a process of its own.
     */
    public static Settings inMemory() {
        return new Settings(NamedSettings.inMemory());
    }

    /**
     * Settings by name, such as {@code pool-bytes=64MB}; also of properties and of {@link System#getenv()}: if names
     * begin with {@code penstock.} or {@code PENSTOCK_}, those alone count. An empty value counts as none. One place is
     * among them: {@code directory}, {@code in-memory=true}, or {@code bucket}, whose store is in it alone unless
     * {@code sqs=true}; opening the store opens the bucket, with the credentials of the environment.
     *
     * @throws InvalidRequestException when a name is unknown, or a value has no meaning
     */
    public static Settings from(Map<?, ?> named) {
        NamedSettings settings = NamedSettings.of(named);
        settings.requireKnown(Settings.class, List.of()); // first: a misspelt place is not a missing one
        return settings.applyTo(new Settings(settings.place()));
    }

    /** Returns these settings with the named ones changed, as {@link #from} reads them, except for the place. */
    public Settings with(Map<?, ?> named) {
        return NamedSettings.of(named).applyTo(this);
    }

    /** The store's name within its bucket and queues: 1 to 30 of a-z 0-9 -. Default: penstock. */
    public Settings prefix(String value) {
        return with(next -> next.prefix = Bounds.requirePrefix(value));
    }

    /**
     * The level of transactions that do not choose one. Default: SERIALIZABLE, and ATOMIC for collections that were
     * made without a {@linkplain RecordCollection#inDomain domain}.
     */
    public Settings level(ConsistencyLevel value) {
        return with(next -> next.level = Bounds.requirePresent("level", value));
    }

    /**
     * The size at which pages of new collections split: 512 B to 16 MiB. A payload above a quarter of it becomes an
     * object of its own. Default: 64 KiB.
     */
    public Settings pageBytes(int value) {
        return with(next -> next.pageBytes = Bounds.requireRange("pageBytes", value, 512, 16 << 20));
    }

    /**
     * The memory that pages may take, in bytes: from 64 KiB. All stores of this process that are opened with these
     * settings, or with ones made from them, share it. Default: 64 MiB.
     */
    public Settings poolBytes(long value) {
        long bytes = Bounds.requireRange("poolBytes", value, 64 << 10, Long.MAX_VALUE);
        return with(next -> next.pool = new PoolRoom(bytes));
    }

    /**
     * A second level of the pool in files of a local directory, at most {@code bytesMax} bytes (from 1 MiB), which
     * outlives the process. It saves the transfer of unchanged pages, not the conditional GET. One open store at a
     * time. Default: none.
     */
    public Settings diskTier(Path directory, long bytesMax) {
        Bounds.requirePresent("diskTier", directory);
        Bounds.requireRange("diskTier", bytesMax, 1 << 20, Long.MAX_VALUE);
        return pageTier(tasks -> DiskTier.open(directory, bytesMax, tasks));
    }

    Settings pageTier(Function<Tasks, PageTier> value) {
        return with(next -> next.tier = value);
    }

    /** The age at which a pooled page is compared with the object store again: at most 5 min. Default: 10 s. */
    public Settings ttl(Duration value) {
        return with(next -> next.ttl = Bounds.requireTtl(value));
    }

    /**
     * The maximum age of the snapshot that a read-only transaction sees at SNAPSHOT and SERIALIZABLE: at most a day.
     * Threads share the snapshot. Default: zero, which costs each of them a request.
     */
    public Settings staleness(Duration value) {
        return with(next -> next.staleness = Bounds.requireStaleness(value));
    }

    /**
     * The object store of commit logs, such as a bucket of S3 Express One Zone: commits at SNAPSHOT and SERIALIZABLE
     * take as long as a put there, and last as long as what it keeps. All clients of the store need the same one.
     * Default: the store of the pages.
     */
    public Settings commitLog(ObjectStore value) {
        return with(next -> next.commitLog = Bounds.requirePresent("commitLog", value));
    }

    /** The age at which this client removes segments of commit logs that are on pages: from 1 h. Default: 30 days. */
    public Settings logRetention(Duration value) {
        return with(next -> next.logRetention = Bounds.requireLogRetention(value));
    }

    /** The time that log records gather in a PU queue before this client applies them. Default: 10 s. */
    public Settings checkpointInterval(Duration value) {
        return with(next -> next.checkpointInterval = Bounds.requirePositive("checkpointInterval", value));
    }

    /** Whether this client checkpoints by itself the queues it writes to. Default: yes. */
    public Settings checkpointing(boolean value) {
        return with(next -> next.checkpointing = value);
    }

    /** The age of its last heartbeat at which others take a client for dead and finish its work. Default: 5 min. */
    public Settings deadAfter(Duration value) {
        return with(next -> next.deadAfter = Bounds.requirePositive("deadAfter", value));
    }

    /** The maximum time that {@link Penstock#close} may take. Default: 25 s, below the 30 s that Kubernetes gives. */
    public Settings closeWithin(Duration value) {
        return with(next -> next.closeWithin = Bounds.requirePositive("closeWithin", value));
    }

    /**
     * The time for which a failing request is repeated: the last try may begin then; strict commits end then. Default:
     * 60 s.
     */
    public Settings callBudget(Duration value) {
        return with(next -> next.calls = calls.within(Bounds.requirePositive("callBudget", value)));
    }

    /**
     * A stable name that survives restarts of this client, such as that of a pod of a stateful set or of a machine: 1
     * to 40 of a-z 0-9 -. A client that opens the store under a name takes its predecessor for dead, whatever {@link
     * #deadAfter} says, and {@link Penstock#open} returns when what that one had committed is applied. At most one
     * client at a time should have a name; two lose nothing, but recover each other. Default: none.
     */
    public Settings clientName(String value) {
        return with(next -> next.clientName = Bounds.requireClientName(value));
    }

    /**
     * The master keys of the store, all of whose objects, messages and local pages are then encrypted on this client;
     * names of objects and queues, sizes and times stay visible. A store is made with encryption or without, for good,
     * and opens with its keys alone. By name {@code file:PATH}, {@code env:VARIABLE}, {@code kms:KEY}, or the key.
     * Default: none.
     */
    public Settings encryption(MasterKeys value) {
        return with(next -> next.encryption = Bounds.requirePresent("encryption", value));
    }

    /**
     * The rules for session tokens, see {@link Session#token}, {@link Penstock#session}. All clients whose sessions
     * move among each other need the same keys. Default: not signed; wait 10 s, then fail.
     */
    public Settings tokens(Session.Tokens value) {
        return with(next -> next.tokens = Bounds.requirePresent("tokens", value));
    }

    /**
     * The choice of the clients that create queues and collections. Default: every client, when it first needs them.
     */
    public Settings provisioning(Provisioning value) {
        return with(next -> next.provisioning = Bounds.requirePresent("provisioning", value));
    }

    /**
     * Whether this client only reads: it then writes and recovers nothing, is refused where there is no store, and the
     * policy of a reader is enough. Default: no.
     */
    public Settings readOnly(boolean value) {
        return with(next -> next.readOnly = value);
    }

    /** The registry that metrics go to. Default: one of this store's own. */
    public Settings meters(MeterRegistry value) {
        return with(next -> {
            next.calls = calls.meters(Bounds.requirePresent("meters", value));
            next.isMetered = true;
        });
    }

    /** The registry that observes commits, checkpoints and page fetches, for traces and timers. Default: nowhere. */
    public Settings observations(ObservationRegistry value) {
        return with(next -> next.calls = calls.observations(Bounds.requirePresent("observations", value)));
    }

    /**
     * Changes settings that few programs need: {@code advanced(settings -> settings.lease(Duration.ofSeconds(10)))}. By
     * name they begin with {@code advanced}, such as {@code advanced.lease}.
     */
    public Settings advanced(UnaryOperator<Advanced> change) {
        return with(next -> next.advanced = Bounds.requirePresent(
                "advanced", Bounds.requirePresent("advanced", change).apply(advanced)));
    }

    /**
     * Returns these settings without the check that heartbeats are frequent enough: for tests in which living clients
     * are taken for dead.
     */
    Settings anyHeartbeat() {
        return with(next -> next.anyHeartbeat = true);
    }

    /** The settings as the rooms of an open store read them. */
    StoreSettings forStore() {
        Duration heartbeatInterval = heartbeatInterval();
        if (!anyHeartbeat) {
            Bounds.requireHeartbeatBefore(heartbeatInterval, deadAfter);
        }
        return new StoreSettings(
                prefix,
                new StoreSettings.Client(
                        Optional.ofNullable(clientName), provisioning.mayCreate(), readOnly, tokens.rules()),
                switch (advanced.layout) {
                    case Layout.PerLeaf perLeaf -> Routing.perLeaf();
                    case Layout.Partitioned partitioned -> Routing.partitioned(partitioned.queues());
                },
                new StoreSettings.Paging(pageBytes, pool, advanced.blockBytes, tier),
                new StoreSettings.Memory(
                        advanced.sessionBytes,
                        advanced.transactionBytesMax,
                        Bounds.requireWorkBytes(
                                advanced.memoryBytes, pool.bytesMax(), advanced.sessionBytes, pageBytes)),
                new StoreSettings.Limits(
                        ttl, advanced.clockSkewMax, deadAfter, advanced.lease, advanced.pendingAgeMax, staleness),
                new StoreSettings.Background(
                        checkpointing,
                        checkpointInterval,
                        advanced.forwardInterval,
                        heartbeatInterval,
                        Optional.ofNullable(advanced.sweepEvery),
                        advanced.sweeping,
                        closeWithin),
                calls,
                new StoreSettings.Log(Optional.ofNullable(commitLog), logRetention),
                Optional.ofNullable(encryption));
    }

    private Duration heartbeatInterval() {
        if (advanced.heartbeatInterval != null) {
            return advanced.heartbeatInterval;
        }
        // A little more, so that it is positive whatever is divided.
        Duration tenth = deadAfter.dividedBy(10).plusMillis(1);
        return anyHeartbeat || tenth.compareTo(HEARTBEAT_INTERVAL_MAX) > 0 ? HEARTBEAT_INTERVAL_MAX : tenth;
    }

    Servers servers() {
        return servers;
    }

    /** The prefix, as set by {@link #prefix(String)}. */
    public String prefix() {
        return prefix;
    }

    /** @param queued whether the store has queues */
    StoreLevel storeLevel(boolean queued) {
        return new StoreLevel(level(), level != null, queued);
    }

    /** The level, as set by {@link #level(ConsistencyLevel)}. */
    public ConsistencyLevel level() {
        return level == null ? ConsistencyLevel.SERIALIZABLE : level;
    }

    /** The registry, as set by {@link #meters(MeterRegistry)}. */
    public MeterRegistry meters() {
        return calls.meters();
    }

    /** Whether these settings name a registry for metrics. */
    public boolean isMetered() {
        return isMetered;
    }

    /** Whether these settings name a registry for observations. */
    public boolean isObserved() {
        return !calls.observations().isNoop();
    }

    /** The settings that few programs need. Immutable: each method returns changed settings. */
    public static final class Advanced implements Cloneable {
        private Layout layout = Layout.partitioned(1);
        private long memoryBytes;
        private long sessionBytes = 64 << 20;
        private long transactionBytesMax = 64 << 20;
        private int blockBytes;
        private Duration forwardInterval = Duration.ofSeconds(1);
        private @Nullable Duration heartbeatInterval;
        private Duration lease = Duration.ofSeconds(60);
        private Duration clockSkewMax = Duration.ofMinutes(5);
        private Duration pendingAgeMax = Duration.ofHours(12);
        private @Nullable Duration sweepEvery;
        private boolean sweeping = true;

        private Advanced() {}

        private Advanced with(Consumer<Advanced> change) {
            try {
                Advanced next = (Advanced) clone();
                change.accept(next);
                return next;
            } catch (CloneNotSupportedException e) {
                throw new IllegalStateException(e);
            }
        }

        /**
         * The layout: how log records are routed to PU queues. By name a number of queues, or {@code per-leaf}.
         * Default: one queue for each tree.
         */
        public Advanced layout(Layout value) {
            return with(next -> next.layout = Bounds.requirePresent("layout", value));
        }

        /**
         * The memory of this client in bytes: pool, sessions and all other work together. An operation that needs more
         * than is left is refused before it begins. Default: two thirds of the heap, or what there is a use for.
         */
        public Advanced memoryBytes(long value) {
            return with(next -> next.memoryBytes = Bounds.requireRange("memoryBytes", value, 1 << 20, Long.MAX_VALUE));
        }

        /**
         * The memory that all sessions of this client together may take for what they have committed and is not yet
         * applied, in bytes: from 64 KiB. A commit that finds it full waits for checkpoints, at most for {@link
         * Settings#callBudget}. Default: 64 MiB.
         */
        public Advanced sessionBytes(long value) {
            return with(
                    next -> next.sessionBytes = Bounds.requireRange("sessionBytes", value, 64 << 10, Long.MAX_VALUE));
        }

        /**
         * The maximum size of a transaction, and of a dead client's transaction that this client recovers: the bytes of
         * its keys and payloads, from 1 MiB. Default: 64 MiB.
         */
        public Advanced transactionBytesMax(long value) {
            return with(next -> next.transactionBytesMax = Bounds.requireTransactionBytes(value));
        }

        /**
         * The bytes of a large leaf that a read fetches first: 4 KiB to 16 MiB. A scan doubles them as it proceeds, and
         * ends up with whole leaves. Default: 0, whole leaves from the start.
         */
        public Advanced blockBytes(int value) {
            return with(next -> next.blockBytes = Bounds.requireBlockBytes(value));
        }

        /** The time that ATOMIC transactions gather before they are forwarded to the PU queues. Default: 1 s. */
        public Advanced forwardInterval(Duration value) {
            return with(next -> next.forwardInterval = Bounds.requirePositive("forwardInterval", value));
        }

        /**
         * The time between two heartbeats of a client that writes: shorter than {@link Settings#deadAfter}. Default: a
         * tenth of it, but at most 30 s.
         */
        public Advanced heartbeatInterval(Duration value) {
            return with(next -> next.heartbeatInterval = Bounds.requirePositive("heartbeatInterval", value));
        }

        /** The time that a checkpoint keeps others from the same queue: at most 12 hours. Default: 60 s. */
        public Advanced lease(Duration value) {
            return with(next -> next.lease = Bounds.requireLease(value));
        }

        /**
         * The difference between this machine's clock and the servers' at which commits are refused. Default: 5 min.
         */
        public Advanced clockSkewMax(Duration value) {
            return with(next -> next.clockSkewMax = Bounds.requirePositive("clockSkewMax", value));
        }

        /**
         * The age of the oldest unapplied commit at which new commits are refused: at most 7 days, since queues forget
         * after 14. From a twelfth of it on, new commits are slowed down. Default: 12 hours.
         */
        public Advanced pendingAgeMax(Duration value) {
            return with(next -> next.pendingAgeMax = Bounds.requirePendingAge(value));
        }

        /**
         * The interval at which this client sweeps the store by itself, whatever others do: recovers dead clients and
         * checkpoints every PU queue. For a daemon. Default: clients take turns, see {@link #sweeping}.
         */
        public Advanced sweepEvery(Duration value) {
            return with(next -> next.sweepEvery = Bounds.requirePositive("sweepEvery", value));
        }

        /**
         * Whether this client takes its turn at sweeping the store: one client every 1.4 times {@link
         * Settings#deadAfter} recovers dead clients and checkpoints PU queues that hold something. So what a dead
         * client had committed is visible to all within twice {@code deadAfter}, as long as any client is open that
         * sweeps. Clients that do not checkpoint do not sweep either. Default: yes. If not, the client recovers dead
         * clients once, when it opens the store.
         */
        public Advanced sweeping(boolean value) {
            return with(next -> next.sweeping = value);
        }
    }
}
