/** Client processes: a program starts them, exchanges lines with them, and never leaves one behind. */
@NullMarked
package io.penstock.bench.process;

import org.jspecify.annotations.NullMarked;
