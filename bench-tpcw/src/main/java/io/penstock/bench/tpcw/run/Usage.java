package io.penstock.bench.tpcw.run;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.LongBinaryOperator;

/**
 * Everything that the servers bill, as the store's own meters count it, and what clients cost each other that meet at
 * the same records; that is zero for levels that do not isolate, and for work apart from transactions.
 *
 * @param sqsUnits SQS requests as billed: one for each 64 KiB of a call, at least one for each call
 * @param s3In bytes written to the object store
 * @param s3Out bytes read from it
 * @param sqsIn bytes sent to queues
 * @param sqsOut bytes received from them
 * @param conflicts commits that were refused, retried or not
 * @param retries transactions that were run again
 * @param aborted transactions that were given up
 * @param logPuts puts of segments of the commit log, which are among all puts
 */
public record Usage(
        Requests requests,
        long sqsUnits,
        long s3In,
        long s3Out,
        long sqsIn,
        long sqsOut,
        long conflicts,
        long retries,
        long aborted,
        long logPuts) {
    /** The usage of nothing. */
    public static final Usage NONE = new Usage(new Requests(0, 0, 0, 0, 0, 0, 0, 0), 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** The usage of transactions while their callers wait. */
    public static final String TRANSACTION = "transaction";

    /** The tag of work apart from transactions: checkpoints, forwarding at ATOMIC, heartbeats, recovery. */
    public static final String CHECKPOINT = "checkpoint";

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
        private Requests with(Requests other, LongBinaryOperator by) {
            return new Requests(
                    by.applyAsLong(s3Get, other.s3Get),
                    by.applyAsLong(s3Put, other.s3Put),
                    by.applyAsLong(s3Delete, other.s3Delete),
                    by.applyAsLong(s3List, other.s3List),
                    by.applyAsLong(sqsSend, other.sqsSend),
                    by.applyAsLong(sqsReceive, other.sqsReceive),
                    by.applyAsLong(sqsDelete, other.sqsDelete),
                    by.applyAsLong(sqsOther, other.sqsOther));
        }
    }

    /** The present readings of the meters of {@code part}. */
    public static Usage read(MeterRegistry meters, String part) {
        Requests requests = new Requests(
                calls(meters, part, "s3.get"),
                calls(meters, part, "s3.put"),
                calls(meters, part, "s3.delete"),
                calls(meters, part, "s3.list"),
                calls(meters, part, "sqs.send"),
                calls(meters, part, "sqs.receive"),
                calls(meters, part, "sqs.delete"),
                calls(meters, part, "sqs.other"));
        boolean contends = part.equals(TRANSACTION);
        return new Usage(
                requests,
                sum(meters, "penstock.sqs.units", "part", part),
                bytes(meters, part, "s3", "in"),
                bytes(meters, part, "s3", "out"),
                bytes(meters, part, "sqs", "in"),
                bytes(meters, part, "sqs", "out"),
                contends ? sum(meters, "penstock.conflicts") : 0,
                contends ? sum(meters, "penstock.transaction.retries") : 0,
                contends ? sum(meters, "penstock.transaction.aborts") : 0,
                contends ? sum(meters, "penstock.log.puts") : 0);
    }

    private static long calls(MeterRegistry meters, String part, String operation) {
        return sum(meters, "penstock.requests", "part", part, "op", operation);
    }

    private static long bytes(MeterRegistry meters, String part, String service, String direction) {
        return sum(meters, "penstock.bytes", "part", part, "service", service, "direction", direction);
    }

    private static long sum(MeterRegistry meters, String name, String... tags) {
        double sum = 0;
        for (Counter counter : meters.find(name).tags(tags).counters()) {
            sum += counter.count();
        }
        return Math.round(sum);
    }

    public Usage plus(Usage other) {
        return with(other, Long::sum);
    }

    public Usage minus(Usage other) {
        return with(other, (mine, theirs) -> mine - theirs);
    }

    private Usage with(Usage other, LongBinaryOperator by) {
        return new Usage(
                requests.with(other.requests, by),
                by.applyAsLong(sqsUnits, other.sqsUnits),
                by.applyAsLong(s3In, other.s3In),
                by.applyAsLong(s3Out, other.s3Out),
                by.applyAsLong(sqsIn, other.sqsIn),
                by.applyAsLong(sqsOut, other.sqsOut),
                by.applyAsLong(conflicts, other.conflicts),
                by.applyAsLong(retries, other.retries),
                by.applyAsLong(aborted, other.aborted),
                by.applyAsLong(logPuts, other.logPuts));
    }

    public long bytesIn() {
        return s3In + sqsIn;
    }

    public long bytesOut() {
        return s3Out + sqsOut;
    }
}
