/** Reading a large cold collection in virtual time: how long, and how much, until the first records are there. */
@NullMarked
package io.penstock.bench.experiment.cold;

import org.jspecify.annotations.NullMarked;
