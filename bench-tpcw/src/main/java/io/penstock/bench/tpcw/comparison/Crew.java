package io.penstock.bench.tpcw.comparison;

import io.penstock.ConsistencyLevel;
import io.penstock.bench.cli.Progress;

/** Who makes the purchases of one level: clients of this process, or processes of their own. */
@FunctionalInterface
interface Crew {
    /** Makes all purchases of the scenario's load at {@code level}, and closes the clients that made them. */
    Shift work(Scenario scenario, ConsistencyLevel level, Progress progress);
}
