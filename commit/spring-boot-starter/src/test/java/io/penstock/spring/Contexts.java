package io.penstock.spring;

import io.penstock.ConsistencyLevel;
import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Settings;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Application contexts with the starter and a collection of numbers. */
final class Contexts {
    /** Leaves out the database that the class path has, on either line of Boot. */
    static final String WITHOUT_DATA_SOURCE = "spring.autoconfigure.exclude="
            + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration,"
            + "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration";

    private Contexts() {}

    @Configuration(proxyBeanMethods = false)
    static class Application {
        @Bean
        Records<String, Long> numbers(PenstockTemplate store) {
            return store.records("numbers", Keys.string(), Json.of(Long.class));
        }

        @Bean
        Ledger ledger(Records<String, Long> numbers, PenstockTemplate store) {
            return new Ledger(numbers, store);
        }
    }

    /** Takes away what the build tells the tests' JVM in properties of its own that begin with our name. */
    static void withoutBuild(ConfigurableApplicationContext context) {
        context.getEnvironment().getPropertySources().remove("systemProperties");
    }

    /** A context whose store the properties name. */
    static ApplicationContextRunner ofProperties(String... properties) {
        return new ApplicationContextRunner()
                .withInitializer(Contexts::withoutBuild)
                .withConfiguration(AutoConfigurations.of(
                        PenstockAutoConfiguration.class, PenstockTransactionManagementAutoConfiguration.class))
                .withUserConfiguration(Application.class)
                .withPropertyValues(properties);
    }

    /** A store in memory, at SERIALIZABLE. */
    static ApplicationContextRunner inMemory() {
        return ofProperties("penstock.in-memory=true", "penstock.level=serializable");
    }

    /** A client of a store that other contexts share. */
    static ApplicationContextRunner sharing(Settings settings) {
        return ofProperties().withBean(Settings.class, () -> settings);
    }

    static Settings serializable() {
        return Settings.inMemory().level(ConsistencyLevel.SERIALIZABLE);
    }
}
