package io.penstock.bench.tpcw.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.ConsistencyLevel;
import io.penstock.Layout;
import io.penstock.bench.aws.AwsServers;
import io.penstock.bench.process.Wire;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.bookstore.PurchasePlan;
import io.penstock.bench.tpcw.bookstore.Purchases;
import io.penstock.bench.tpcw.bookstore.Scale;
import io.penstock.bench.tpcw.figures.Contention;
import io.penstock.bench.tpcw.figures.Requests;
import io.penstock.bench.tpcw.figures.Usage;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.testkit.Profile;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages between the driver and its client processes arrive unchanged. */
class WireTest {
    private static Scenario scenario(Layout layout) {
        return new Scenario(
                "aws",
                Profile.AWS_2026.prices(),
                layout,
                List.of(ConsistencyLevel.values()),
                new Scenario.Load(new Scale(1, 100), 10, 4, Duration.ofNanos(1_500_000_001)),
                new Scenario.Tuning(64 << 10, 1 << 20, Duration.ofSeconds(10), Duration.ofMillis(2_500)),
                -3);
    }

    private static void assertArrives(ClientReport report) {
        String line = Wire.write(report);
        assertThat(line).doesNotContain("\n");
        assertThat(Wire.read(line, ClientReport.class)).isEqualTo(report);
    }

    @Test
    void assignmentsArriveAsTheyWereMade() {
        for (Layout layout : List.of(Layout.perLeaf(), Layout.partitioned(4))) {
            AwsServers servers = new AwsServers(URI.create("http://127.0.0.1:4566"), null, null, "bucket", true);
            Assignment assignment = new Assignment(
                    servers, "tpcw-0-atomic", scenario(layout), ConsistencyLevel.ATOMIC, new Shoppers.Range(2, 1));
            String line = Wire.write(assignment);
            assertThat(line).doesNotContain("\n");
            assertThat(Wire.read(line, Assignment.class)).isEqualTo(assignment);
        }
    }

    @Test
    void reportsArriveAsTheyWereMade() {
        Population population = new Population(1, new Scale(1, 100));
        PurchasePlan plan = PurchasePlan.draw(population, 0, 1, 7);
        Usage usage = new Usage(new Requests(1, 2, 3, 4, 5, 6, 7, 8), 9, 10, 11, 12, 13, Contention.NONE);
        assertArrives(new ClientReport.Ready());
        assertArrives(new ClientReport.Advanced(1));
        assertArrives(new ClientReport.Acknowledged(
                Purchases.of(population, plan), Stamp.of(1_700_000_000_000L, 2, new ClientId(-5)), 123));
        assertArrives(new ClientReport.Unknown(Purchases.of(population, plan)));
        assertArrives(new ClientReport.Shopped(2, usage));
        assertArrives(new ClientReport.Closed(usage, List.of("close: \"late\"\nvery")));
        assertArrives(new ClientReport.Broken("no such bucket", true));
    }

    @Test
    void whatIsNoReportIsRefused() {
        assertThatThrownBy(() -> Wire.read("Exception in thread main", ClientReport.class))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is no ClientReport");
    }
}
