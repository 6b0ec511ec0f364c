package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.penstock.core.Bytes;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueLimits;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** The figures of docs/PROFILES.md. A change there is a change here. */
class ProfileTest {
    private static final int DRAWS = 100_000;
    private static final long PAGE_BYTES = 64 << 10;
    private static final long PAPER_PAGE_BYTES = 100_000;
    private static final double MILLION = 1e6;
    private static final double THOUSAND = 1e3;

    @Test
    void drawsHitMedianAnd99thPercentile() {
        assertDraws(Profile.AWS_2026.latency(CloudCall.GET), PAGE_BYTES, 30, 80);
        assertDraws(Profile.AWS_2026.latency(CloudCall.PUT), PAGE_BYTES, 100, 195);
        assertDraws(Profile.EXPRESS_2026.latency(CloudCall.GET), PAGE_BYTES, 5, 15);
        assertDraws(Profile.EXPRESS_2026.latency(CloudCall.PUT), PAGE_BYTES, 8, 25);
        for (Profile profile : List.of(Profile.AWS_2026, Profile.EXPRESS_2026)) {
            for (Latency latency : List.of(
                    profile.latency(CloudCall.SEND),
                    profile.latency(CloudCall.RECEIVE),
                    profile.latency(CloudCall.ACKNOWLEDGE))) {
                assertDraws(latency, 1_000, 15, 50);
            }
        }
        assertDraws(Profile.PAPER_2008.latency(CloudCall.GET), 10_000, 140, 206);
        assertDraws(Profile.PAPER_2008.latency(CloudCall.SEND), 1_000, 310, 455);
        assertDraws(Profile.PAPER_2008.latency(CloudCall.RECEIVE), 1_000, 160, 235);
        assertDraws(Profile.PAPER_2008.latency(CloudCall.ACKNOWLEDGE), 0, 160, 235);
    }

    @Test
    void paperReadsAndWritesMatchItsMeasurements() {
        assertMedian(Profile.PAPER_2008.latency(CloudCall.GET), PAPER_PAGE_BYTES, 450, 10);
        assertMedian(Profile.PAPER_2008.latency(CloudCall.GET), 1_000_000, 3_870, 5);
        // Inferred as 1.3 s to 1.9 s.
        assertMedian(Profile.PAPER_2008.latency(CloudCall.PUT), PAPER_PAGE_BYTES, 1_600, 10);
    }

    private static void assertDraws(Latency latency, long bytes, double median, double p99) {
        double[] millis = draws(latency, bytes);
        assertThat(millis[DRAWS / 2]).isCloseTo(median, Percentage.withPercentage(2));
        assertThat(millis[DRAWS * 99 / 100]).isCloseTo(p99, Percentage.withPercentage(3));
    }

    private static void assertMedian(Latency latency, long bytes, double millis, double percent) {
        assertThat(draws(latency, bytes)[DRAWS / 2]).isCloseTo(millis, Percentage.withPercentage(percent));
    }

    private static double[] draws(Latency latency, long bytes) {
        SeededRandom random = new SeededRandom(17);
        double[] millis = new double[DRAWS];
        for (int i = 0; i < DRAWS; i++) {
            millis[i] = latency.nanos(random.gaussian(), bytes, 1) / MILLION;
        }
        Arrays.sort(millis);
        return millis;
    }

    @Test
    void instantTakesNoTimeAndCostsNothing() {
        for (Latency latency : List.of(
                Profile.INSTANT.latency(CloudCall.GET),
                Profile.INSTANT.latency(CloudCall.PUT),
                Profile.INSTANT.latency(CloudCall.SEND))) {
            assertThat(latency.nanos(1, 1 << 20, 1)).isZero();
        }
        assertThat(Profile.INSTANT.prices()).isEqualTo(PriceList.FREE);
    }

