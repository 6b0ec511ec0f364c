/** {@code scripts/bench damage}: every way to damage a small store, and who notices. */
package io.penstock.bench.damage;
