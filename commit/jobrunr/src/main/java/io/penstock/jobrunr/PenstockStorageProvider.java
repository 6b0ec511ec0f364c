package io.penstock.jobrunr;

import io.penstock.ConsistencyLevel;
import io.penstock.CoveringIndex;
import io.penstock.Entry;
import io.penstock.Index;
import io.penstock.Json;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.Transaction;
import io.penstock.TransactionBody;
import io.penstock.core.StoreException;
import io.penstock.jobrunr.StoredJob.Moment;
import io.penstock.jobrunr.StoredJob.Run;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jobrunr.jobs.Job;
import org.jobrunr.jobs.JobListVersioner;
import org.jobrunr.jobs.RecurringJob;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.jobs.states.StateName;
import org.jobrunr.storage.AbstractStorageProvider;
import org.jobrunr.storage.BackgroundJobServerStatus;
import org.jobrunr.storage.ConcurrentJobModificationException;
import org.jobrunr.storage.JobNotFoundException;
import org.jobrunr.storage.JobRunrMetadata;
import org.jobrunr.storage.JobStats;
import org.jobrunr.storage.RecurringJobsResult;
import org.jobrunr.storage.ServerTimedOutException;
import org.jobrunr.storage.StorageException;
import org.jobrunr.storage.StorageProviderUtils;
import org.jobrunr.storage.navigation.AmountRequest;
import org.jobrunr.storage.navigation.OffsetBasedPageRequest;
import org.jobrunr.storage.navigation.OrderTerm;
import org.jobrunr.utils.resilience.RateLimiter;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of JobRunr in collections of a store, for all servers of an application.
 *
 * <p>Each call is a transaction at SERIALIZABLE of its own, in the domain {@code jobrunr}, whatever transaction its
 * caller is in: a job is enqueued although that is aborted later. A save writes the jobs that nobody has changed
 * meanwhile, all or none of them, and names the others. When the store does not answer, or leaves an outcome unknown,
 * the call throws a {@link StorageException}.
 *
 * <p>Jobs are found by indexes: by state and time, and by recurring job. A list in another order reads all jobs in its
 * state. Numbers of jobs are counted in an index, so statistics cost in proportion to the jobs that the store has.
 *
 * <p>Safe for use by many threads.
 */
public final class PenstockStorageProvider extends AbstractStorageProvider {
    /** The number of jobs that one transaction removes. */
    private static final int REMOVED_AT_ONCE = 1000;

    private final Penstock store;
    private final RecordCollection<UUID, StoredJob> jobs;
    private final Index<Moment, UUID, StoredJob> byUpdate;
    private final Index<Moment, UUID, StoredJob> byDue;
    private final Index<Run, UUID, StoredJob> byRun;
    private final CoveringIndex<Moment, UUID, StoredJob, String> signatures;
    private final RecordCollection<String, String> recurringJobs;
    private final RecordCollection<UUID, BackgroundJobServerStatus> servers;
    private final RecordCollection<String, JobRunrMetadata> metadata;
    private volatile @Nullable JobMapper mapper;

    /** The jobs in a store, which its owner closes after JobRunr has stopped. */
    public PenstockStorageProvider(Penstock store) {
        this(store, RateLimiter.Builder.rateLimit().at1Request().per(RateLimiter.SECOND));
    }

    /** @param statistics how often listeners to statistics are told */
    PenstockStorageProvider(Penstock store, RateLimiter statistics) {
        super(statistics);
        this.store = store;
        this.jobs = store.collection(StoredJob.class);
        this.byUpdate = jobs.index("updated");
        this.byDue = jobs.index("due");
        this.byRun = jobs.index("recurring");
        this.signatures = byUpdate.including("signature", Json.of(String.class), StoredJob::signature);
        this.recurringJobs = store.collection("jobrunr-recurring", Keys.string(), Json.of(String.class))
                .inDomain(StoredJob.DOMAIN);
        this.servers = store.collection("jobrunr-servers", Keys.uuids(), StatusJson.ofServers())
                .inDomain(StoredJob.DOMAIN);
        this.metadata = store.collection("jobrunr-metadata", Keys.string(), StatusJson.ofMetadata())
                .inDomain(StoredJob.DOMAIN);
    }

