/**
 * Records: changes of them ({@link io.penstock.core.record.RecordChange}), the application of changes to a page ({@link
 * io.penstock.core.record.ChangeApplier}), and reading ({@link io.penstock.core.record.RecordManager}).
 */
package io.penstock.core.record;
