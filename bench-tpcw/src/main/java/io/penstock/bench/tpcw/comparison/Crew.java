package io.penstock.bench.tpcw.comparison;

import io.penstock.ConsistencyLevel;
import io.penstock.bench.program.Progress;

/** The clients that make the purchases of one level: threads of this process, or processes. */
@FunctionalInterface
interface Crew {
    /** Makes all purchases of the scenario's load at {@code level}, and closes the clients that made them. */
    Shift work(Scenario scenario, ConsistencyLevel level, Progress progress);
}