    /** Runs a transaction that is no part of one that the caller is in: on a thread of its own, which is in none. */
    private <T> T apart(TransactionBody<T> body) {
        try {
            return store.tasks()
                    .fork("jobrunr", () -> store.transact(ConsistencyLevel.SERIALIZABLE, body))
                    .join();
        } catch (StoreException e) {
            throw new StorageException(e);
        }
    }

    private JobMapper mapper() {
        return Objects.requireNonNull(mapper, "JobRunr gives the mapper before it uses the jobs");
    }

    @Override
    public void setJobMapper(JobMapper jobMapper) {
        mapper = jobMapper;
    }

    /** Does nothing: the store makes collections when they are used first. */
    @Override
    public void setUpStorageProvider(StorageProviderUtils.DatabaseOptions options) {}

    @Override
    public void announceBackgroundJobServer(BackgroundJobServerStatus server) {
        put(servers, server.getId(), server);
    }

    @Override
    public boolean signalBackgroundJobServerAlive(BackgroundJobServerStatus server) {
        boolean known = apart(transaction -> {
            boolean found = transaction.get(servers, server.getId()).isPresent();
            if (found) {
                transaction.put(servers, server.getId(), server);
            }
            return found;
        });
        if (!known) {
            throw new ServerTimedOutException(server, new StorageException("the store does not know the server"));
        }
        return server.isRunning();
    }

    @Override
    public void signalBackgroundJobServerStopped(BackgroundJobServerStatus server) {
        boolean unused = remove(servers, server.getId());
    }

    @Override
    public List<BackgroundJobServerStatus> getBackgroundJobServers() {
        return values(servers).stream()
                .sorted(Comparator.comparing(BackgroundJobServerStatus::getFirstHeartbeat))
                .collect(Collectors.toList());
    }

    @Override
    public UUID getLongestRunningBackgroundJobServerId() {
        return getBackgroundJobServers().stream()
                .findFirst()
                .map(BackgroundJobServerStatus::getId)
                .orElseThrow(() -> new StorageException("no server has told the store that it runs"));
    }

    @Override
    public int removeTimedOutBackgroundJobServers(Instant heartbeatOlderThan) {
        return removeAll(servers, server -> server.getLastHeartbeat().isBefore(heartbeatOlderThan));
    }

    private <K, V> void put(RecordCollection<K, V> collection, K key, V value) {
        boolean unused = apart(transaction -> {
            transaction.put(collection, key, value);
            return true;
        });
    }

    private <K, V> List<V> values(RecordCollection<K, V> collection) {
        return apart(transaction ->
                        transaction.scan(collection, KeySpan.all()).page().records())
                .stream()
                .map(Entry::value)
                .toList();
    }

    private <K> boolean remove(RecordCollection<K, ?> collection, K key) {
        return apart(transaction -> {
            boolean found = transaction.get(collection, key).isPresent();
            transaction.delete(collection, key);
            return found;
        });
    }

    private <K, V> int removeAll(RecordCollection<K, V> collection, Predicate<V> which) {
        return apart(transaction -> {
            List<Entry<K, V>> found = transaction.scan(collection, KeySpan.all()).stream()
                    .filter(entry -> which.test(entry.value()))
                    .toList();
            found.forEach(entry -> transaction.delete(collection, entry.key()));
            return found.size();
        });
    }

    @Override
    public void saveMetadata(JobRunrMetadata saved) {
        put(metadata, saved.getId(), saved);
        notifyMetadataChangeListeners();
    }

    @Override
    public List<JobRunrMetadata> getMetadata(String name) {
        return values(metadata).stream()
                .filter(each -> each.getName().equals(name))
                .sorted(Comparator.comparing(JobRunrMetadata::getUpdatedAt))
                .collect(Collectors.toList());
    }

    @Override
    public @Nullable JobRunrMetadata getMetadata(String name, String owner) {
        return apart(transaction -> transaction.get(metadata, JobRunrMetadata.toId(name, owner)))
                .orElse(null);
    }

    @Override
    public void deleteMetadata(String name) {
        notifyMetadataChangeListeners(removeAll(metadata, each -> each.getName().equals(name)) > 0);
    }

    @Override
    public void deleteMetadata(String name, String owner) {
        notifyMetadataChangeListeners(remove(metadata, JobRunrMetadata.toId(name, owner)));
    }

    @Override
    public Job save(Job job) {
        return save(List.of(job)).getFirst();
    }

