package io.penstock.bench.tpcw.run;

import io.penstock.bench.tpcw.run.Usage.Count;
import io.penstock.testkit.PriceList;

/** Turns usage into dollars. Storage is left out: it does not depend on how commits are made. */
public record CostModel(PriceList prices) {
    private static final double BYTES_PER_GB = 1e9;
    private static final double PER = 1_000;

    /**
     * Dollars for 1000 transactions.
     *
     * @param checkpointAndAtomic the part for work apart from transactions: checkpoints, and forwarding at ATOMIC
     */
    public record Split(double total, double transaction, double checkpointAndAtomic) {}

    public double dollars(Usage usage) {
        return prices.s3Put() * (usage.of(Count.S3_PUT) + usage.of(Count.S3_LIST))
                + prices.s3Get() * usage.of(Count.S3_GET)
                + prices.sqsUnit() * usage.of(Count.SQS_UNITS)
                + prices.s3InPerGb() * usage.of(Count.S3_IN) / BYTES_PER_GB
                + prices.s3OutPerGb() * usage.of(Count.S3_OUT) / BYTES_PER_GB
                + prices.sqsInPerGb() * usage.of(Count.SQS_IN) / BYTES_PER_GB
                + prices.sqsOutPerGb() * usage.of(Count.SQS_OUT) / BYTES_PER_GB;
    }

    /** The cost of {@code transactions}, for 1000 of them; all zero if there were none. */
    public Split per1000(Usage transaction, Usage checkpoint, long transactions) {
        double scale = transactions == 0 ? 0 : PER / transactions;
        double front = dollars(transaction) * scale;
        double back = dollars(checkpoint) * scale;
        return new Split(front + back, front, back);
    }
}