    @Test
    void pricesOf2008() {
        PriceList prices = Profile.PAPER_2008.prices();
        assertPrice(prices.s3Put() * THOUSAND, 0.01);
        assertPrice(prices.s3Get() * 10 * THOUSAND, 0.01);
        // The sum of the paper's results, not of its price table.
        assertPrice(prices.sqsUnit() * THOUSAND, 0.10);
        assertPrice(prices.s3InPerGb(), 0.10);
        assertPrice(prices.s3OutPerGb(), 0.18);
        assertPrice(prices.sqsInPerGb(), 0.10);
        assertPrice(prices.sqsOutPerGb(), 0.18);
    }

    @Test
    void pricesOfAwsToday() {
        PriceList prices = Profile.AWS_2026.prices();
        assertPrice(prices.s3Put() * THOUSAND, 0.005);
        assertPrice(prices.s3Get() * THOUSAND, 0.0004);
        assertPrice(prices.sqsUnit() * MILLION, 0.40);
        assertThat(new double[] {prices.s3InPerGb(), prices.s3OutPerGb(), prices.sqsInPerGb(), prices.sqsOutPerGb()})
                .containsOnly(0);
    }

    @Test
    void pricesOfExpressOneZone() {
        PriceList prices = Profile.EXPRESS_2026.prices();
        assertPrice(prices.s3Put() * THOUSAND, 0.00113);
        assertPrice(prices.s3Get() * THOUSAND, 0.00003);
        assertPrice(prices.s3InPerGb(), 0.0032);
        assertPrice(prices.s3OutPerGb(), 0.0006);
        assertPrice(prices.sqsUnit() * MILLION, 0.40);
        assertThat(new double[] {prices.sqsInPerGb(), prices.sqsOutPerGb()}).containsOnly(0);
    }

    private static void assertPrice(double actual, double dollars) {
        assertThat(actual).isCloseTo(dollars, within(dollars * 1e-9));
    }

    @Test
    void limitsFollowTheYear() {
        assertThat(Profile.PAPER_2008.limits()).isEqualTo(new QueueLimits(1, 8 << 10, 8 << 10));
        for (Profile profile : List.of(Profile.AWS_2026, Profile.EXPRESS_2026, Profile.INSTANT)) {
            assertThat(profile.limits()).isEqualTo(new QueueLimits(10, 1 << 20, 1 << 20));
        }
        Simulation simulation = new Simulation(1);
        SimulatedClient client = simulation.client("main");
        SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.PAPER_2008, World.CALM);
        simulation.run(() -> {
            MessageQueue queue = cloud.queues(client).create("q", QueueAttributes.STANDARD);
            queue.send(List.of(Bytes.wrap(new byte[8 << 10])));
            assertRefused(() -> queue.send(List.of(Bytes.wrap(new byte[(8 << 10) + 1]))));
            assertRefused(() -> queue.send(List.of(Bytes.EMPTY, Bytes.EMPTY)));
            assertRefused(() -> queue.receive(2, Duration.ofSeconds(30), Duration.ZERO));
            return true;
        });
    }

    private static void assertRefused(Runnable call) {
        assertThatThrownBy(call::run).isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void aCallTakesItsLatencyInVirtualTime() {
        double[] putMillis = new double[1_001];
        Simulation simulation = new Simulation(2);
        SimulatedClient client = simulation.client("main");
        ObjectStore store = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM).objects(client);
        simulation.run(() -> {
            Bytes page = Bytes.wrap(new byte[(int) PAGE_BYTES]);
            for (int i = 0; i < putMillis.length; i++) {
                long start = client.nanoTime();
                store.put("page", page, WriteCondition.ALWAYS);
                putMillis[i] = (client.nanoTime() - start) / MILLION;
            }
            return true;
        });
        Arrays.sort(putMillis);
        assertThat(putMillis[500]).isCloseTo(100, Percentage.withPercentage(5));
        assertThat(putMillis[990]).isCloseTo(195, Percentage.withPercentage(15));
    }

    @Test
    void profilesAreFoundByName() {
        for (Profile profile : Profile.ALL) {
            assertThat(Profile.named(profile.name())).isSameAs(profile);
        }
        assertThat(Profile.named("AWS_2026")).isSameAs(Profile.AWS_2026);
        assertThatThrownBy(() -> Profile.named("azure"))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("aws-2026");
    }
}
