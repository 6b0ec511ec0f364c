package io.penstock.commit.simulation.surface;

/** What a run may have in it. Each is drawn for itself: one that is always there hides what another would show. */
enum Feature {
    // Of the world.
    INDEX_MADE,
    INDEX_ADDED,
    UNDECLARED,
    COVERING,
    UNIQUE,
    LARGE,
    EXPIRY,
    STALENESS,
    CHECKPOINTS,
    COMPACTION,
    SCRUB,
    REPAGE,
    RENAME,
    DROP_INDEX,
    FEED,
    RECOVER,
    REOPEN,
    LOOKS,
    LOST,
    SLOW,
    THROTTLE,
    REORDER,
    KILLS,
    FREEZES,
    SKEW,
    INTERRUPTS,
    SHARED,
    WEAK,
    FILL,
    MOVE,
    // Of programs.
    DELETES,
    BACKWARDS,
    LIMITS,
    PARTLY,
    PAGES,
    BY_INDEX,
    MANY,
    STREAMS,
    CONDITIONS,
    RANGES,
    COUNTERS,
    BEGIN,
    TRANSACT,
    READ,
    OUTSIDE,
    SCANS_OUTSIDE,
    SESSIONS,
    TOKENS,
    DEADLINES,
    ABORTS,
    THROWS,
    LONG,
    NESTED,
    INSIDE,
    IDS,
    QUERIES,
    // Of the world again, drawn last: a store without queues, backups, summaries, encryption.
    BUCKET_ONLY,
    BACKUPS,
    SUMMARIES,
    ENCRYPTED,
    // Drawn apart, so that worlds without them are as they were: sealed values, a second master key, reviews, versions
    // of records, writes while a scan is open, a program that lacks one of the keys of sealed values, programs that set
    // no level, where that is SERIALIZABLE, states read at positions, a commit log
    // in an object store of its own.
    SEALED,
    NEW_MASTER,
    REVIEW,
    VERSIONS,
    MEANWHILE,
    LACKS_KEY,
    NO_LEVEL,
    STATES,
    LOG_APART;

    boolean isOfWorld() {
        return compareTo(DELETES) < 0 || compareTo(BUCKET_ONLY) >= 0;
    }

    boolean isDrawnApart() {
        return compareTo(SEALED) >= 0;
    }
}
