package io.penstock.core.queue.local;

/** The place of an entry in the log: its segment's number and the offset of its first byte there. */
record Place(long segment, int offset) {}
