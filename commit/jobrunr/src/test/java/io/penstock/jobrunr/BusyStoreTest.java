package io.penstock.jobrunr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.memory.MemoryObjectStore;
import io.penstock.core.task.ThreadTasks;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jobrunr.jobs.Job;
import org.jobrunr.jobs.JobDetails;
import org.jobrunr.jobs.JobParameter;
import org.jobrunr.jobs.JobTestBuilder;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.jobs.states.StateName;
import org.jobrunr.storage.ConcurrentJobModificationException;
import org.jobrunr.storage.InMemoryStorageProvider;
import org.jobrunr.storage.JobStats;
import org.jobrunr.storage.StorageException;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.navigation.AmountRequest;
import org.jobrunr.utils.mapper.jackson.JacksonJsonMapper;
import org.junit.jupiter.api.Test;

/** Many jobs at once, reads beside saves, and interrupted callers. */
class BusyStoreTest {
    private static PenstockStorageProvider provider(Penstock store) {
        PenstockStorageProvider provider = new PenstockStorageProvider(store);
        provider.setJobMapper(new JobMapper(new JacksonJsonMapper()));
        return provider;
    }

    private static Job job(int argumentLength) {
        return JobTestBuilder.anEnqueuedJob()
                .withJobDetails(new JobDetails(
                        BusyStoreTest.class.getName(),
                        null,
                        "send",
                        List.of(new JobParameter(String.class, "x".repeat(argumentLength)))))
                .build();
    }

    private static List<Job> jobs(int count, int argumentLength) {
        return Stream.generate(() -> job(argumentLength)).limit(count).toList();
    }

    /** As when a thousand jobs that failed are due for another try. */
    @Test
    void moreJobsThanOneTransactionHoldsAreSaved() {
        try (Penstock store = Penstock.open(Settings.inMemory());
                StorageProvider provider = provider(store)) {
            List<Job> many = jobs(1_000, 7_000);
            provider.save(many);
            assertThat(provider.countJobs(StateName.ENQUEUED)).isEqualTo(many.size());
            many.forEach(job -> job.delete("sent"));
            provider.save(many);
            assertThat(provider.countJobs(StateName.DELETED)).isEqualTo(many.size());
            assertThat(many).allMatch(job -> job.getVersion() == 2);
        }
    }

    @Test
    void ofManyJobsThoseThatHaveChangedAreNamed() {
        try (Penstock store = Penstock.open(Settings.inMemory());
                StorageProvider provider = provider(store)) {
            List<Job> many = jobs(1_000, 7_000);
            provider.save(many);
            Job changed = many.get(700);
            Job elsewhere = provider.getJobById(changed.getId());
            elsewhere.delete("by another server");
            provider.save(elsewhere);
            many.forEach(job -> job.delete("sent"));
            assertThatThrownBy(() -> provider.save(many))
                    .isInstanceOfSatisfying(
                            ConcurrentJobModificationException.class,
                            e -> assertThat(e.getConcurrentUpdatedJobs()).containsExactly(changed));
            assertThat(many).allMatch(job -> job.getVersion() == (job == changed ? 1 : 2));
        }
    }

    @Test
    void aJobThatIsTooLargeKeepsNoOtherFromBeingSaved() {
        try (Penstock store = Penstock.open(Settings.inMemory());
                StorageProvider provider = provider(store)) {
            Job large = JobTestBuilder.aScheduledJob()
                    .withRecurringJobId("r".repeat(10_000)) // a part of a key
                    .build();
            List<Job> some = new ArrayList<>(jobs(3, 1));
            some.add(1, large);
            assertThatThrownBy(() -> provider.save(some))
                    .isExactlyInstanceOf(StorageException.class)
                    .hasMessageContaining("a key is too long");
            assertThat(provider.countJobs(StateName.ENQUEUED)).isEqualTo(3);
            assertThat(some).allMatch(job -> job.getVersion() == (job == large ? 0 : 1));
        }
    }

    /** A view of an object store for whose reader something happens before each look at a page. */
    private static ObjectStore before(ObjectStore objects, Runnable read) {
        return (ObjectStore) Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(), new Class<?>[] {ObjectStore.class}, (view, method, arguments) -> {
                    if (method.getName().equals("get")) {
                        read.run();
                    }
                    try {
                        return method.invoke(objects, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void readsEndBesideSavesThatDoNot() {
        ThreadTasks tasks = new ThreadTasks();
        ObjectStore objects = new MemoryObjectStore(tasks);
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        Settings beside = Settings.on(before(objects, () -> meanwhile.get().run()), tasks);
        try (Penstock first = Penstock.open(Settings.on(objects, tasks));
                Penstock second = Penstock.open(beside.callBudget(Duration.ofSeconds(2)));
                StorageProvider one = provider(first);
                StorageProvider other = provider(second)) {
            one.save(jobs(3, 1));
            meanwhile.set(() -> one.save(job(1)));
            AmountRequest unsorted = new AmountRequest("createdAt:ASC", 3);
            assertThat(other.getJobList(StateName.ENQUEUED, unsorted)).hasSize(3);
            assertThat(other.countJobs(StateName.ENQUEUED)).isGreaterThanOrEqualTo(3);
            assertThat(other.getDistinctJobSignatures(StateName.ENQUEUED)).hasSize(1);
            JobStats stats = other.getJobStats();
            assertThat(stats.getTotal()).isEqualTo(stats.getEnqueued());
            meanwhile.set(() -> {});
            assertThat(one.countJobs(StateName.ENQUEUED)).isGreaterThan(stats.getEnqueued());
        }
    }

    @Test
    void thereIsNoLongestRunningServerWithoutServers() {
        try (Penstock store = Penstock.open(Settings.inMemory());
                StorageProvider provider = provider(store);
                StorageProvider memory = new InMemoryStorageProvider()) {
            for (StorageProvider each : List.of(memory, provider)) {
                assertThatThrownBy(each::getLongestRunningBackgroundJobServerId)
                        .isExactlyInstanceOf(IllegalStateException.class);
            }
        }
    }

    /** As JobRunr interrupts a job that is deleted, or that runs when its server stops. */
    @Test
    void anInterruptedThreadLearnsWhatItHasEnqueued() {
        try (Penstock store = Penstock.open(Settings.inMemory());
                StorageProvider provider = provider(store)) {
            Job job = job(1);
            Thread.currentThread().interrupt();
            provider.save(job);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(provider.getJobById(job.getId()).getVersion()).isEqualTo(1);
        }
    }
}
