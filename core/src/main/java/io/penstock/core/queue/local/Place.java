package io.penstock.core.queue.local;

/** Where an entry is in the log: its segment's number and the first byte in it. */
record Place(long segment, int offset) {}
