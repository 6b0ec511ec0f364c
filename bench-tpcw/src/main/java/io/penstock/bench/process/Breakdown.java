package io.penstock.bench.process;

/** The last report of a client process that cannot go on. */
public interface Breakdown {
    /** Returns the fault, in one line. */
    String message();

    /** Whether the call was wrong; else a server did not answer. */
    boolean request();
}
