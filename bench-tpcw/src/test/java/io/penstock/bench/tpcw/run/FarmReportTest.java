package io.penstock.bench.tpcw.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.ConsistencyLevel;
import io.penstock.Layout;
import io.penstock.bench.aws.AwsServers;
import io.penstock.bench.program.Wire;
import io.penstock.bench.tpcw.bookstore.InteractionKind;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.bookstore.Purchase;
import io.penstock.bench.tpcw.bookstore.Purchase.StockChange;
import io.penstock.bench.tpcw.bookstore.PurchasePlan;
import io.penstock.bench.tpcw.bookstore.Purchases;
import io.penstock.bench.tpcw.bookstore.Scale;
import io.penstock.bench.tpcw.run.FarmProgram.FarmReport;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.testkit.Profile;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the driver and the processes with web servers tell each other arrives unchanged. */
class FarmReportTest {
    private static final PageFacts PAGE = new PageFacts(
            List.of(new PageFacts.Seen(1, 2)),
            List.of(new StockChange(
                    2, -4, new Population(1, new Scale(1, 100)).item(1).sold(4, 3))),
            new PageFacts.Ordered(3, 2),
            new PageFacts.CartState(5, 6),
            null,
            new PageFacts.Ordered(0, 0));

    private static void assertArrives(FarmReport report) {
        String line = Wire.write(report);
        assertThat(line).doesNotContain("\n");
        assertThat(Wire.read(line, FarmReport.class)).isEqualTo(report);
    }

    @Test
    void reportsArriveAsTheyWereMade() {
        Usage usage = new Usage(Map.of(Usage.Count.S3_GET, 1L, Usage.Count.SQS_OUT, 13L, Usage.Count.RETRIES, 0L));
        Population population = new Population(1, new Scale(1, 100));
        Purchase purchase = Purchases.of(population, PurchasePlan.draw(population, 0, 1, 7));
        assertArrives(new FarmReport.Ready(-7));
        assertArrives(new FarmReport.Worked(new Farm.Bill(usage, Usage.NONE)));
        assertArrives(new FarmReport.Closed(new Farm.Closing(usage, List.of("close: \"late\"\nvery"))));
        assertArrives(new FarmReport.Broken("no such bucket", true));
        for (SessionEvent.Fact fact : List.of(
                new SessionEvent.Attempted(PAGE),
                new SessionEvent.Answered(1L << 40, InteractionKind.BUY_CONFIRM, 1, 3, PAGE),
                new SessionEvent.Refused(true),
                new SessionEvent.Failed(),
                new SessionEvent.Unknown(List.of(PAGE)),
                new SessionEvent.Bought(1, purchase, Stamp.of(1_700_000_000_000L, 2, new ClientId(-5))),
                new SessionEvent.PerhapsBought(purchase),
                new SessionEvent.OrderSeen(2, 3))) {
            SessionEvent event = new SessionEvent(1, fact);
            assertArrives(new FarmReport.Happened(event));
            assertThat(event.by(5).nanos()).isEqualTo(event.nanos() + 5);
            assertThat(event.by(5).by(-5)).isEqualTo(event);
        }
    }

    @Test
    void assignmentsArriveAsTheyWereMade() {
        RunPlan.Browsing load = new RunPlan.Browsing(
                Mix.ORDERING,
                8,
                4,
                Duration.ofSeconds(1),
                Duration.ofMillis(1_500),
                new Scale(1, 100),
                0.99,
                Duration.ofSeconds(2));
        Tuning tuning = new Tuning(64 << 10, 1 << 20, Duration.ofSeconds(10), Duration.ofMillis(2_500));
        RunPlan plan = new RunPlan(
                "aws", Profile.AWS_2026.prices(), Layout.partitioned(2), ConsistencyLevel.ATOMIC, load, tuning, -3);
        assertArrives(plan);
        for (Layout layout : List.of(Layout.perLeaf(), Layout.partitioned(4))) {
            RunPlan.Buying purchases = new RunPlan.Buying(new Scale(1, 100), 10, 4, Duration.ofNanos(1_500_000_001));
            assertArrives(new RunPlan(
                    "aws", Profile.AWS_2026.prices(), layout, ConsistencyLevel.ATOMIC, purchases, tuning, -3));
        }
    }

    private static void assertArrives(RunPlan plan) {
        AwsServers servers = new AwsServers(URI.create("http://127.0.0.1:4566"), null, null, "bucket", true);
        FarmProgram.Assignment assignment = new FarmProgram.Assignment(
                new Venue.Remote.Servers(servers, "tpcw-run", 4), plan, new Farm.Share(1, 4));
        String line = Wire.write(assignment);
        assertThat(line).doesNotContain("\n");
        assertThat(Wire.read(line, FarmProgram.Assignment.class)).isEqualTo(assignment);
    }

    @Test
    void whatIsNoReportIsRefused() {
        assertThatThrownBy(() -> Wire.read("Exception in thread main", FarmReport.class))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is no FarmReport");
    }
}
