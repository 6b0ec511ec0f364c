package io.penstock.bench.tpcw.run;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.search.Search;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Everything that the servers bill, as the store's own meters count it, and what clients cost each other that meet at
 * the same records.
 *
 * @param counts zero for what is not there
 */
public record Usage(Map<Count, Long> counts) {
    /** The usage of nothing. */
    public static final Usage NONE = new Usage(Map.of());

    /** The usage of transactions while their callers wait. */
    public static final String TRANSACTION = "transaction";

    /** The tag of work apart from transactions: checkpoints, forwarding at ATOMIC, heartbeats, recovery. */
    public static final String CHECKPOINT = "checkpoint";

    /** The calls to the servers by kind. Retries count; a batch is one call. */
    public static final Set<Count> CALLS = Collections.unmodifiableSet(EnumSet.range(Count.S3_GET, Count.SQS_OTHER));

    /** The counts of what clients cost each other: zero for levels that do not isolate, and apart from transactions. */
    private static final Set<Count> CONTENTION = EnumSet.range(Count.CONFLICTS, Count.LOG_PUTS);

    /** Something that a meter counts. */
    public enum Count {
        S3_GET("penstock.requests", "op", "s3.get"),
        S3_PUT("penstock.requests", "op", "s3.put"),
        S3_DELETE("penstock.requests", "op", "s3.delete"),
        S3_LIST("penstock.requests", "op", "s3.list"),
        SQS_SEND("penstock.requests", "op", "sqs.send"),
        SQS_RECEIVE("penstock.requests", "op", "sqs.receive"),
        SQS_DELETE("penstock.requests", "op", "sqs.delete"),
        /** Changes of visibility, and creating, finding and listing queues. */
        SQS_OTHER("penstock.requests", "op", "sqs.other"),
        /** SQS requests as billed: one for each 64 KiB of a call, at least one for each call. */
        SQS_UNITS("penstock.sqs.units"),
        /** Bytes written to the object store. */
        S3_IN("penstock.bytes", "service", "s3", "direction", "in"),
        /** Bytes read from the object store. */
        S3_OUT("penstock.bytes", "service", "s3", "direction", "out"),
        /** Bytes sent to queues. */
        SQS_IN("penstock.bytes", "service", "sqs", "direction", "in"),
        /** Bytes received from queues. */
        SQS_OUT("penstock.bytes", "service", "sqs", "direction", "out"),
        /** Commits that were refused, retried or not. */
        CONFLICTS("penstock.conflicts"),
        /** Transactions that were run again. */
        RETRIES("penstock.transaction.retries"),
        /** Transactions that were given up. */
        ABORTED("penstock.transaction.aborts"),
        /** Puts of segments of the commit log, which are among all puts. */
        LOG_PUTS("penstock.log.puts");

        private final String meter;
        private final String[] tags;

        Count(String meter, String... tags) {
            this.meter = meter;
            this.tags = tags;
        }

        /** Returns the name of a call in words, such as {@code s3 get}. */
        String title() {
            return tags[1].replace('.', ' ');
        }

        private long read(MeterRegistry meters, String part) {
            Search found = meters.find(meter).tags(tags);
            if (!CONTENTION.contains(this)) {
                found = found.tag("part", part);
            } else if (!part.equals(TRANSACTION)) {
                return 0;
            }
            return Math.round(
                    found.counters().stream().mapToDouble(Counter::count).sum());
        }
    }

    /** The present readings of the meters of {@code part}. */
    public static Usage read(MeterRegistry meters, String part) {
        Map<Count, Long> counts = new EnumMap<>(Count.class);
        for (Count count : Count.values()) {
            counts.put(count, count.read(meters, part));
        }
        return new Usage(counts);
    }

    public long of(Count count) {
        return counts.getOrDefault(count, 0L);
    }

    /** The {@link #CALLS}, as reports name them: {@code s3Get} to {@code sqsOther}. */
    public Map<String, Long> requests() {
        Map<String, Long> requests = new LinkedHashMap<>();
        for (Count call : CALLS) {
            String[] words = call.title().split(" ");
            requests.put(words[0] + Character.toUpperCase(words[1].charAt(0)) + words[1].substring(1), of(call));
        }
        return requests;
    }

    public Usage plus(Usage other) {
        return with(other, 1);
    }

    public Usage minus(Usage other) {
        return with(other, -1);
    }

    private Usage with(Usage other, int times) {
        Map<Count, Long> sum = new EnumMap<>(Count.class);
        sum.putAll(counts);
        other.counts.forEach((count, more) -> sum.merge(count, times * more, Long::sum));
        return new Usage(sum);
    }

    public long bytesIn() {
        return of(Count.S3_IN) + of(Count.SQS_IN);
    }

    public long bytesOut() {
        return of(Count.S3_OUT) + of(Count.SQS_OUT);
    }
}
