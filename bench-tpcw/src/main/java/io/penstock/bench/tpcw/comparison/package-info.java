/**
 * Runs the paper's transaction at each consistency level on a store of its own, and says what it took, what it cost,
 * and what of it was lost.
 */
@NullMarked
package io.penstock.bench.tpcw.comparison;

import org.jspecify.annotations.NullMarked;
