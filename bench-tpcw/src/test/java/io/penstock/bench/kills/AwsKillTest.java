package io.penstock.bench.kills;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.ConsistencyLevel;
import io.penstock.bench.aws.AwsServers;
import io.penstock.testing.RealServers;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kill -9} of client processes that share a store on LocalStack: {@code scripts/kills}, but ten. */
@Tag("servers")
@Tag("long")
class AwsKillTest {
    private static final int KILLS = 10;
    private static final int PROCESSES = 3;

    /** Enough for some, few enough for LocalStack. */
    private static final int LARGE_EVERY = 16;

    private final long seed = Long.getLong("seed", 1);

    @TempDir
    private Path directory;

    @Test
    void whateverIsAcknowledgedSurvivesKillsWhole() {
        RealServers.Endpoint endpoint = RealServers.localstack();
        AwsServers servers = new AwsServers(endpoint.s3(), endpoint.sqs(), null, "penstock-kills", true);
        KillRun.Plan plan = new KillRun.Plan(
                KillPlace.on(servers, Kills.newPrefix(), ConsistencyLevel.ATOMIC),
                KILLS,
                PROCESSES,
                new KillPlan.Source(seed, LARGE_EVERY, false),
                directory);
        try (KillRun run = new KillRun(plan, line -> {})) {
            KillRun.Outcome outcome = run.run();
            assertThat(outcome.violations()).as(outcome.summary()).isEmpty();
            assertThat(outcome.acknowledged())
                    .as("seed=%d: nothing was tested", seed)
                    .isGreaterThan(KILLS);
            assertThat(outcome.large())
                    .as("seed=%d: no transaction of several messages", seed)
                    .isPositive();
        }
    }
}
