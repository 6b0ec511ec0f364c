/** Bounds on memory: budgets of bytes, and sets that go to temporary files when they outgrow theirs. */
package io.penstock.core.memory;
