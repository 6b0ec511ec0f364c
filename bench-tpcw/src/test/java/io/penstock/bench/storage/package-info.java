/** The benchmark {@code scripts/bench storage}, and the binding for YCSB's own client. */
@NullMarked
package io.penstock.bench.storage;

import org.jspecify.annotations.NullMarked;
