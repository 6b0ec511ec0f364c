/** Client processes: how one program starts others of its own kind, talks to them by lines, and never leaves one behind. */
@NullMarked
package io.penstock.bench.process;

import org.jspecify.annotations.NullMarked;
