package io.penstock.jobrunr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.task.Task;
import io.penstock.core.task.ThreadTasks;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jobrunr.jobs.Job;
import org.jobrunr.jobs.JobTestBuilder;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.jobs.states.StateName;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.storage.Paging;
import org.jobrunr.storage.StorageException;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.stubs.BackgroundJobServerStub;
import org.jobrunr.utils.mapper.jackson.JacksonJsonMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers, each with a client of the store, that take jobs of one queue; and what one server relies on. */
class SharedQueueTest {
    private static final int THREADS = 3;
    private static final int JOBS = 120;

    @TempDir
    private Path directory;

    private final ThreadTasks tasks = new ThreadTasks();

    private static PenstockStorageProvider provider(Penstock store) {
        PenstockStorageProvider provider = new PenstockStorageProvider(store);
        provider.setJobMapper(new JobMapper(new JacksonJsonMapper()));
        return provider;
    }

    private static List<Job> enqueued(int count) {
        return Stream.generate(() -> JobTestBuilder.anEnqueuedJob().build())
                .limit(count)
                .toList();
    }

    private void onTwo(BiConsumer<StorageProvider, StorageProvider> test) {
        try (LocalCloud cloud = LocalCloud.open(directory, tasks);
                Penstock first = Penstock.open(Settings.on(cloud.objects(), tasks));
                Penstock second = Penstock.open(Settings.on(cloud.objects(), tasks));
                StorageProvider one = provider(first);
                StorageProvider other = provider(second)) {
            test.accept(one, other);
        }
    }

    /** Takes jobs and ends them until none is left, as a server does. */
    private static void work(StorageProvider provider, Map<UUID, Integer> runs) {
        BackgroundJobServer server = new BackgroundJobServerStub(provider, new JacksonJsonMapper());
        while (provider.countJobs(StateName.ENQUEUED) > 0) {
            for (Job job : provider.getJobsToProcess(server, Paging.AmountBasedList.ascOnUpdatedAt(5))) {
                runs.merge(job.getId(), 1, Integer::sum);
                job.succeeded();
                provider.save(job);
            }
        }
    }

    @Test
    void eachJobRunsOnce() {
        onTwo((one, other) -> {
            one.save(enqueued(JOBS));
            Map<UUID, Integer> runs = new ConcurrentHashMap<>();
            List<Task<Boolean>> servers = new ArrayList<>();
            for (int thread = 0; thread < 2 * THREADS; thread++) {
                StorageProvider provider = thread % 2 == 0 ? one : other;
                servers.add(tasks.fork("server", () -> {
                    work(provider, runs);
                    return true;
                }));
            }
            servers.forEach(Task::join);
            assertThat(runs)
                    .hasSize(JOBS)
                    .allSatisfy((job, count) -> assertThat(count).isEqualTo(1));
            assertThat(other.getJobStats().getSucceeded()).isEqualTo(JOBS);
        });
    }

    @Test
    void manyJobsAreRemovedInSeveralTransactions() {
        onTwo((one, other) -> {
            one.save(enqueued(2_001));
            Job young = JobTestBuilder.aScheduledJob().build();
            other.save(young);
            assertThat(other.deleteJobsPermanently(
                            StateName.ENQUEUED, Instant.now().plusSeconds(1)))
                    .isEqualTo(2_001);
            assertThat(one.getJobStats().getTotal()).isEqualTo(1);
            assertThat(one.getJobById(young.getId()).getVersion()).isEqualTo(1);
        });
    }

    @Test
    void aJobIsSavedWhateverBecomesOfTheTransactionAroundIt() {
        try (Penstock store = Penstock.open(Settings.inMemory());
                StorageProvider provider = provider(store)) {
            Job job = JobTestBuilder.anEnqueuedJob().build();
            assertThatThrownBy(() -> store.transact(transaction -> {
                        provider.save(job);
                        throw new IllegalStateException("the business says no");
                    }))
                    .hasMessage("the business says no");
            assertThat(provider.getJobById(job.getId()).getState()).isEqualTo(StateName.ENQUEUED);
        }
    }

    @Test
    void aProviderWithoutMapperSaysHowItGetsOne() {
        try (Penstock store = Penstock.open(Settings.inMemory());
                StorageProvider provider = new PenstockStorageProvider(store)) {
            assertThatThrownBy(() -> provider.save(enqueued(1))).hasMessageContaining("setJobMapper");
        }
    }

    @Test
    void aStoreThatIsClosedIsAStorageException() {
        Penstock store = Penstock.open(Settings.inMemory());
        StorageProvider provider = provider(store);
        store.close();
        assertThatThrownBy(() -> provider.countJobs(StateName.ENQUEUED)).isInstanceOf(StorageException.class);
    }
}
