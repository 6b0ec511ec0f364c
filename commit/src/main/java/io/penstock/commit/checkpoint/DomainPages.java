package io.penstock.commit.checkpoint;

import io.penstock.commit.domain.Parts.Pages;
import io.penstock.commit.log.LogRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The pages of a store, as checkpoints of commit logs write them. Safe for use by many threads. */
public final class DomainPages implements Pages {
    private static final Logger LOG = LoggerFactory.getLogger(DomainPages.class);

    private final RecordApplier applier;

    public DomainPages(RecordApplier applier) {
        this.applier = applier;
    }

    @Override
    public Applied apply(List<LogRecord> records) {
        List<LogRecord> possible = new ArrayList<>(records.size());
        for (LogRecord record : records) {
            Optional<String> obstacle = applier.obstacle(record);
            if (obstacle.isEmpty()) {
                possible.add(record);
            } else {
                // Of a collection that was dropped: the log has it until it is trimmed.
                LOG.warn("a record of a commit log is left out why={}", obstacle.get());
            }
        }
        RecordApplier.Applied applied = applier.apply(possible);
        applier.remove(applied);
        return new Applied(applied.pages(), applied.parked());
    }
}
