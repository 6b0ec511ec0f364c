package io.penstock.cli.access;

/** The rights of one kind of client. Roles add up: a client that also checkpoints needs both policies. */
public enum AccessRole {
    /** Reads records and the backlog. */
    READER,

    /** Reads, commits, and forwards the ATOMIC transactions of any client; applies nothing to pages. */
    WRITER,

    /** Applies committed log records to pages, and completes the work of dead clients. */
    CHECKPOINTER,

    /** Does all that a store's administrators do: everything below its prefix, and with its queues. */
    OPERATOR,

    /** Reads the store and writes backups of it; removes and changes nothing of the store, and removes no backup. */
    BACKUP
}
