package io.penstock.btree;

import io.penstock.core.record.RecordChange;
import java.util.List;

/**
 * Changes to one leaf that an index build has visited already, so that the build will not index them.
 *
 * @param indexEpoch the epoch of the leaf, in the very version that has the changes or something newer in their place
 * @param changes sorted by key
 */
public record MarkedChanges(long indexEpoch, List<RecordChange> changes) {}
