/** Commits of Penstock and of SlateDB, through one proxy with the latencies of a cloud. */
@NullMarked
package io.penstock.bench.commits;

import org.jspecify.annotations.NullMarked;
