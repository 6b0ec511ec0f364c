/**
 * The comparison: runs the paper's transaction at each consistency level on a store of its own, and reports its
 * duration, its cost and the lost updates.
 */
@NullMarked
package io.penstock.bench.tpcw.comparison;

import org.jspecify.annotations.NullMarked;
