package io.penstock.spring.data;

import io.penstock.Settings;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.memory.MemoryObjectStore;
import io.penstock.spring.PenstockAutoConfiguration;
import io.penstock.spring.PenstockTransactionManagementAutoConfiguration;
import io.penstock.testing.AwsServers;
import io.penstock.testing.RealServers;
import io.penstock.testing.ShiftedTasks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.function.Consumer;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** A store, for one context or several, each of which is a client of it as if in a process of its own. */
enum Place {
    MEMORY {
        @Override
        void run(Consumer<ApplicationContextRunner> test) {
            ShiftedTasks tasks = new ShiftedTasks();
            test.accept(on(Settings.on(new MemoryObjectStore(tasks), tasks)));
        }
    },
    DIRECTORY {
        @Override
        void run(Consumer<ApplicationContextRunner> test) {
            ShiftedTasks tasks = new ShiftedTasks();
            try (LocalCloud cloud = LocalCloud.open(Files.createTempDirectory("repositories"), tasks)) {
                test.accept(on(Settings.on(cloud.objects(), cloud.queues(), tasks)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    },
    LOCALSTACK {
        @Override
        void run(Consumer<ApplicationContextRunner> test) {
            ShiftedTasks tasks = new ShiftedTasks();
            try (ObjectStore objects = AwsServers.objectsAt(RealServers.localstack(), Duration.ofSeconds(10))) {
                test.accept(on(Settings.on(objects, tasks)
                        .prefix("data-" + tasks.random().nextInt(1_000_000))));
            }
        }
    };

    @Configuration(proxyBeanMethods = false)
    @AutoConfigurationPackage
    static class Application {}

    abstract void run(Consumer<ApplicationContextRunner> test);

    static ApplicationContextRunner on(Settings settings) {
        return bare(settings).withUserConfiguration(Application.class);
    }

    /** Without the packages of an application. */
    static ApplicationContextRunner bare(Settings settings) {
        return new ApplicationContextRunner()
                .withInitializer(Place::withoutBuild)
                .withConfiguration(AutoConfigurations.of(
                        PenstockAutoConfiguration.class,
                        PenstockTransactionManagementAutoConfiguration.class,
                        PenstockRepositoriesAutoConfiguration.class))
                .withBean(Settings.class, () -> settings);
    }

    /** Takes away what the build tells the tests' JVM in properties of its own that begin with our name. */
    private static void withoutBuild(ConfigurableApplicationContext context) {
        context.getEnvironment().getPropertySources().remove("systemProperties");
    }
}
