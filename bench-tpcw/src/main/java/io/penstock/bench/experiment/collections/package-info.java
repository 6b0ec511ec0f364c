/** Stores of very many collections, in virtual time: what a client that knows none of them pays. */
@NullMarked
package io.penstock.bench.experiment.collections;

import org.jspecify.annotations.NullMarked;
