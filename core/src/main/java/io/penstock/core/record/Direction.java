package io.penstock.core.record;

/** Which way a scan goes through the keys. */
public enum Direction {
    ASCENDING,
    DESCENDING
}
