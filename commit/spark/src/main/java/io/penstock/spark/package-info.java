/** Collections as tables of Apache Spark. */
@org.jspecify.annotations.NullMarked
package io.penstock.spark;
