/**
 * Client processes that are ended by {@code kill -9} while they write, and the check of what they leave behind: {@code
 * scripts/kills}.
 */
@NullMarked
package io.penstock.bench.kills;

import org.jspecify.annotations.NullMarked;
