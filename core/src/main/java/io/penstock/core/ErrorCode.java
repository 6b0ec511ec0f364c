package io.penstock.core;

/**
 * The codes of {@link StoreException}: one for each cause that a program or an operator can act on. The type of an
 * exception says how its caller reacts; the code says what to mend. Messages may change, codes stay. The descriptions
 * here are those of {@code docs/ERRORS.md}. Immutable.
 */
public enum ErrorCode {
    /** An argument that is null, out of its range, or not of the form that its call takes. Correct the call. */
    INVALID_ARGUMENT,

    /** A setting that contradicts another, or has a value out of its range or without meaning. Correct it. */
    INVALID_SETTING,

    /** A name that is none of a setting. Correct or remove it. */
    UNKNOWN_SETTING,

    /** Settings that name no place for a store. Name a directory, a bucket, or memory. */
    NO_PLACE,

    /** Settings that name two places for one store. Remove one, or set it to empty. */
    TWO_PLACES,

    /** A call that its transaction or handle does not allow, such as one nested in another. Move it. */
    TRANSACTION_MISUSE,

    /** A write through a handle or in a transaction that only reads. Open the store, or begin, to write. */
    READ_ONLY,

    /** An object of the store that has to be made and may not, by its provisioning. Make it with Admin.provision. */
    NOT_PROVISIONED,

    /**
     * Work that needs a queue, in a store without queues: a level below SNAPSHOT, or a collection outside of domains.
     * Use SNAPSHOT or SERIALIZABLE, or make the store with a queue service.
     */
    NEEDS_QUEUES,

    /** A collection, domain, page or other thing that does not exist, or was dropped. Check its name. */
    NOT_FOUND,

    /** An index that the store does not have, or that is being built or dropped. Build it, or wait. */
    INDEX_NOT_READY,

    /** An index of the store that the program does not declare. Declare it, or drop it. */
    UNDECLARED_INDEX,

    /** A name that is taken, or a place that has records or files already. Choose another. */
    ALREADY_EXISTS,

    /** A collection or index that the store defines in another way than the program. Use the stored definition. */
    DEFINITION_MISMATCH,

    /** A collection whose domain, or lack of one, does not fit the call. Use another level, or move the collection. */
    DOMAIN_MISMATCH,

    /** A key, record, payload or transaction beyond a limit. Make it smaller, or divide it. */
    TOO_LARGE,

    /** A value or key that the codec cannot write or read. Use the codec that wrote it, or mend its type. */
    CODEC_FAILURE,

    /** A token or position that is forged, damaged, too old, or of another store. Begin without it. */
    INVALID_TOKEN,

    /** A position whose state pages have lost, or whose next changes are trimmed. Take a new one, and read again. */
    POSITION_TOO_OLD,

    /** A condition that another writer or transaction was quicker to change. Read again, then retry. */
    CONFLICT,

    /** A value of another version than its record, which others have changed since. Read it again, then decide. */
    STALE_VERSION,

    /** A collection that is being restored or copied. Wait for the end, or repeat that if it has failed. */
    BEING_RESTORED,

    /** A search key of a unique index that another record has. Choose another value. */
    DUPLICATE_KEY,

    /** A call on a store, session or transaction that is closed. Open another. */
    CLOSED,

    /** A call that may or may not have taken effect. Read to find out, or repeat it if that is harmless. */
    OUTCOME_UNKNOWN,

    /** A server, or other work, that failed for the moment. Nothing was changed: wait, then retry. */
    UNAVAILABLE,

    /** A server that asks for fewer requests. Wait, then retry; spread the load if it stays. */
    THROTTLED,

    /** A server that cannot be reached. Check network and endpoint. */
    UNREACHABLE,

    /** A thread that was interrupted while it waited. Nothing was changed: retry if the work is still wanted. */
    INTERRUPTED,

    /** Commits that wait to be applied, up to their limit. See that checkpoints run and keep up. */
    BACKLOG_FULL,

    /** Memory of the client that is too small for an operation, or in use. Raise {@code memoryBytes}, or wait. */
    OUT_OF_MEMORY,

    /** A clock, of this machine or another client, that is too far from the servers'. Set it right. */
    CLOCK_SKEW,

    /** Credentials for the servers that are missing or have expired. Give them, or renew them. */
    NO_CREDENTIALS,

    /**
     * A master key of encryption that is missing, malformed, destroyed, or not the one that sealed the store or value.
     * Give that key.
     */
    NO_KEY,

    /** A right that the credentials do not have. Compare their policy with {@code penstock policy}. */
    ACCESS_DENIED,

    /** A request that the server refuses for another reason. Look up the server's code in the message. */
    REQUEST_REFUSED,

    /** A server or queue that lacks a feature, or would lose data as it is set. Use another, or mend its setting. */
    UNSUPPORTED_SERVER,

    /** A bucket that is in another region. Set the region of the bucket. */
    WRONG_REGION,

    /** A bucket that does not exist. Create it, correct its name, or allow the store to create it. */
    BUCKET_NOT_FOUND,

    /** A queue that does not exist. Check whether it was deleted; create it with Admin.provision. */
    QUEUE_NOT_FOUND,

    /** A place without a store, or with another than was opened. Check place and prefix, or open it to make one. */
    STORE_NOT_FOUND,

    /** A directory that another store has open, in this process or another. Close that one, or use another. */
    DIRECTORY_IN_USE,

    /** A disk that is full. Free some of it; nothing has to be opened again. */
    DISK_FULL,

    /** A directory or disk that cannot be written. Mend its rights or its mount, or use another. */
    DISK_UNUSABLE,

    /** Bytes or a protocol of another release. Use the release that wrote them. */
    OTHER_RELEASE,

    /** A page or index that fails a check. Run {@code penstock verify}, then restore it. */
    PAGE_DAMAGED,

    /** An object of a commit log, or its horizon, that is missing or fails a check. Restore it. */
    LOG_DAMAGED,

    /** A backup of which an object is missing or damaged. Restore an earlier moment, or the place of the backup. */
    BACKUP_DAMAGED,

    /** A definition of the catalog, or the store's identity, that is missing or fails a check. Restore it. */
    CATALOG_DAMAGED,

    /** A payload, message or other object that is missing or fails a check. Restore it, or run verify. */
    OBJECT_DAMAGED
}
