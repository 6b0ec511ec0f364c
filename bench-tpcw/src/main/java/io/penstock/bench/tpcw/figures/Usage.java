package io.penstock.bench.tpcw.figures;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Everything that the servers bill, as the store's own meters count it.
 *
 * @param sqsUnits SQS requests as billed: one for each 64 KiB of a call, at least one for each call
 * @param s3In bytes written to the object store
 * @param s3Out bytes read from it
 * @param sqsIn bytes sent to queues
 * @param sqsOut bytes received from them
 * @param contention of the same transactions; none for what happens apart from them
 */
public record Usage(
        Requests requests, long sqsUnits, long s3In, long s3Out, long sqsIn, long sqsOut, Contention contention) {
    /** The usage of nothing. */
    public static final Usage NONE = new Usage(new Requests(0, 0, 0, 0, 0, 0, 0, 0), 0, 0, 0, 0, 0, Contention.NONE);

    /** The usage of transactions while their callers wait. */
    public static final String TRANSACTION = "transaction";

    /** The tag of work apart from transactions: checkpoints, forwarding at ATOMIC, heartbeats, recovery. */
    public static final String CHECKPOINT = "checkpoint";

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
        return new Usage(
                requests,
                sum(meters, "penstock.sqs.units", "part", part),
                bytes(meters, part, "s3", "in"),
                bytes(meters, part, "s3", "out"),
                bytes(meters, part, "sqs", "in"),
                bytes(meters, part, "sqs", "out"),
                part.equals(TRANSACTION) ? contention(meters) : Contention.NONE);
    }

    private static Contention contention(MeterRegistry meters) {
        return new Contention(
                sum(meters, "penstock.conflicts"),
                sum(meters, "penstock.transaction.retries"),
                sum(meters, "penstock.transaction.aborts"),
                sum(meters, "penstock.log.puts"));
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
        return new Usage(
                requests.plus(other.requests),
                sqsUnits + other.sqsUnits,
                s3In + other.s3In,
                s3Out + other.s3Out,
                sqsIn + other.sqsIn,
                sqsOut + other.sqsOut,
                contention.plus(other.contention));
    }

    public Usage minus(Usage other) {
        return new Usage(
                requests.minus(other.requests),
                sqsUnits - other.sqsUnits,
                s3In - other.s3In,
                s3Out - other.s3Out,
                sqsIn - other.sqsIn,
                sqsOut - other.sqsOut,
                contention.minus(other.contention));
    }

    public long bytesIn() {
        return s3In + sqsIn;
    }

    public long bytesOut() {
        return s3Out + sqsOut;
    }
}
