package io.penstock.btree;

import io.penstock.core.record.RecordChange;
import java.util.List;

/**
 * Changes that met a leaf which a build of an index had been to before.
 *
 * @param indexEpoch of the leaf, in the very version that has the changes or something newer in their place
 * @param changes sorted by key
 */
public record MarkedChanges(long indexEpoch, List<RecordChange> changes) {}
