package io.penstock.commit.checkpoint;

import io.penstock.commit.client.ClientContext;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.commit.queue.DeadLetterStore;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.UnavailableException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The second application of log records that were parked or put into quarantine, once their obstacle is gone. Stamps
 * make it safe to repeat. Safe for use by many threads.
 *
 * @param lifetimes of records that cannot meet a purged tombstone
 */
public record Replay(ClientContext membership, RecordApplier records, Lifetimes lifetimes) {
    private static final Logger LOG = LoggerFactory.getLogger(Replay.class);

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

    /** Hands over the log records in the objects of a folder, object by object, as far as they can be read. */
    public static void forEach(DeadLetterStore kept, Consumer<List<LogRecord>> work) {
        for (DeadLetterStore.Kept one : kept.list()) {
            List<LogRecord> records = List.of();
            try {
                records = read(kept, one.name());
            } catch (CorruptDataException | InvalidRequestException unreadable) {
                LOG.debug("no log records were read name={} why={}", one.name(), unreadable.getMessage());
            }
            work.accept(records);
        }
    }

    /**
     * Applies the records of an object, and removes it if that succeeds.
     *
     * @param message whether it is a queue's message, which a checkpoint may not have applied: then what a checkpoint
     *     asks is asked again
     * @param evenOld whether also records that may come back from a delete whose trace is purged
     */
    public Outcome apply(DeadLetterStore kept, String name, boolean message, boolean evenOld) {
        membership.serverClock().requireKnownInStep();
        try {
            List<LogRecord> all = read(kept, name);
            boolean ofQueue = message || RecordApplier.isOfQueue(name);
            Optional<String> obstacle = Stream.concat(
                            all.stream().flatMap(record -> obstacle(record, evenOld).stream()),
                            ofQueue ? astray(all).stream() : Stream.empty())
                    .findFirst();
            return obstacle.map(Outcome::blocked)
                    .orElseGet(() -> applyAll(kept, name, all, ofQueue, timely(all, ofQueue, evenOld)));
        } catch (CorruptDataException damaged) {
            return Outcome.blocked(String.valueOf(damaged.getMessage()));
        }
    }

    private Optional<String> obstacle(LogRecord record, boolean evenOld) {
        long oldest = membership.serverClock().nowMillis() - lifetimes.record().toMillis();
        return !evenOld && record.change().stamp().millis() < oldest
                ? Optional.of("a log record is older than tombstones are kept, and may undo a delete")
                : records.obstacle(record);
    }

    private Optional<String> astray(List<LogRecord> all) {
        return all.stream()
                .map(LogRecord::tree)
                .distinct()
                .flatMap(tree -> records.astray(tree).stream())
                .findFirst();
    }

    /** Returns the check to be run whenever a page is replaced: this machine may stand still at any time before. */
    private Runnable timely(List<LogRecord> all, boolean ofQueue, boolean evenOld) {
        Runnable young = lifetimes.timely(membership.serverClock(), all, () -> evenOld);
        return () -> {
            young.run();
            Optional<String> astray = ofQueue ? astray(all) : Optional.empty();
            if (astray.isPresent()) {
                throw new UnavailableException(astray.get());
            }
        };
    }

    private Outcome applyAll(DeadLetterStore kept, String name, List<LogRecord> all, boolean ofQueue, Runnable timely) {
        RecordApplier.Application applied = records.apply(all, ofQueue, timely);
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