    @Override
    public List<Job> save(List<Job> saved) {
        try (JobListVersioner versions = new JobListVersioner(saved)) {
            Set<UUID> left =
                    put(saved.stream().map(job -> StoredJob.of(job, mapper())).toList());
            List<Job> changed =
                    saved.stream().filter(job -> left.contains(job.getId())).collect(Collectors.toList());
            versions.rollbackVersions(changed);
            if (!changed.isEmpty()) {
                throw new ConcurrentJobModificationException(changed);
            }
        }
        notifyJobStatsOnChangeListenersIf(!saved.isEmpty());
        return saved;
    }

    /** Puts the jobs that follow their records, and returns the others. */
    private Set<UUID> put(List<StoredJob> saved) {
        return apart(transaction -> {
            Set<UUID> left = new HashSet<>();
            Map<UUID, StoredJob> found =
                    transaction.getAll(jobs, saved.stream().map(StoredJob::id).toList());
            for (StoredJob job : saved) {
                if (job.follows(found.get(job.id()))) {
                    transaction.put(jobs, job);
                } else {
                    left.add(job.id());
                }
            }
            return left;
        });
    }

    @Override
    public Job getJobById(UUID id) {
        return apart(transaction -> transaction.get(jobs, id))
                .map(this::job)
                .orElseThrow(() -> new JobNotFoundException(id));
    }

    private Job job(StoredJob stored) {
        return mapper().deserializeJob(stored.json());
    }

    @Override
    public long countJobs(StateName state) {
        return apart(transaction -> count(transaction, state));
    }

    private long count(Transaction transaction, StateName state) {
        return count(transaction.scan(signatures, Moment.before(state, Instant.MAX)));
    }

    private static long count(Scan<?> scan) {
        return scan.toEnd().stream().count();
    }

    @Override
    public List<Job> getJobList(StateName state, Instant updatedBefore, AmountRequest amount) {
        return list(byUpdate, StorageProviderUtils.Jobs.FIELD_UPDATED_AT, Moment.before(state, updatedBefore), amount);
    }

    @Override
    public List<Job> getJobList(StateName state, AmountRequest amount) {
        return getJobList(state, Instant.MAX, amount);
    }

    @Override
    public List<Job> getCarbonAwareJobList(Instant deadlineBefore, AmountRequest amount) {
        return list(
                byDue,
                StorageProviderUtils.Jobs.FIELD_SCHEDULED_AT,
                Moment.before(StateName.AWAITING, deadlineBefore),
                amount);
    }

    @Override
    public List<Job> getScheduledJobs(Instant scheduledBefore, AmountRequest amount) {
        return list(
                byDue,
                StorageProviderUtils.Jobs.FIELD_SCHEDULED_AT,
                Moment.before(StateName.SCHEDULED, scheduledBefore),
                amount);
    }

    /** @param column the one whose order the index has */
    private List<Job> list(
            Index<Moment, UUID, StoredJob> by, String column, KeySpan<Moment> span, AmountRequest amount) {
        long offset = amount instanceof OffsetBasedPageRequest page ? page.getOffset() : 0;
        List<OrderTerm> order = amount.getAllOrderTerms(Job.ALLOWED_SORT_COLUMNS.keySet());
        boolean indexed = order.stream().map(OrderTerm::getFieldName).toList().equals(List.of(column));
        if (indexed) {
            boolean descending = order.getFirst().getOrder() == OrderTerm.Order.DESC;
            KeySpan<Moment> first =
                    (descending ? span.reversed() : span).limit(Math.max(1, offset + amount.getLimit()));
            return found(by, first).skip(offset).map(this::job).collect(Collectors.toList());
        }
        Stream<Job> all = found(by, span).map(this::job);
        Optional<Comparator<Job>> sorting =
                order.stream().map(Job.ALLOWED_SORT_COLUMNS::toComparator).reduce(Comparator::thenComparing);
        return (sorting.isPresent() ? all.sorted(sorting.get()) : all)
                .skip(offset)
                .limit(amount.getLimit())
                .collect(Collectors.toList());
    }

    private Stream<StoredJob> found(Index<Moment, UUID, StoredJob> by, KeySpan<Moment> span) {
        return apart(transaction -> transaction.scan(by, span).page().records()).stream()
                .map(Entry::value);
    }

