/** Exports as Parquet files. Young: a minor version may change it. */
@org.jspecify.annotations.NullMarked
package io.penstock.parquet;
