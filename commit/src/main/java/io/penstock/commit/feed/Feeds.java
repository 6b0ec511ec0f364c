package io.penstock.commit.feed;

import io.penstock.commit.checkpoint.LogCheckpoints;
import io.penstock.commit.domain.Domain;
import io.penstock.commit.domain.Domains;
import io.penstock.commit.domain.LogReader;
import io.penstock.commit.domain.Moment;
import io.penstock.commit.engine.LostPayloads;
import io.penstock.commit.indexing.CollectionParts;
import io.penstock.commit.settings.Bounds;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.overflow.OverflowStore;
import io.penstock.feed.Change;
import io.penstock.feed.Change.Kind;
import io.penstock.feed.ChangeFeed;
import io.penstock.feed.Commit;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Makes the change feeds of a store, and the positions that they begin at. Safe for use by many threads. */
public final class Feeds {
    /** The beginning of the names of collections that hold the ids of transactions. Feeds do not show their records. */
    public static final String IDS = "penstock.ids.";

    private final CollectionParts parts;
    private final LogCheckpoints logs;
    private final OverflowStore overflows;
    private final LostPayloads lost;
    private final LongSupplier nowMillis;
    private final long store;

    /** @param nowMillis the wall clock, in milliseconds since 1970 */
    public Feeds(
            CollectionParts parts,
            LogCheckpoints logs,
            OverflowStore overflows,
            LostPayloads lost,
            LongSupplier nowMillis) {
        this.parts = parts;
        this.logs = logs;
        this.overflows = overflows;
        this.lost = lost;
        this.nowMillis = nowMillis;
        this.store = parts.handle().storeNumber();
    }

    /** The place after everything that was acknowledged before. */
    public String position(String domain) {
        parts.handle().requireOpen();
        long millis = nowMillis.getAsLong();
        Domain.End end = domain(domain).end();
        long newest = end.newest().millis();
        return new FeedPosition(store, domain, end.place(), end.newest().time(), Math.max(millis, newest)).text();
    }

    /** The transactions after a position. */
    public ChangeFeed from(String position) {
        parts.handle().requireOpen();
        FeedPosition from = parsed(position);
        return new LogFeed(parts, overflows, lost, from, domain(from.domain()).read(from.place()));
    }

    /** The transactions of one segment of a domain's log that changed records. Large values are left out. */
    public List<Commit> segment(String domain, long number) {
        parts.handle().requireOpen();
        FeedPosition log = new FeedPosition(store, domain, new LogReader.Place(0, 0, 0), 0, 0);
        return domain(domain).survey().transactions(number).stream()
                .flatMap(read -> LogFeed.commit(
                        log,
                        read,
                        parts,
                        (collection, key, put) -> new Change(collection, key, Kind.PUT, Optional.empty()))
                        .stream())
                .toList();
    }

    private FeedPosition parsed(String position) {
        FeedPosition from = FeedPosition.parse(Bounds.requirePresent("position", position));
        if (from.store() != store) {
            throw FeedPosition.refusal("it is another store's", null);
        }
        return from;
    }

    /** The state that a position names. */
    public Moment moment(String position) {
        parts.handle().requireOpen();
        return parsed(position).moment();
    }

    /** Returns a domain that exists: a request for its changes creates none. */
    private Domain domain(String name) {
        String wanted = Domains.requireName(name);
        boolean found = parts.catalog().list().stream().anyMatch(known -> wanted.equals(known.domain()))
                || logs.find(wanted).isPresent();
        if (!found) {
            throw new InvalidRequestException(
                    ErrorCode.NOT_FOUND,
                    "the store has no such domain; check its name, or make a collection of it first",
                    "domain",
                    wanted);
        }
        return logs.domain(wanted);
    }
}
