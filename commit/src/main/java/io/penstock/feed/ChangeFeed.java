package io.penstock.feed;

import java.time.Duration;
import java.util.Optional;

/**
 * The transactions of a domain from a position on, each whole and in the order of the commit log. Holds no resources,
 * and needs no close. For one thread at a time.
 *
 * <p>Keep {@link Commit#position} once a transaction is dealt with, and go on from there after a crash: what was not
 * kept comes again, so each transaction comes at least once.
 */
public interface ChangeFeed {
    /**
     * Returns the next transaction; empty if none was committed for {@code wait}.
     *
     * @param wait zero to end where the log ends; otherwise the log is looked at about once a second meanwhile
     * @throws io.penstock.core.InvalidRequestException of code {@code POSITION_TOO_OLD} when the position is older than
     *     what the log keeps ({@link io.penstock.Settings#logRetention}): begin anew with a scan; of {@code
     *     INVALID_TOKEN} when it is none of this log
     * @throws io.penstock.core.CorruptDataException when a record's large value was lost: restore it, then call again
     * @throws io.penstock.core.StoreException when it could not be read: call again, nothing is skipped
     */
    Optional<Commit> next(Duration wait);
}
