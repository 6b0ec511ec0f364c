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
import io.penstock.core.ErrorCode;
import io.penstock.core.StoreException;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import io.penstock.jobrunr.StoredJob.Moment;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
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
import org.jobrunr.storage.StorageProviderUtils.DatabaseOptions;
import org.jobrunr.storage.StorageProviderUtils.Jobs;
import org.jobrunr.storage.StorageProviderUtils.Metadata;
import org.jobrunr.storage.navigation.AmountRequest;
import org.jobrunr.storage.navigation.OffsetBasedPageRequest;
import org.jobrunr.storage.navigation.OrderTerm;
import org.jobrunr.utils.resilience.RateLimiter;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of JobRunr in collections of a store, for all servers of an application. Safe for use by many threads.
 *
 * <p>Each call is a transaction of its own in the domain {@code jobrunr}, at SERIALIZABLE, or at SNAPSHOT if it only
 * reads, whatever transaction its caller is in: a job is enqueued although that is aborted later. A save writes the
 * jobs that nobody has changed meanwhile, and names the others; more jobs than one transaction holds take several. When
 * the store does not answer, or leaves an outcome unknown, the call throws a {@link StorageException}.
 *
 * <p>Jobs are found by indexes: by state and time, and by recurring job. A list in another order reads all jobs in its
 * state. Numbers of jobs are counted in an index, so statistics cost in proportion to the jobs that the store has.
 */
public final class PenstockStorageProvider extends AbstractStorageProvider {
    /** The number of jobs that one transaction removes. */
    private static final int REMOVED_AT_ONCE = 1000;

    private final Penstock store;
    private final RecordCollection<UUID, StoredJob> jobs;
    private final Index<Moment, UUID, StoredJob> byUpdate;
    private final Index<Moment, UUID, StoredJob> byDue;
    private final Index<Moment, UUID, StoredJob> byRecurring;
    private final CoveringIndex<Moment, UUID, StoredJob, String> signatures;
    private final RecordCollection<String, String> recurringJobs;
    private final RecordCollection<UUID, BackgroundJobServerStatus> servers;
    private final RecordCollection<String, JobRunrMetadata> metadata;
    private volatile @Nullable JobMapper mapper;

    /** The jobs in a store, which its owner closes after JobRunr has stopped. */
    public PenstockStorageProvider(Penstock store) {
        super(RateLimiter.Builder.rateLimit().at1Request().per(RateLimiter.SECOND));
        this.store = store;
        this.jobs = store.collection(StoredJob.class);
        this.byUpdate = jobs.index("updated");
        this.byDue = jobs.index("due");
        this.byRecurring = jobs.index("recurring");
        this.signatures = byUpdate.including("signature", Json.of(String.class), StoredJob::signature);
        this.recurringJobs = store.collection("jobrunr-recurring", Keys.string(), Json.of(String.class))
                .inDomain(StoredJob.DOMAIN);
        this.servers = store.collection(
                        "jobrunr-servers", Keys.uuids(), Json.of(BackgroundJobServerStatus.class, StatusJson.MAPPER))
                .inDomain(StoredJob.DOMAIN);
        this.metadata = store.collection(
                        "jobrunr-metadata", Keys.string(), Json.of(JobRunrMetadata.class, StatusJson.MAPPER))
                .inDomain(StoredJob.DOMAIN);
    }

    /** Runs a transaction that is no part of one that the caller is in: on a thread of its own, which is in none. */
    private <T> T apart(ConsistencyLevel level, TransactionBody<T> body) {
        Tasks tasks = store.tasks();
        try {
            Task<T> task = tasks.fork("jobrunr", () -> store.transact(level, body));
            return tasks.uninterruptibly("jobrunr", task::join); // so an interrupted caller knows what is enqueued
        } catch (StoreException e) {
            throw new StorageException(e);
        }
    }

    private <T> T change(TransactionBody<T> body) {
        return apart(ConsistencyLevel.SERIALIZABLE, body);
    }

    /** Reads one state, and does not begin again for what others save meanwhile. */
    private <T> T read(TransactionBody<T> body) {
        return apart(ConsistencyLevel.SNAPSHOT, body);
    }

    private JobMapper mapper() {
        return Objects.requireNonNull(mapper, "the provider has no mapper; give it JobRunr's by setJobMapper");
    }

    @Override
    public void setJobMapper(JobMapper jobMapper) {
        mapper = jobMapper;
    }

    @Override
    public void setUpStorageProvider(DatabaseOptions options) {
        // The store makes collections when they are used first.
    }

    @Override
    public void announceBackgroundJobServer(BackgroundJobServerStatus server) {
        put(servers, server.getId(), server);
    }

    @Override
    public boolean signalBackgroundJobServerAlive(BackgroundJobServerStatus server) {
        Optional<BackgroundJobServerStatus> known = change(transaction -> {
            Optional<BackgroundJobServerStatus> found = transaction.get(servers, server.getId());
            found.ifPresent(before -> transaction.put(servers, server.getId(), server));
            return found;
        });
        return known.orElseThrow(() -> new ServerTimedOutException(server, new StorageException("it was removed")))
                .isRunning();
    }

