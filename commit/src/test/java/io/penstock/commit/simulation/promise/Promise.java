package io.penstock.commit.simulation.promise;

import java.util.List;

/** One thing that a store promises. Pure: the same evidence gives the same verdict. */
public interface Promise {
    /** As failures and documents call it. */
    String name();

    /** How it was broken, a line for each time; empty when it was kept. */
    List<String> violations(Evidence evidence);
}
