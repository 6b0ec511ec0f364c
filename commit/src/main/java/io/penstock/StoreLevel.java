package io.penstock;

import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The level of what chooses none, for one store handle. Collections of a domain are used at a level that isolates, and
 * a collection without a domain at one that does not, unless the program asked for isolation. Safe for many threads.
 */
final class StoreLevel {
    private static final Logger LOG = LoggerFactory.getLogger(StoreLevel.class);

    private final ConsistencyLevel level;
    private final boolean given;
    private final boolean queued;
    private final Set<String> told = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean toldOfLostUpdates = new AtomicBoolean();

    /**
     * @param given whether the program chose the level
     * @param queued whether the store has queues
     * @throws InvalidRequestException when the level needs queues, and the store has none
     */
    StoreLevel(ConsistencyLevel level, boolean given, boolean queued) {
        this.level = level;
        this.given = given;
        this.queued = queued;
        requireServed(level);
    }

    /** @throws InvalidRequestException when a level needs queues, and the store has none */
    void requireServed(ConsistencyLevel wanted) {
        if (!queued && !wanted.isolates()) {
            throw new InvalidRequestException(
                    ErrorCode.NEEDS_QUEUES,
                    "the levels of a store without queues are SNAPSHOT and SERIALIZABLE; use one of them, or make a"
                            + " store with a queue service",
                    "level",
                    wanted);
        }
    }

    ConsistencyLevel level() {
        return level;
    }

    /** Whether transactions that choose no level take that of the first collection they use. */
    boolean followsCollections() {
        return !given;
    }

    /** The level of collections without a domain, where that is not refused. */
    ConsistencyLevel weak() {
        return level.isolates() ? ConsistencyLevel.ATOMIC : level;
    }

    /** The level of the methods of a collection. */
    ConsistencyLevel of(CollectionDefinition collection) {
        boolean moves = collection.moving() != null; // reads may go on meanwhile, from pages when all of it is there
        if (collection.domain() != null && (!moves || collection.isLeaving())) {
            return level.isolates() ? level : ConsistencyLevel.SERIALIZABLE;
        }
        if (given || !level.isolates()) {
            return level;
        }
        if (!moves && !told.contains(collection.name()) && told.add(collection.name())) {
            LOG.warn(
                    "a collection was made without a domain, so its transactions are not isolated, and updates may be"
                            + " lost; move it into a domain, or set the level ATOMIC if that is meant collection={}",
                    collection.name());
        }
        return weak();
    }

    /** Whether no warning was logged yet that a transaction without isolation may lose updates. */
    boolean watchesForLostUpdates() {
        return !toldOfLostUpdates.get();
    }

    /** Notes that a transaction without isolation writes a record that it has read. */
    void sawUpdate(String collection, ConsistencyLevel used) {
        if (!toldOfLostUpdates.getAndSet(true)) {
            LOG.warn(
                    "a transaction writes a record that it has read, at a level where others may overwrite that, and"
                            + " updates are lost; use SERIALIZABLE where that matters level={} collection={}",
                    used,
                    collection);
        }
    }
}