    @Override
    public void signalBackgroundJobServerStopped(BackgroundJobServerStatus server) {
        boolean unused = remove(servers, server.getId());
    }

    @Override
    public List<BackgroundJobServerStatus> getBackgroundJobServers() {
        return values(servers)
                .sorted(Comparator.comparing(BackgroundJobServerStatus::getFirstHeartbeat))
                .toList();
    }

    @Override
    public UUID getLongestRunningBackgroundJobServerId() {
        return getBackgroundJobServers().stream()
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no background job server is known"))
                .getId();
    }

    @Override
    public int removeTimedOutBackgroundJobServers(Instant heartbeatOlderThan) {
        return removeAll(servers, server -> server.getLastHeartbeat().isBefore(heartbeatOlderThan));
    }

    private <K, V> void put(RecordCollection<K, V> collection, K key, V value) {
        boolean unused = change(transaction -> {
            transaction.put(collection, key, value);
            return true;
        });
    }

    private <K, V> Stream<V> values(RecordCollection<K, V> collection) {
        return found(transaction -> transaction.scan(collection, KeySpan.all()));
    }

    private <K, V> Stream<V> found(Function<Transaction, Scan<Entry<K, V>>> scan) {
        return read(transaction -> scan.apply(transaction).page().records()).stream()
                .map(Entry::value);
    }

    private <K> boolean remove(RecordCollection<K, ?> collection, K key) {
        return change(transaction -> {
            boolean found = transaction.get(collection, key).isPresent();
            transaction.delete(collection, key);
            return found;
        });
    }