    @Override
    public int deletePermanently(UUID id) {
        boolean removed = remove(jobs, id);
        notifyJobStatsOnChangeListenersIf(removed);
        return removed ? 1 : 0;
    }

    @Override
    public int deleteJobsPermanently(StateName state, Instant updatedBefore) {
        KeySpan<Moment> first = Moment.before(state, updatedBefore).limit(REMOVED_AT_ONCE);
        int removed = 0;
        int step;
        do {
            step = apart(transaction -> {
                List<UUID> keys = transaction.scan(signatures, first).stream()
                        .map(Entry::key)
                        .toList();
                keys.forEach(key -> transaction.delete(jobs, key));
                return keys.size();
            });
            removed += step;
        } while (step == REMOVED_AT_ONCE);
        notifyJobStatsOnChangeListenersIf(removed > 0);
        return removed;
    }

    @Override
    public Set<String> getDistinctJobSignatures(StateName... states) {
        return apart(transaction -> Arrays.stream(states)
                .flatMap(state -> transaction.scan(signatures, Moment.before(state, Instant.MAX)).toEnd().stream())
                .map(Entry::value)
                .collect(Collectors.toSet()));
    }

    @Override
    public @Nullable Instant getRecurringJobLatestScheduledInstant(String recurringJobId, StateName... states) {
        return apart(transaction -> Arrays.stream(StateName.getStateNames(states))
                        .flatMap(state -> transaction.scan(byRun, Run.last(recurringJobId, state)).stream())
                        .map(found -> Objects.requireNonNull(found.value().recurring())
                                .at())
                        .max(Comparator.naturalOrder()))
                .orElse(null);
    }

    @Override
    public RecurringJob saveRecurringJob(RecurringJob job) {
        put(recurringJobs, job.getId(), mapper().serializeRecurringJob(job));
        return job;
    }

    @Override
    public RecurringJobsResult getRecurringJobs() {
        return new RecurringJobsResult(values(recurringJobs).stream()
                .map(mapper()::deserializeRecurringJob)
                .toList());
    }

    @Override
    public boolean recurringJobsUpdated(Long recurringJobsUpdatedHash) {
        return recurringJobsUpdatedHash
                != getRecurringJobs().stream()
                        .mapToLong(job -> job.getCreatedAt().toEpochMilli())
                        .sum();
    }

    @Override
    public int deleteRecurringJob(String id) {
        return remove(recurringJobs, id) ? 1 : 0;
    }

    @Override
    public JobStats getJobStats() {
        return apart(transaction -> {
            Map<StateName, Long> jobsIn = new EnumMap<>(StateName.class);
            for (StateName state : StateName.values()) {
                jobsIn.put(state, count(transaction, state));
            }
            return new JobStats(
                    now(),
                    jobsIn.values().stream().mapToLong(Long::longValue).sum(),
                    jobsIn.get(StateName.AWAITING),
                    jobsIn.get(StateName.SCHEDULED),
                    jobsIn.get(StateName.ENQUEUED),
                    jobsIn.get(StateName.PROCESSING),
                    jobsIn.get(StateName.FAILED),
                    jobsIn.get(StateName.SUCCEEDED),
                    transaction
                            .get(metadata, StorageProviderUtils.Metadata.STATS_ID)
                            .map(JobRunrMetadata::getValueAsLong)
                            .orElse(0L),
                    jobsIn.get(StateName.DELETED),
                    (int) count(transaction.scan(recurringJobs, KeySpan.all())),
                    (int) count(transaction.scan(servers, KeySpan.all())));
        });
    }

    private Instant now() {
        return Instant.ofEpochMilli(store.tasks().nowMillis());
    }

    @Override
    public void publishTotalAmountOfSucceededJobs(int amount) {
        boolean unused = apart(transaction -> {
            Optional<JobRunrMetadata> before = transaction.get(metadata, StorageProviderUtils.Metadata.STATS_ID);
            String sum = Long.toString(
                    amount + before.map(JobRunrMetadata::getValueAsLong).orElse(0L));
            JobRunrMetadata after = new JobRunrMetadata(
                    StorageProviderUtils.Metadata.STATS_NAME,
                    StorageProviderUtils.Metadata.STATS_OWNER,
                    sum,
                    now(),
                    now());
            transaction.put(metadata, after.getId(), after);
            return true;
        });
    }
}
