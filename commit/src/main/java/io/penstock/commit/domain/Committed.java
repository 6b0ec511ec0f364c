package io.penstock.commit.domain;

import io.penstock.core.Stamp;

/**
 * The place of a committed transaction.
 *
 * @param position the number of its segment
 */
public record Committed(long position, Stamp stamp) {}
