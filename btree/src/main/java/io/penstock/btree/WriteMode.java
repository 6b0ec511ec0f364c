package io.penstock.btree;

/** How {@link TreeWriter} guards its page writes. */
public enum WriteMode {
    /** Each write replaces exactly the version it was made from; who comes second reads again and redoes his work. */
    CONDITIONAL,
    /**
     * A write replaces whatever others have written to the page meanwhile, and so loses their updates: the paper's
     * baseline, for the level NAIVE alone. Only a page that was split meanwhile is not replaced, so that even NAIVE
     * keeps the tree in one piece.
     */
    OVERWRITE
}
