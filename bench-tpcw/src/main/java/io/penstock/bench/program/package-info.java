/** What the command lines of this module have in common: one line for each complaint, and exit codes. */
@NullMarked
package io.penstock.bench.program;

import org.jspecify.annotations.NullMarked;
