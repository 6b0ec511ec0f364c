/**
 * Records: what a change says of one ({@link io.penstock.core.record.RecordChange}), how changes are applied to a page
 * ({@link io.penstock.core.record.ChangeApplier}), and how records are read ({@link
 * io.penstock.core.record.RecordManager}).
 */
package io.penstock.core.record;
