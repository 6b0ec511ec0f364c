package io.penstock.commit.simulation.promise;

import java.util.List;

/** A promise of a store. Pure: the same evidence gives the same verdict. */
public interface Promise {
    /** The name in failures and documents. */
    String name();

    /** The violations, a line for each; empty when the promise was kept. */
    List<String> violations(Evidence evidence);
}
