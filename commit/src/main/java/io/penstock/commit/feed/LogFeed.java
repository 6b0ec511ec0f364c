package io.penstock.commit.feed;

import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.domain.Intent;
import io.penstock.commit.domain.LogReader;
import io.penstock.commit.domain.LogReader.Read;
import io.penstock.commit.engine.LostPayloads;
import io.penstock.commit.indexing.CollectionParts;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.Bytes;
import io.penstock.core.overflow.OverflowParts;
import io.penstock.core.overflow.OverflowStore;
import io.penstock.core.record.RecordChange;
import io.penstock.core.task.Tasks;
import io.penstock.feed.Change;
import io.penstock.feed.Change.Kind;
import io.penstock.feed.ChangeFeed;
import io.penstock.feed.Commit;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The transactions of one commit log as a program sees them. For one thread at a time. */
record LogFeed(CollectionParts parts, OverflowStore overflows, LostPayloads lost, FeedPosition from, LogReader log)
        implements ChangeFeed {
    /** The first pause between two looks at the end of the log; it doubles up to {@link #PAUSE_MAX}. */
    private static final Duration PAUSE = Duration.ofMillis(50);

    private static final Duration PAUSE_MAX = Duration.ofSeconds(1);

    @Override
    public Optional<Commit> next(Duration wait) {
        Tasks tasks = parts.tasks();
        long begun = tasks.nanoTime();
        Duration pause = PAUSE;
        while (true) {
            parts.handle().requireOpen();
            Optional<Commit> found = next();
            Duration left = wait.minusNanos(tasks.nanoTime() - begun);
            if (found.isPresent() || !left.isPositive()) {
                return found;
            }
            tasks.sleep(pause.compareTo(left) < 0 ? pause : left);
            pause = pause.compareTo(PAUSE_MAX.dividedBy(2)) < 0 ? pause.multipliedBy(2) : PAUSE_MAX;
        }
    }

    /** The next transaction of the log that changed a record. */
    private Optional<Commit> next() {
        while (true) {
            Optional<Read> read = log.next();
            if (read.isEmpty()) {
                return Optional.empty();
            }
            Optional<Commit> commit = commit(from, read.get(), parts, this::large);
            // Only now: if a value could not be read, the transaction comes again.
            log.advance();
            if (commit.isPresent()) {
                return commit;
            }
        }
    }

    /** The change that is a put of a large payload. */
    interface Large {
        Change change(String collection, Bytes key, LogRecord record);
    }

    private Change large(String collection, Bytes key, LogRecord record) {
        Bytes reference = Objects.requireNonNull(record.change().payloadOrNull());
        Optional<Bytes> value = overflows.read(record.tree(), OverflowParts.decode(reference));
        if (value.isEmpty()) {
            lost.requireReplaced(record);
        }
        return new Change(collection, key, value.isPresent() ? Kind.PUT : Kind.REPLACED, value);
    }

    /** A transaction of the log of a position; empty when it changed no record. */
    static Optional<Commit> commit(FeedPosition log, Read read, CollectionParts parts, Large large) {
        List<Change> changes = read.records().stream()
                .flatMap(record -> change(record, parts, large).stream())
                .toList();
        return changes.isEmpty()
                ? Optional.empty()
                : Optional.of(new Commit(log.after(read).text(), read.stamp(), changes));
    }

    /**
     * Returns the change of a log record; empty for a fence, an entry of an index, the id of a transaction, and for a
     * record of a collection that was dropped since.
     */
    private static Optional<Change> change(LogRecord record, CollectionParts parts, Large large) {
        return Intent.isFence(record)
                ? Optional.empty()
                : parts.catalog()
                        .ofTree(record.tree())
                        .filter(owner -> owner.treeId().equals(record.tree()))
                        .map(CollectionDefinition::name)
                        .filter(name -> !name.startsWith(Feeds.IDS))
                        .map(collection -> change(collection, record, large));
    }

    private static Change change(String collection, LogRecord record, Large large) {
        Bytes key = record.change().key();
        return switch (record.change()) {
            case RecordChange.Delete delete -> new Change(collection, key, Kind.DELETE, Optional.empty());
            case RecordChange.Put put
            when !put.isReference() -> new Change(collection, key, Kind.PUT, Optional.of(put.payload()));
            case RecordChange.Put put -> large.change(collection, key, record);
        };
    }
}
