package io.penstock.commit.checkpoint;

import io.penstock.commit.client.ClientContext;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.commit.queue.DeadLetterStore;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The second application of log records that were parked or put into quarantine, once their obstacle is gone. Stamps
 * make it safe to repeat. Safe for use by many threads.
 *
 * @param recordLife the age up to which a record cannot meet a purged tombstone
 */
public record Replay(ClientContext membership, RecordApplier records, Duration recordLife) {
    /**
     * The outcome for one object.
     *
     * @param records that were applied
     * @param obstacle why the others, or all, are still kept; empty when none is
     */
    public record Outcome(long records, Optional<String> obstacle) {
        private static Outcome blocked(String why) {
            return new Outcome(0, Optional.of(why));
        }
    }

    /** The log records in an object. */
    public static List<LogRecord> read(DeadLetterStore kept, String name) {
        Bytes message = kept.read(name)
                .orElseThrow(() -> new InvalidRequestException(
                        ErrorCode.NOT_FOUND, "there is no such object; quarantine list shows all", "name", name));
        return PuMessage.decode(message, name).records();
    }

    /**
     * Applies the records of an object, and removes it if that succeeds.
     *
     * @param ofQueue whether its records are those of a queue's message, which a checkpoint may not have applied: then
     *     what a checkpoint asks is asked again
     * @param evenOld whether also records that may come back from a delete whose trace is purged
     */
    public Outcome apply(DeadLetterStore kept, String name, boolean ofQueue, boolean evenOld) {
        membership.serverClock().requireKnownInStep();
        try {
            List<LogRecord> all = read(kept, name);
            Optional<String> obstacle = all.stream()
                    .flatMap(record ->
                            obstacle(record, evenOld)
                                    .or(() -> ofQueue ? records.straying(record) : Optional.empty())
                                    .stream())
                    .findFirst();
            return obstacle.map(Outcome::blocked).orElseGet(() -> applyAll(kept, name, all));
        } catch (CorruptDataException damaged) {
            return Outcome.blocked(String.valueOf(damaged.getMessage()));
        }
    }

    private Optional<String> obstacle(LogRecord record, boolean evenOld) {
        long oldest = membership.serverClock().nowMillis() - recordLife.toMillis();
        return !evenOld && record.change().stamp().millis() < oldest
                ? Optional.of("a log record is older than tombstones are kept, and may undo a delete")
                : records.obstacle(record);
    }

    private Outcome applyAll(DeadLetterStore kept, String name, List<LogRecord> all) {
        RecordApplier.Application applied = records.apply(all);
        if (!applied.isParkedAs(name)) {
            kept.remove(name);
        }
        applied.removeReplaced();
        long parked = applied.report().parked();
        return new Outcome(
                all.size() - parked,
                parked == 0
                        ? Optional.empty()
                        : Optional.of("a page is still damaged; " + parked + " log records stay parked"));
    }
}
