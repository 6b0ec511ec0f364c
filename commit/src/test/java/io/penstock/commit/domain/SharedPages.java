package io.penstock.commit.domain;

import io.penstock.commit.domain.Parts.Pages;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import io.penstock.core.record.RecordChange;
import io.penstock.core.task.Tasks;
import io.penstock.report.CheckpointReport;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Pages of one record each, which all clients share; each client has a pool of them. */
final class SharedPages {
    static final Duration TTL = Duration.ofSeconds(20);

    private final Map<Bytes, RecordChange> pages = new TreeMap<>();

    Stamp stamp(Bytes key) {
        RecordChange change = pages.get(key);
        return change == null ? Stamp.ZERO : change.stamp();
    }

    Map<Bytes, RecordChange> all() {
        return pages;
    }

    /** The pages as one client sees them. */
    final class Pool implements Pages {
        private final Tasks tasks;
        private final Map<Bytes, Pooled> pool = new HashMap<>();

        private record Pooled(@Nullable RecordChange change, long nanos) {}

        Pool(Tasks tasks) {
            this.tasks = tasks;
        }

        @Override
        public CheckpointReport apply(String domain, List<LogRecord> records, boolean alone, BooleanSupplier turn) {
            for (LogRecord record : records) {
                tasks.sleep(Duration.ofMillis(tasks.random().nextInt(200)));
                RecordChange change = record.change();
                if (change.stamp().isAfter(stamp(change.key()))) {
                    pages.put(change.key(), change);
                }
            }
            return CheckpointReport.ofRecords(0, records.size(), 0, 0);
        }

        @Nullable
        RecordChange read(Bytes key, long sinceNanos) {
            Pooled pooled = pool.get(key);
            long now = tasks.nanoTime();
            if (pooled == null || pooled.nanos <= sinceNanos) {
                pooled = new Pooled(pages.get(key), now);
                pool.put(key, pooled);
            }
            return pooled.change;
        }
    }
}
