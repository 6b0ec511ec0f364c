package io.penstock.testkit;

import static io.penstock.testkit.CloudCall.ACKNOWLEDGE;
import static io.penstock.testkit.CloudCall.GET;
import static io.penstock.testkit.CloudCall.LIST;
import static io.penstock.testkit.CloudCall.MANAGE;
import static io.penstock.testkit.CloudCall.MISS;
import static io.penstock.testkit.CloudCall.PUT;
import static io.penstock.testkit.CloudCall.PUT_ABSENT;
import static io.penstock.testkit.CloudCall.PUT_MATCH;
import static io.penstock.testkit.CloudCall.RANGE;
import static io.penstock.testkit.CloudCall.RECEIVE;
import static io.penstock.testkit.CloudCall.REMOVE;
import static io.penstock.testkit.CloudCall.SEND;

import io.penstock.core.queue.QueueLimits;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A cloud to simulate: latencies, prices and limits. The sources of all figures are in {@code docs/PROFILES.md}.
 *
 * @param name the name on the command line
 * @param latencies those of calls; the others take no time
 */
public record Profile(String name, Map<CloudCall, Latency> latencies, PriceList prices, QueueLimits limits) {
    private static final QueueLimits LIMITS_2026 = new QueueLimits(10, 1 << 20, 1 << 20);

    /** The limits of queues in 2008: messages of 8 KB, one to a call; batches came in 2011. */
    private static final QueueLimits LIMITS_2008 = new QueueLimits(1, 8 << 10, 8 << 10);

    private static final Latency SQS_2026 = new LogNormal(15, 50, 0);
    private static final PriceList EXPRESS_PRICES = new PriceList(1.13e-6, 3e-8, 0.0032, 0.0006, 4e-7, 0, 0);

    /** A cloud without latency and prices: for tests of logic alone. */
    public static final Profile INSTANT = new Profile("instant", Map.of(), PriceList.FREE, LIMITS_2026);

    /** The paper's measurements from a laptop outside EC2: about 0.14 s for 10 KB, 0.45 s for 100 KB. */
    public static final Profile PAPER_2008 = new Profile(
                    "paper-2008", Map.of(), new PriceList(1e-5, 1e-6, 0.10, 0.18, 1e-4, 0.10, 0.18), LIMITS_2008)
            .with(new LogNormal(102, 150, 3_900), GET, RANGE, MISS)
            .with(new LogNormal(600, 880, 10_500), PUT, PUT_ABSENT, PUT_MATCH)
            .with(new LogNormal(160, 235, 0), REMOVE, LIST, RECEIVE, ACKNOWLEDGE)
            .with(new LogNormal(310, 455, 0), SEND, MANAGE);

    /** AWS in 2026: S3 Standard and SQS standard queues, from within the region. */
    public static final Profile AWS_2026 = new Profile(
                    "aws-2026", Map.of(), new PriceList(5e-6, 4e-7, 0, 0, 4e-7, 0, 0), LIMITS_2026)
            .with(new LogNormal(29, 77, 16), GET, RANGE, MISS)
            .with(new LogNormal(98, 191, 32), PUT, PUT_ABSENT, PUT_MATCH)
            .with(new LogNormal(30, 80, 0), REMOVE)
            .with(new LogNormal(50, 130, 0), LIST)
            .with(SQS_2026, SEND, RECEIVE, ACKNOWLEDGE, MANAGE);

    /** AWS in 2026 with S3 Express One Zone for the objects, and SQS standard queues. */
    public static final Profile EXPRESS_2026 = new Profile("express-2026", Map.of(), EXPRESS_PRICES, LIMITS_2026)
            .with(new LogNormal(4.5, 13.5, 8), GET, RANGE, MISS)
            .with(new LogNormal(7, 22, 16), PUT, PUT_ABSENT, PUT_MATCH)
            .with(new LogNormal(5, 15, 0), REMOVE)
            .with(new LogNormal(10, 30, 0), LIST)
            .with(SQS_2026, SEND, RECEIVE, ACKNOWLEDGE, MANAGE);

    /** S3 Express One Zone as slow as some of its users report it. */
    public static final Profile EXPRESS_SLOW = new Profile("express-slow", Map.of(), EXPRESS_PRICES, LIMITS_2026)
            .with(new LogNormal(9, 27, 8), GET, RANGE, MISS)
            .with(new LogNormal(20, 60, 16), PUT, PUT_ABSENT, PUT_MATCH)
            .with(new LogNormal(14, 42, 0), REMOVE)
            .with(new LogNormal(20, 60, 0), LIST)
            .with(SQS_2026, SEND, RECEIVE, ACKNOWLEDGE, MANAGE);

    public static final List<Profile> ALL = List.of(PAPER_2008, AWS_2026, EXPRESS_2026, EXPRESS_SLOW, INSTANT);

    public Profile {
        latencies = Map.copyOf(latencies);
    }

    /** Returns this profile with another latency of some calls. */
    public Profile with(Latency latency, CloudCall... calls) {
        Map<CloudCall, Latency> all = new EnumMap<>(CloudCall.class);
        all.putAll(latencies);
        for (CloudCall call : calls) {
            all.put(call, latency);
        }
        return new Profile(name, all, prices, limits);
    }

    public Latency latency(CloudCall call) {
        return latencies.getOrDefault(call, Latency.NONE);
    }

    /** The profile of that name, case and {@code _} aside. */
    public static Profile named(String name) {
        String wanted = name.toLowerCase(Locale.ROOT).replace('_', '-');
        return ALL.stream()
                .filter(profile -> profile.name.equals(wanted))
                .findFirst()
                .orElseThrow(() -> new io.penstock.core.InvalidRequestException(
                        "no such profile; use one of "
                                + String.join(
                                        ", ", ALL.stream().map(Profile::name).toList()),
                        "profile",
                        name));
    }
}
