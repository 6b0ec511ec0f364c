package io.penstock.bench.kills;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.ConsistencyLevel;
import io.penstock.bench.aws.AwsServers;
import io.penstock.testing.RealServers;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kill -9} of processes that share a bank on LocalStack: {@code scripts/kills --bank}, but five. */
@Tag("servers")
@Tag("long")
class AwsBankKillTest {
    private final long seed = Long.getLong("seed", 1);

    @TempDir
    private Path directory;

    @Test
    void noSumIsEverWrongAndNothingAcknowledgedIsLost() {
        RealServers.Endpoint endpoint = RealServers.localstack();
        AwsServers servers = new AwsServers(endpoint.s3(), endpoint.sqs(), null, "penstock-kills", true);
        KillPlace place = KillPlace.on(servers, Kills.newPrefix(), ConsistencyLevel.SERIALIZABLE);
        KillRun.Plan plan = new KillRun.Plan(place, 5, 2, new KillPlan.Source(seed, 1, true), directory);
        try (KillRun run = new KillRun(plan, line -> {})) {
            KillRun.Outcome outcome = run.run();
            assertThat(outcome.violations()).as(outcome.summary()).isEmpty();
            assertThat(outcome.acknowledged()).as("seed=%d", seed).isGreaterThan(5);
        }
    }
}
