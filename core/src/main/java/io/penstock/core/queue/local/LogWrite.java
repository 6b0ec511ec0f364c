package io.penstock.core.queue.local;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A change on its way to the log: entries that are written together. Its methods are called by the writer in turn. */
abstract class LogWrite {
    private volatile boolean done;
    private volatile @Nullable RuntimeException failure;

    /** The entries, asked for when its turn has come; what was settled meanwhile is left out. */
    abstract List<LogEntry> entries();

    /** Notes that the entries are as durable as asked, with the place of each. */
    abstract void written(List<Place> places);

    /** Whether it is tried again with the next write when it fails, as a deletion for which no caller waits. */
    boolean isPatient() {
        return false;
    }

    /** Notes that it was not written and will not be tried again. */
    void failed() {}

    final boolean isDone() {
        return done;
    }

    final void succeed(List<Place> places) {
        try {
            written(places);
        } catch (RuntimeException late) {
            failure = late;
        }
        done = true;
    }

    final void fail(RuntimeException cause) {
        failed();
        failure = cause;
        done = true;
    }

    /** Throws what it failed with. */
    final void check() {
        RuntimeException thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
    }
}
