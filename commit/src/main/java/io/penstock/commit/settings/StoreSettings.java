package io.penstock.commit.settings;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.penstock.commit.protocol.Routing;
import io.penstock.commit.token.TokenRules;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.pool.PageTier;
import io.penstock.core.pool.PoolRoom;
import io.penstock.core.retry.RetryPolicy;
import io.penstock.core.seal.MasterKeys;
import io.penstock.core.seal.Seals;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * The settings of one open store, grouped by what reads them. Each choice of a user is already what it means here: a
 * layout is a {@link Routing}, a provisioning is a right to create. Immutable.
 *
 * @param prefix the store's name within its bucket and queues
 * @param encryption the master keys of an encrypted store
 */
public record StoreSettings(
        String prefix,
        Client client,
        Routing routing,
        Paging paging,
        Memory memory,
        Limits limits,
        Background background,
        Calls calls,
        Log log,
        Optional<MasterKeys> encryption) {
    /** Whether the queues of a tree are known before it has pages. */
    public boolean knowsQueues() {
        return routing.queuesPerTree().isPresent();
    }

    /** Returns these settings with what they have of servers and disks sealed. */
    public StoreSettings sealed(Seals seals) {
        return new StoreSettings(
                prefix,
                client,
                routing,
                new Paging(
                        paging.pageBytes,
                        paging.pool,
                        paging.blockBytes,
                        tasks -> seals.tier(paging.tier.apply(tasks))),
                memory,
                limits,
                background,
                calls,
                new Log(log.objects.map(objects -> seals.objects(objects, prefix + "/")), log.retention),
                encryption);
    }

    /**
     * This client and its rights.
     *
     * @param name that its next start will have too; empty for none
     * @param mayCreate whether it creates queues and definitions of collections that it misses
     * @param readOnly whether it writes nothing at all
     * @param tokens the rules by which it makes and accepts session tokens
     */
    public record Client(Optional<String> name, boolean mayCreate, boolean readOnly, TokenRules tokens) {
        /** Whether this client adds definitions to the catalog. */
        public boolean mayDefine() {
            return mayCreate && !readOnly;
        }
    }

    /**
     * The pages of this client: their size, and its pool of them.
     *
     * @param pageBytes the size at which pages of new collections split
     * @param pool the room of its pool, which other stores of this process may share
     * @param blockBytes the part of a large leaf that a read fetches at first; 0 for whole leaves
     * @param tier makes the second level of the pool
     */
    public record Paging(int pageBytes, PoolRoom pool, int blockBytes, Function<Tasks, PageTier> tier) {}

    /**
     * The bounds of what this client holds in memory besides pages.
     *
     * @param sessionBytes of transactions that sessions have committed and that are not yet applied
     * @param transactionBytesMax of one transaction, its own or a dead client's
     * @param workBytes of checkpoints, loads, index work and care of the store together
     */
    public record Memory(long sessionBytes, long transactionBytesMax, long workBytes) {}

    /**
     * The ages at which something no longer counts.
     *
     * @param ttl of a pooled page that is read without asking
     * @param clockSkewMax by which this machine's clock may differ from the servers'
     * @param deadAfter age of a heartbeat after which its client is dead
     * @param lease of a checkpoint on its queue
     * @param pendingAgeMax of a commit that is not applied; above it further ones are refused
     * @param staleness of the state that isolated reads see where nothing is written
     */
    public record Limits(
            Duration ttl,
            Duration clockSkewMax,
            Duration deadAfter,
            Duration lease,
            Duration pendingAgeMax,
            Duration staleness) {
        /** The longest {@code ttl} of any client: work that needs all pools to have dropped a page waits for it. */
        public static final Duration TTL_MAX = Duration.ofMinutes(5);
    }

    /**
     * The rhythm of background work.
     *
     * @param checkpointing whether this client checkpoints the queues that it writes to
     * @param sweepEvery between two sweeps of the whole store by this client itself; empty for none
     * @param sweeping whether this client takes its turn at sweeping
     * @param closeWithin the longest that closing may take
     */
    public record Background(
            boolean checkpointing,
            Duration checkpointInterval,
            Duration forwardInterval,
            Duration heartbeatInterval,
            Optional<Duration> sweepEvery,
            boolean sweeping,
            Duration closeWithin) {}

    /**
     * The commit logs of domains.
     *
     * @param objects the store that has them; empty for that of the pages
     * @param retention the age at which this client trims segments that are on pages
     */
    public record Log(Optional<ObjectStore> objects, Duration retention) {}

    /**
     * The calls of servers.
     *
     * @param budget the longest that a failing call is repeated
     * @param meters the registry that counts them
     * @param observations the registry that observes commits, checkpoints and page fetches
     */
    public record Calls(Duration budget, MeterRegistry meters, ObservationRegistry observations) {
        /** Returns the settings of a client that has set nothing. */
        public static Calls standard() {
            return new Calls(RetryPolicy.STANDARD.budget(), new SimpleMeterRegistry(), ObservationRegistry.NOOP);
        }

        public Calls within(Duration value) {
            return new Calls(value, meters, observations);
        }

        public Calls meters(MeterRegistry value) {
            return new Calls(budget, value, observations);
        }

        public Calls observations(ObservationRegistry value) {
            return new Calls(budget, meters, value);
        }
    }
}
