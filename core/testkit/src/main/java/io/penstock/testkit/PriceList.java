package io.penstock.testkit;

/**
 * The prices of requests and traffic, in dollars. Storage is left out: it does not depend on how commits are made.
 *
 * @param s3Put one PUT, COPY, POST or LIST request
 * @param s3Get one GET or HEAD request, also one that answers "not modified"
 * @param s3InPerGb on top, for each 10^9 bytes written to the object store
 * @param s3OutPerGb on top, for each 10^9 bytes read from the object store
 * @param sqsUnit one SQS request of up to 64 KiB, of any kind; a larger one counts once for each 64 KiB
 * @param sqsInPerGb on top, for each 10^9 bytes sent to queues
 * @param sqsOutPerGb on top, for each 10^9 bytes received from queues
 */
public record PriceList(
        double s3Put,
        double s3Get,
        double s3InPerGb,
        double s3OutPerGb,
        double sqsUnit,
        double sqsInPerGb,
        double sqsOutPerGb) {
    public static final PriceList FREE = new PriceList(0, 0, 0, 0, 0, 0, 0);
}
