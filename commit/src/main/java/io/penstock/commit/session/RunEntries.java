package io.penstock.commit.session;

import io.penstock.commit.index.IndexEntry;
import io.penstock.core.page.LeafRun;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** The records of a scan as entries of an index. For one thread. */
final class RunEntries implements EntryScan {
    private final RecordScan records;
    private @Nullable LeafRun run;

    RunEntries(RecordScan records) {
        this.records = records;
    }

    @Override
    public boolean hasNext() {
        if (run == null || run.left() == 0) {
            run = null;
            run = records.advance();
        }
        return run != null;
    }

    @Override
    public IndexEntry next() {
        if (!hasNext() || run == null) {
            throw new NoSuchElementException();
        }
        run.next();
        return new IndexEntry(run.key(), run.payload());
    }

    @Override
    public void close() {
        records.close();
    }
}
