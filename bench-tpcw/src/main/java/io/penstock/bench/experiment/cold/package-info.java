/** Reads of a large cold collection in virtual time: time, requests and bytes until the first records arrive. */
@NullMarked
package io.penstock.bench.experiment.cold;

import org.jspecify.annotations.NullMarked;
