package io.penstock.commit.engine;

import io.penstock.commit.catalog.Catalog;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.checkpoint.LogCheckpoints;
import io.penstock.commit.domain.Domain;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.protocol.WriteSet;
import io.penstock.commit.session.LayeredReader;
import io.penstock.commit.session.SessionState;
import io.penstock.commit.session.Snapshot;
import io.penstock.commit.session.SnapshotReader;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.overflow.OverflowParts;
import io.penstock.core.page.Expiry;
import io.penstock.core.record.Content;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The check of large payloads of domains that are not there: most were replaced since, but some were lost. Safe for use
 * by many threads.
 */
public record LostPayloads(Catalog catalog, LogCheckpoints logs, SessionState.Shared shared) {
    /**
     * Checks that a payload which is not there was replaced, or that its collection left the domains.
     *
     * @param record that had it in some state of the log
     * @throws CorruptDataException when it has it still
     */
    public void requireReplaced(LogRecord record) {
        Optional<Domain> domain = catalog.ofTree(record.tree())
                .flatMap(known -> catalog.refresh(known.name()))
                .map(CollectionDefinition::domain)
                .map(logs::domain);
        Bytes reference = Objects.requireNonNull(record.change().payloadOrNull());
        Content gone = new Content(reference, true, Expiry.NEVER);
        if (domain.isPresent() && now(domain.get(), record).filter(gone::isSame).isPresent()) {
            OverflowParts parts = OverflowParts.decode(reference);
            throw LayeredReader.lost(shared.overflows(), record.tree(), parts);
        }
    }

    private Optional<Content> now(Domain domain, LogRecord record) {
        try (Snapshot newest =
                new Snapshot(domain, Duration.ZERO, false, Duration.ZERO, false, null, shared.clock()::wallMillis)) {
            return new SnapshotReader(newest, shared)
                    .content(record.tree(), record.change().key(), WriteSet.none());
        }
    }
}
