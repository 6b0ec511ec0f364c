package io.penstock.bench.damage;

/** Who noticed a damage. */
enum Verdict {
    /** The store's own work: an exception of a read, or a report of recovery, checkpoint or quarantine. */
    READ,
    /** Nobody but {@code verify}. */
    VERIFY,
    /** Nobody, and every record reads as it must. */
    HARMLESS,
    /** Nobody, and something reads wrongly. */
    SILENT
}
