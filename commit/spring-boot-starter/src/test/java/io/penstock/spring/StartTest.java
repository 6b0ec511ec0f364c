package io.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.ConsistencyLevel;
import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.RefusedException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.memory.MemoryObjectStore;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.ShiftedTasks;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Failures that can be known at the start are told there, in one line, and not to the first user. */
class StartTest {
    @TempDir
    private Path directory;

    /** An application with a collection of strings by numbers, whose name the others have too. */
    @Configuration(proxyBeanMethods = false)
    static class OtherKeys {
        @Bean
        Records<Long, Long> others(PenstockTemplate store) {
            return store.records("numbers", Keys.longs(), Json.of(Long.class));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Unique {
        @Bean
        Records<String, String> names(Penstock penstock, PenstockTemplate store) {
            var names = penstock.collection("names", Keys.string(), Json.of(String.class));
            names.index("mail", Keys.string(), mail -> mail).unique();
            return store.records(names);
        }
    }

    private static void fails(ApplicationContextRunner start, Class<? extends StoreException> as, ErrorCode code) {
        start.run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = new StoreFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis).isNotNull();
            assertThat(analysis.getDescription()).endsWith("[" + code + "]").doesNotContain("\n");
            assertThat(analysis.getCause()).isInstanceOf(as);
        });
    }

    @Test
    void otherKeys() {
        Settings settings = Contexts.serializable();
        Contexts.sharing(settings).run(context -> assertThat(context).hasNotFailed());
        fails(
                Contexts.sharing(settings).withUserConfiguration(OtherKeys.class),
                InvalidRequestException.class,
                ErrorCode.DEFINITION_MISMATCH);
    }

    @Test
    void aUniqueIndexWithoutIsolation() {
        fails(
                Contexts.ofProperties("penstock.in-memory=true", "penstock.level=atomic")
                        .withUserConfiguration(Unique.class),
                InvalidRequestException.class,
                ErrorCode.DOMAIN_MISMATCH);
        Contexts.inMemory()
                .withUserConfiguration(Unique.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aCollectionThatTheLevelDoesNotSuit() {
        Settings settings = Settings.inMemory();
        Contexts.sharing(settings.level(ConsistencyLevel.ATOMIC))
                .run(context -> assertThat(context).hasNotFailed());
        fails(
                Contexts.sharing(settings.level(ConsistencyLevel.SERIALIZABLE)),
                InvalidRequestException.class,
                ErrorCode.DOMAIN_MISMATCH);
    }

    @Test
    void aLevelThatTheStoreDoesNotHave() {
        ThreadTasks tasks = new ThreadTasks();
        Settings settings = Settings.on(new MemoryObjectStore(tasks), tasks).level(ConsistencyLevel.ATOMIC);
        fails(Contexts.sharing(settings), InvalidRequestException.class, ErrorCode.NEEDS_QUEUES);
    }

    @Test
    void aClockThatIsWrong() {
        ShiftedTasks late = new ShiftedTasks();
        late.advance(Duration.ofHours(1));
        Settings settings = Settings.on(new MemoryObjectStore(new ThreadTasks()), late);
        fails(Contexts.sharing(settings), UnavailableException.class, ErrorCode.CLOCK_SKEW);
    }

    /** Credentials that may read alone, in a store that is there. */
    @Test
    void noRightToWrite() {
        ThreadTasks tasks = new ThreadTasks();
        ObjectStore objects = new MemoryObjectStore(tasks);
        Contexts.sharing(Settings.on(objects, tasks))
                .run(context -> assertThat(context).hasNotFailed());
        fails(Contexts.sharing(Settings.on(readable(objects), tasks)), RefusedException.class, ErrorCode.ACCESS_DENIED);
    }

    private static ObjectStore readable(ObjectStore objects) {
        return (ObjectStore) Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(), new Class<?>[] {ObjectStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().startsWith("put") || method.getName().startsWith("delete")) {
                        throw new RefusedException(ErrorCode.ACCESS_DENIED, "no right to write");
                    }
                    try {
                        return method.invoke(objects, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                });
    }

    @Test
    void placesThatAreNoDirectories() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "any");
        for (Path place : new Path[] {file, file.resolve("below"), Path.of("/proc/none")}) {
            fails(
                    Contexts.ofProperties("penstock.directory=" + place),
                    InvalidRequestException.class,
                    ErrorCode.DISK_UNUSABLE);
        }
    }

    /** The requests of the look to a bucket: those of a ping, and one for each collection that is there. */
    @Test
    void requestsOfAStart() {
        ThreadTasks tasks = new ThreadTasks();
        Settings settings = Settings.on(new MemoryObjectStore(tasks), tasks)
                .checkpointing(false)
                .advanced(advanced -> advanced.sweeping(false));
        var unused = start(settings);
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        try (Penstock store = Penstock.open(settings.meters(meters))) {
            double opened = sum(meters);
            store.ping();
            assertThat(sum(meters) - opened).as("ping").isEqualTo(5);
            store.ping();
            assertThat(sum(meters) - opened).as("another ping").isEqualTo(6);
        }
        assertThat(start(settings)).as("5 and one for a collection").isEqualTo(sum(meters));
    }

    /** @return the requests from the opening to the end */
    private static double start(Settings settings) {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        Contexts.sharing(settings.meters(meters))
                .run(context -> assertThat(context).hasNotFailed());
        return sum(meters);
    }

    private static double sum(SimpleMeterRegistry meters) {
        return meters.find("penstock.requests").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }
}
