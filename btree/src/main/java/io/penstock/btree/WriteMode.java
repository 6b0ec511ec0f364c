package io.penstock.btree;

/** How {@link TreeWriter} guards its page writes. */
public enum WriteMode {
    /** Each write replaces exactly the version it was made from; who comes second reads again and redoes his work. */
    CONDITIONAL,
    /** Writes replace whatever is there and lose concurrent updates: the paper's baseline, for the level NAIVE alone. */
    UNCONDITIONAL
}