    private <K, V> int removeAll(RecordCollection<K, V> collection, Predicate<V> which) {
        return change(transaction -> {
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
        return values(metadata)
                .filter(each -> each.getName().equals(name))
                .sorted(Comparator.comparing(JobRunrMetadata::getUpdatedAt))
                .toList();
    }

    @Override
    public @Nullable JobRunrMetadata getMetadata(String name, String owner) {
        return read(transaction -> transaction.get(metadata, JobRunrMetadata.toId(name, owner)))
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
            Map<UUID, StoredJob> next = new LinkedHashMap<>();
            saved.forEach(job -> next.put(job.getId(), StoredJob.of(job, mapper())));
            Set<UUID> written = new HashSet<>();
            List<Job> changed;
            try {
                write(List.copyOf(next.values()), written);
            } finally {
                changed = saved.stream()
                        .filter(job -> !written.contains(job.getId()))
                        .toList();
                versions.rollbackVersions(changed);
            }
            if (!changed.isEmpty()) {
                throw new ConcurrentJobModificationException(changed);
            }
        }
        notifyJobStatsOnChangeListenersIf(!saved.isEmpty());
        return saved;
    }

    /**
     * Writes the jobs that nobody has changed meanwhile, in as few transactions as hold them, and adds their ids. One
     * that is too large by itself does not keep the others from being written.
     */
    private void write(List<StoredJob> next, Set<UUID> written) {
        Deque<List<StoredJob>> left = new ArrayDeque<>(List.of(next));
        StorageException refused = null;
        while (!left.isEmpty()) {
            List<StoredJob> some = left.pop();
            int half = some.size() / 2;
            try {
                written.addAll(write(some));
            } catch (StorageException e) {
                if (!(e.getCause() instanceof StoreException cause) || cause.code() != ErrorCode.TOO_LARGE) {
                    throw e;
                }
                if (half == 0) {
                    refused = e;
                } else {
                    left.push(some.subList(half, some.size()));
                    left.push(some.subList(0, half));
                }
            }
        }
        if (refused != null) {
            throw refused;
        }
    }

    private List<UUID> write(List<StoredJob> next) {
        return change(transaction -> {
            List<UUID> ids = next.stream().map(StoredJob::id).toList();
            Map<UUID, StoredJob> found = transaction.getAll(jobs, ids);
            return next.stream()
                    .filter(job -> job.follows(found.get(job.id())))
                    .map(job -> transaction.put(jobs, job).id())
                    .toList();
        });
    }

    @Override
    public Job getJobById(UUID id) {
        return read(transaction -> transaction.get(jobs, id))
                .map(job -> mapper().deserializeJob(job.json()))
                .orElseThrow(() -> new JobNotFoundException(id));
    }

    @Override
    public long countJobs(StateName state) {
        return read(transaction -> count(transaction, state));
    }

    private long count(Transaction transaction, StateName state) {
        return count(transaction.scan(signatures, Moment.before(state.name(), Instant.MAX)));
    }

    private static long count(Scan<?> scan) {
        return scan.toEnd().stream().count();
    }

    @Override
    public List<Job> getJobList(StateName state, Instant updatedBefore, AmountRequest amount) {
        return list(byUpdate, Jobs.FIELD_UPDATED_AT, Moment.before(state.name(), updatedBefore), amount);
    }

    @Override
    public List<Job> getJobList(StateName state, AmountRequest amount) {
        return getJobList(state, Instant.MAX, amount);
    }

    @Override
    public List<Job> getCarbonAwareJobList(Instant deadlineBefore, AmountRequest amount) {
        return list(byDue, Jobs.FIELD_SCHEDULED_AT, Moment.before("AWAITING", deadlineBefore), amount);
    }

    @Override
    public List<Job> getScheduledJobs(Instant scheduledBefore, AmountRequest amount) {
        return list(byDue, Jobs.FIELD_SCHEDULED_AT, Moment.before("SCHEDULED", scheduledBefore), amount);
    }

    /** @param column the one whose order the index has: of a list in this order no more is read than is returned */
    private List<Job> list(
            Index<Moment, UUID, StoredJob> by, String column, KeySpan<Moment> all, AmountRequest amount) {
        List<OrderTerm> order = amount.getAllOrderTerms(Job.ALLOWED_SORT_COLUMNS.keySet());
        long offset = amount instanceof OffsetBasedPageRequest page ? page.getOffset() : 0;
        boolean sorted = order.size() == 1 && order.getFirst().getFieldName().equals(column);
        KeySpan<Moment> span = sorted && order.getFirst().getOrder() == OrderTerm.Order.DESC ? all.reversed() : all;
        KeySpan<Moment> read = sorted ? span.limit(Math.max(1, offset + amount.getLimit())) : span;
        return found(transaction -> transaction.scan(by, read))
                .map(job -> mapper().deserializeJob(job.json()))
                .sorted(order.stream()
                        .map(Job.ALLOWED_SORT_COLUMNS::toComparator)
                        .reduce((unused, unusedToo) -> 0, Comparator::thenComparing))
                .skip(offset)
                .limit(amount.getLimit())
                .collect(Collectors.toList());
    }

    @Override
    public int deletePermanently(UUID id) {
        boolean removed = remove(jobs, id);
        notifyJobStatsOnChangeListenersIf(removed);
        return removed ? 1 : 0;
    }

    @Override
    public int deleteJobsPermanently(StateName state, Instant updatedBefore) {
        KeySpan<Moment> first = Moment.before(state.name(), updatedBefore).limit(REMOVED_AT_ONCE);
        int removed = 0;
        for (int step = REMOVED_AT_ONCE; step == REMOVED_AT_ONCE; removed += step) {
            step = change(transaction -> {
                List<Entry<UUID, String>> found =
                        transaction.scan(signatures, first).page().records();
                found.forEach(entry -> transaction.delete(jobs, entry.key()));
                return found.size();
            });
        }
        notifyJobStatsOnChangeListenersIf(removed > 0);
        return removed;
    }

    @Override
    public Set<String> getDistinctJobSignatures(StateName... states) {
        return read(transaction -> Arrays.stream(states)
                .flatMap(state ->
                        transaction.scan(signatures, Moment.before(state.name(), Instant.MAX)).toEnd().stream())
                .map(Entry::value)
                .collect(Collectors.toSet()));
    }

    @Override
    public @Nullable Instant getRecurringJobLatestScheduledInstant(String recurringJobId, StateName... states) {
        return read(transaction -> Arrays.stream(StateName.getStateNames(states))
                        .map(state -> Moment.before(recurringJobId + "/" + state, Instant.MAX)
                                .reversed()
                                .limit(1))
                        .flatMap(last -> transaction.scan(byRecurring, last).stream())
                        .map(job ->
                                Objects.requireNonNull(job.value().recurring()).at())
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
        return new RecurringJobsResult(
                values(recurringJobs).map(mapper()::deserializeRecurringJob).toList());
    }

    @Override
    public boolean recurringJobsUpdated(Long recurringJobsUpdatedHash) {
        Stream<Long> made =
                getRecurringJobs().stream().map(job -> job.getCreatedAt().toEpochMilli());
        return recurringJobsUpdatedHash != made.mapToLong(Long::longValue).sum();
    }

    @Override
    public int deleteRecurringJob(String id) {
        return remove(recurringJobs, id) ? 1 : 0;
    }

    @Override
    public JobStats getJobStats() {
        return read(transaction -> {
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
                            .get(metadata, Metadata.STATS_ID)
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
        boolean unused = change(transaction -> {
            Optional<JobRunrMetadata> before = transaction.get(metadata, Metadata.STATS_ID);
            String sum = Long.toString(
                    amount + before.map(JobRunrMetadata::getValueAsLong).orElse(0L));
            JobRunrMetadata after = new JobRunrMetadata(Metadata.STATS_NAME, Metadata.STATS_OWNER, sum, now(), now());
            transaction.put(metadata, after.getId(), after);
            return true;
        });
    }
}
