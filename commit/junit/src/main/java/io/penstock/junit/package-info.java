/** Stores for tests of JUnit. Young: a minor version may change it. */
@org.jspecify.annotations.NullMarked
package io.penstock.junit;
