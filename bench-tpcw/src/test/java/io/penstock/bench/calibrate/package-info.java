/** The program that measures a cloud, and writes a profile of it. */
@NullMarked
package io.penstock.bench.calibrate;

import org.jspecify.annotations.NullMarked;
