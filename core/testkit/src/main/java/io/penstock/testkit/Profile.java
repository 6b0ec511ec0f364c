package io.penstock.testkit;

import io.penstock.core.queue.QueueLimits;
import java.util.List;
import java.util.Locale;

/**
 * A cloud to simulate: latencies, prices and limits. The sources of all figures are in {@code docs/PROFILES.md}.
 *
 * @param name the name on the command line
 * @param get of an object; also of a "not modified" answer, without the bytes
 * @param put of an object
 * @param remove of one or many objects
 * @param list of one page of a listing
 * @param send of a batch of messages
 * @param receive of a batch of messages, after there are any
 * @param acknowledge a delete or change of visibility of a batch
 * @param manage everything else of a queue: create, find, list, depth
 */
public record Profile(
        String name,
        Latency get,
        Latency put,
        Latency remove,
        Latency list,
        Latency send,
        Latency receive,
        Latency acknowledge,
        Latency manage,
        PriceList prices,
        QueueLimits limits) {
    private static final QueueLimits LIMITS_2026 = new QueueLimits(10, 1 << 20, 1 << 20);

    /** Messages of 8 KB, one to a call: batches came in 2011. */
    private static final QueueLimits LIMITS_2008 = new QueueLimits(1, 8 << 10, 8 << 10);

    private static final Latency SQS_2026 = new Latency(15, 50, 0);

    /** No latency, no prices: for tests of logic alone. */
    public static final Profile INSTANT = new Profile(
            "instant",
            Latency.NONE,
            Latency.NONE,
            Latency.NONE,
            Latency.NONE,
            Latency.NONE,
            Latency.NONE,
            Latency.NONE,
            Latency.NONE,
            PriceList.FREE,
            LIMITS_2026);

    /** The paper's measurements from a laptop outside EC2: about 0.14 s for 10 KB, 0.45 s for 100 KB. */
    public static final Profile PAPER_2008 = new Profile(
            "paper-2008",
            new Latency(102, 150, 3_900),
            new Latency(600, 880, 10_500),
            new Latency(160, 235, 0),
            new Latency(160, 235, 0),
            new Latency(310, 455, 0),
            new Latency(160, 235, 0),
            new Latency(160, 235, 0),
            new Latency(310, 455, 0),
            new PriceList(1e-5, 1e-6, 0.10, 0.18, 1e-4, 0.10, 0.18),
            LIMITS_2008);

    /** S3 Standard and SQS standard queues, from within the region. */
    public static final Profile AWS_2026 = new Profile(
            "aws-2026",
            new Latency(29, 77, 16),
            new Latency(98, 191, 32),
            new Latency(30, 80, 0),
            new Latency(50, 130, 0),
            SQS_2026,
            SQS_2026,
            SQS_2026,
            SQS_2026,
            new PriceList(5e-6, 4e-7, 0, 0, 4e-7, 0, 0),
            LIMITS_2026);

    /** S3 Express One Zone for the objects, SQS standard queues. */
    public static final Profile EXPRESS_2026 = new Profile(
            "express-2026",
            new Latency(4.5, 13.5, 8),
            new Latency(7, 22, 16),
            new Latency(5, 15, 0),
            new Latency(10, 30, 0),
            SQS_2026,
            SQS_2026,
            SQS_2026,
            SQS_2026,
            new PriceList(1.13e-6, 3e-8, 0.0032, 0.0006, 4e-7, 0, 0),
            LIMITS_2026);

    public static final List<Profile> ALL = List.of(PAPER_2008, AWS_2026, EXPRESS_2026, INSTANT);

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
