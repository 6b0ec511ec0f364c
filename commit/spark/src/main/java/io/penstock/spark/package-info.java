/** Collections as tables of Apache Spark. Young: a minor version may change it. */
@org.jspecify.annotations.NullMarked
package io.penstock.spark;
