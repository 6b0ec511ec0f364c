/** {@code scripts/bench peers}: Penstock beside embedded stores of Java, the data of all of them in memory. */
@NullMarked
package io.penstock.bench.experiment.peers;

import org.jspecify.annotations.NullMarked;
