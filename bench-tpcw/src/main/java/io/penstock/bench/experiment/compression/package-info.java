/** Costs and gains of compressed pages: bytes, processor time, and cold reads in virtual time. */
@NullMarked
package io.penstock.bench.experiment.compression;

import org.jspecify.annotations.NullMarked;
