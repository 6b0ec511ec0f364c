/** Locks of ShedLock in a store. */
@org.jspecify.annotations.NullMarked
package io.penstock.shedlock;
