package io.penstock.bench.tpcw.run;

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
        Usage.Requests requests = usage.requests();
        return prices.s3Put() * (requests.s3Put() + requests.s3List())
                + prices.s3Get() * requests.s3Get()
                + prices.sqsUnit() * usage.sqsUnits()
                + prices.s3InPerGb() * usage.s3In() / BYTES_PER_GB
                + prices.s3OutPerGb() * usage.s3Out() / BYTES_PER_GB
                + prices.sqsInPerGb() * usage.sqsIn() / BYTES_PER_GB
                + prices.sqsOutPerGb() * usage.sqsOut() / BYTES_PER_GB;
    }

    /** The cost of {@code transactions}, for 1000 of them; all zero if there were none. */
    public Split per1000(Usage transaction, Usage checkpoint, long transactions) {
        double scale = transactions == 0 ? 0 : PER / transactions;
        double front = dollars(transaction) * scale;
        double back = dollars(checkpoint) * scale;
        return new Split(front + back, front, back);
    }
}
