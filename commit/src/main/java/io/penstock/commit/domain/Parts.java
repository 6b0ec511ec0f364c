package io.penstock.commit.domain;

import io.penstock.commit.client.HybridClock;
import io.penstock.commit.client.ServerClock;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.ClientId;
import io.penstock.core.ConflictException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.task.Tasks;
import io.penstock.report.CheckpointReport;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The parts of the store that domains need.
 *
 * @param log the store of segments and horizons, retrying
 * @param prefix of their keys, empty or with a slash at its end
 * @param client the id under which this handle writes
 * @param refusal names a conflict to the user
 * @param handover the way of clients that lose a race for the next segment
 * @param home makes sure that the log with a horizon of this key is that of the store
 * @param putting called before each put of a segment, also of one that comes too late
 */
public record Parts(
        Tasks tasks,
        ObjectStore log,
        String prefix,
        HybridClock clock,
        ServerClock serverClock,
        Supplier<ClientId> client,
        Pages pages,
        Limits limits,
        Function<Conflict, ConflictException> refusal,
        Handover handover,
        Consumer<String> home,
        Runnable putting) {
    /** The trees to which checkpoints apply log records. */
    public interface Pages {
        /**
         * Applies log records; of several of one key the newest wins. When it returns, each is on a page or parked.
         *
         * @param domain of the log; records for collections of other domains are left out
         * @param records of each key the newest; and those before it whose payload is a reference
         * @param alone whether no other client has applied any since the last call, so that pages in memory are the
         *     newest
         * @param turn asked whether the log is still this client's to apply: where it is not, and the records are old,
         *     another may have purged what was deleted after them
         */
        CheckpointReport apply(String domain, List<LogRecord> records, boolean alone, BooleanSupplier turn);
    }
}
