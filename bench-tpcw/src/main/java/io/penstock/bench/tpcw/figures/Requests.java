package io.penstock.bench.tpcw.figures;

/**
 * Numbers of calls to the servers by kind. Retries count; a batch is one call.
 *
 * @param sqsOther changes of visibility, and creating, finding and listing queues
 */
public record Requests(
        long s3Get,
        long s3Put,
        long s3Delete,
        long s3List,
        long sqsSend,
        long sqsReceive,
        long sqsDelete,
        long sqsOther) {
    public Requests plus(Requests other) {
        return new Requests(
                s3Get + other.s3Get,
                s3Put + other.s3Put,
                s3Delete + other.s3Delete,
                s3List + other.s3List,
                sqsSend + other.sqsSend,
                sqsReceive + other.sqsReceive,
                sqsDelete + other.sqsDelete,
                sqsOther + other.sqsOther);
    }

    public Requests minus(Requests other) {
        return new Requests(
                s3Get - other.s3Get,
                s3Put - other.s3Put,
                s3Delete - other.s3Delete,
                s3List - other.s3List,
                sqsSend - other.sqsSend,
                sqsReceive - other.sqsReceive,
                sqsDelete - other.sqsDelete,
                sqsOther - other.sqsOther);
    }
}
