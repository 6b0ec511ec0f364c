package io.penstock.spring;

/** Auto-configurations that ours come before or after, by name: those of Boot 4 and of Boot 3 are in other packages. */
final class BootNames {
    static final String STARTER = "io.penstock.spring.PenstockAutoConfiguration";

    static final String TRANSACTIONS_4 =
            "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration";
    static final String TRANSACTIONS_3 =
            "org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration";

    static final String METERS_4 =
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration";
    static final String METERS_3 =
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration";

    static final String OBSERVATIONS_4 =
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration";
    static final String OBSERVATIONS_3 =
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration";

    private BootNames() {}
}
