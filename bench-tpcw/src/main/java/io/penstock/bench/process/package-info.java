/** Client processes: a program starts them, exchanges lines with them, and never leaves one running. */
@NullMarked
package io.penstock.bench.process;

import org.jspecify.annotations.NullMarked;
