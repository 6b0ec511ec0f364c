package io.penstock.cli.access;

/** The rights of one kind of client. Roles add up: a client that also checkpoints needs both policies. */
public enum AccessRole {
    /** Reads, commits, and forwards the ATOMIC transactions of any client; applies nothing to pages. */
    CLIENT,

    /** Applies committed log records to pages, and completes the work of dead clients. */
    CHECKPOINTER,

    /** Reads records and the backlog. */
    READ_ONLY
}
