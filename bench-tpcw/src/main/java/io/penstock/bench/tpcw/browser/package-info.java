/**
 * Emulated browsers of TPC-W: mixes and their transition matrices, think times, sessions, and the run that measures
 * what browsers see.
 */
@NullMarked
package io.penstock.bench.tpcw.browser;

import org.jspecify.annotations.NullMarked;
