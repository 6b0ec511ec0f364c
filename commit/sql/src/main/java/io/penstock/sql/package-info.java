/** SQL over the collections of a store, read only, by JDBC within the process. Calcite parses, plans and executes. */
@org.jspecify.annotations.NullMarked
package io.penstock.sql;
