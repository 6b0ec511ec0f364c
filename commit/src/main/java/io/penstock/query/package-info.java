/**
 * Queries over declared fields: fields of records, conditions on them, rows. They have no I/O; {@code
 * RecordCollection.query} and {@code Transaction.query} answer them. Young: a minor version may change it.
 */
package io.penstock.query;
