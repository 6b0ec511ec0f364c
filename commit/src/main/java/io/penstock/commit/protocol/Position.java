package io.penstock.commit.protocol;

import io.penstock.commit.queue.PuQueueId;
import io.penstock.core.ClientId;

/**
 * Where log records of a transaction are in a PU queue: among those that {@code client} sent there in order, those with
 * numbers from {@code first} to {@code last} (others' records may lie between).
 */
public record Position(PuQueueId queue, ClientId client, long first, long last) {}
