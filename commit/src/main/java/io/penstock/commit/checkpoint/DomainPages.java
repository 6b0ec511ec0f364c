package io.penstock.commit.checkpoint;

import io.penstock.commit.client.ServerClock;
import io.penstock.commit.domain.Parts.Pages;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.TreeId;
import io.penstock.report.CheckpointReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pages of a store, as checkpoints of commit logs write them. Safe for use by many threads.
 *
 * @param distrust makes the pages of a tree that are in memory be checked again before they are used
 */
public record DomainPages(
        RecordApplier applier, Lifetimes lifetimes, ServerClock serverClock, Consumer<TreeId> distrust)
        implements Pages {
    private static final Logger LOG = LoggerFactory.getLogger(DomainPages.class);

    @Override
    public CheckpointReport apply(String domain, List<LogRecord> records, boolean alone, BooleanSupplier turn) {
        if (!alone) {
            // A check costs a tenth of a put that is refused.
            records.stream().map(LogRecord::tree).distinct().forEach(distrust);
        }
        List<LogRecord> possible = new ArrayList<>(records.size());
        Map<TreeId, Optional<String>> foreign = new HashMap<>();
        for (LogRecord record : records) {
            Optional<String> obstacle = applier.obstacle(record)
                    .or(() -> foreign.computeIfAbsent(record.tree(), tree -> applier.foreign(tree, domain)));
            if (obstacle.isEmpty()) {
                possible.add(record);
            } else {
                // The log has it until it is trimmed.
                LOG.warn("a record of a commit log is left out why={}", obstacle.get());
            }
        }
        RecordApplier.Application applied =
                applier.apply(possible, false, lifetimes.timely(serverClock, possible, turn));
        applied.removeReplaced();
        return applied.report();
    }
}
