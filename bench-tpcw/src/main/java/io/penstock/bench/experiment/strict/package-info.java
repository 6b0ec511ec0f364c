/** What isolation costs: commits, reads and contention at SERIALIZABLE, in virtual time. */
@org.jspecify.annotations.NullMarked
package io.penstock.bench.experiment.strict;
