/** Client processes: how a program starts others, talks to them by lines, and never leaves one behind. */
@NullMarked
package io.penstock.bench.process;

import org.jspecify.annotations.NullMarked;
