package io.penstock.commit.protocol;

import io.penstock.commit.log.LogRecord;
import io.penstock.commit.queue.PuQueueId;

/**
 * Which PU queue a log record goes to. Any answer is right, since a checkpoint applies a record wherever its key lives;
 * a good one keeps records of one leaf together.
 */
public interface Router {
    PuQueueId route(LogRecord record);
}
