/**
 * SQL over the collections of a store, read only, by JDBC within the process. Calcite parses, plans and executes.
 * Young: a minor version may change it.
 */
@org.jspecify.annotations.NullMarked
package io.penstock.sql;
