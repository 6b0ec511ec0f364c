package io.penstock.core.record;

/** The direction of a scan through the keys. */
public enum Direction {
    ASCENDING,
    DESCENDING
}
