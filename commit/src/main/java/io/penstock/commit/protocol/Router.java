package io.penstock.commit.protocol;

import io.penstock.commit.log.LogRecord;
import io.penstock.commit.queue.PuQueueId;

/**
 * The choice of a PU queue for each log record. Any choice is correct, since a checkpoint applies a record to whatever
 * leaf holds its key. A good one sends the records of a leaf to the same queue.
 */
public interface Router {
    PuQueueId route(LogRecord record);
}
