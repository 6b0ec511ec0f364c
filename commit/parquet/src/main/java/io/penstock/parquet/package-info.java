/** Exports as Parquet files. */
@org.jspecify.annotations.NullMarked
package io.penstock.parquet;
