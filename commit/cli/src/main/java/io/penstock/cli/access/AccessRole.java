package io.penstock.cli.access;

/** What somebody may do with a store. Roles add up: a client that checkpoints too needs both policies. */
public enum AccessRole {
    /** Reads and commits, and forwards what clients have committed at ATOMIC; applies nothing to pages. */
    CLIENT,

    /** Applies what is committed to pages, and finishes what dead clients have left. */
    CHECKPOINTER,

    /** Reads records and the backlog. */
    READ_ONLY
}
