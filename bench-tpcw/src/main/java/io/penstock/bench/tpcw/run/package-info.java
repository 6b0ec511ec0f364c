/**
 * The measured runs: where they happen, the paper's shoppers and the emulated browsers of TPC-W, what they used and
 * met, and what that costs.
 */
@NullMarked
package io.penstock.bench.tpcw.run;

import org.jspecify.annotations.NullMarked;
