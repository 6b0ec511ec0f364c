package io.penstock.commit.session;

import io.penstock.core.object.ObjectVersion;
import io.penstock.core.record.KeyRange;

/**
 * A leaf of which something was learnt. Immutable.
 *
 * @param page its number
 * @param version of its object, then
 * @param range of its keys, then
 * @param newestTime the time of the newest stamp on it, as in {@link io.penstock.core.Stamp#time()}; 0 without entries
 */
public record KnownLeaf(long page, ObjectVersion version, KeyRange range, long newestTime) {}
