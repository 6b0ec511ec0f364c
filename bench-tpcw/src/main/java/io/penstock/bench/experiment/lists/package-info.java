/** Pages of a list by an index, beside writes, in virtual time: what each view costs. */
@NullMarked
package io.penstock.bench.experiment.lists;

import org.jspecify.annotations.NullMarked;
