package io.penstock.bench.tpcw.run;

import io.penstock.bench.tpcw.run.Usage.Count;
import io.penstock.testkit.PriceList;
import java.time.Duration;
import java.util.List;

/**
 * The bill of a shop.
 *
 * @param total in dollars
 * @param parts the largest first
 */
public record MonthlyBill(double total, List<Part> parts) {
    /** The seconds of a month, by AWS's definition: 730 hours. */
    private static final double MONTH_SECONDS = Duration.ofHours(730).toSeconds();

    private static final double BYTES_PER_GB = 1e9;

    /** One part of a bill. */
    public record Part(String name, double dollars, double percent) {}

    /** The bill for {@code rate} interactions a second over {@code months}, when they cost what those of a run did. */
    public static MonthlyBill of(RunResult run, Prices prices, double rate, double months) {
        double times = rate * MONTH_SECONDS * months / Math.max(1, run.answers().interactions());
        PriceList list = prices.requests();
        Usage all = run.bill().all();
        double traffic = list.s3InPerGb() * all.of(Count.S3_IN)
                + list.s3OutPerGb() * all.of(Count.S3_OUT)
                + list.sqsInPerGb() * all.of(Count.SQS_IN)
                + list.sqsOutPerGb() * all.of(Count.SQS_OUT);
        double stored = prices.storagePerGbMonth() * months / BYTES_PER_GB;
        return sorted(List.of(
                part("reading pages", times * list.s3Get() * all.of(Count.S3_GET)),
                part("writing pages", times * list.s3Put() * (all.of(Count.S3_PUT) + all.of(Count.S3_LIST))),
                part(
                        "queues, for commits",
                        times * list.sqsUnit() * run.bill().transaction().of(Count.SQS_UNITS)),
                part(
                        "queues, for checkpoints",
                        times * list.sqsUnit() * run.bill().checkpoint().of(Count.SQS_UNITS)),
                part("traffic", times * traffic / BYTES_PER_GB),
                part("storage of the population", stored * run.stored().filled()),
                // What is added over the months is there for half of them on average.
                part(
                        "storage of what is added",
                        stored * rate * MONTH_SECONDS * months / 2 * run.growthPerInteraction())));
    }

    private static Part part(String name, double dollars) {
        return new Part(name, dollars, 0);
    }

    private static MonthlyBill sorted(List<Part> parts) {
        double total = parts.stream().mapToDouble(Part::dollars).sum();
        return new MonthlyBill(
                total,
                parts.stream()
                        .filter(part -> part.dollars > 0)
                        .map(part -> new Part(part.name, part.dollars, 100 * part.dollars / total))
                        .sorted((a, b) -> Double.compare(b.dollars, a.dollars))
                        .toList());
    }
}
