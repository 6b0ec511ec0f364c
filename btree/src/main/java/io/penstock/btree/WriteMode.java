package io.penstock.btree;

/** The guard of {@link TreeWriter} on its page writes. */
public enum WriteMode {
    /**
     * Each write replaces exactly the version it was made from; a writer that comes second reads again and repeats its
     * work.
     */
    CONDITIONAL,
    /**
     * A write replaces all that others have written to the page meanwhile, and so loses their updates: the paper's
     * baseline, for the level NAIVE alone. A page that was split meanwhile is not replaced, so that even NAIVE keeps
     * the tree whole.
     */
    OVERWRITE
}
