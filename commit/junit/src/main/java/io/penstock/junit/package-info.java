/** Stores for tests of JUnit. */
@org.jspecify.annotations.NullMarked
package io.penstock.junit;
