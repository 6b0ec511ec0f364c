/** Measurements of web applications, and what they are made with; {@code scripts/bench} runs them. */
@org.jspecify.annotations.NullMarked
package io.penstock.examples.bench;
