package io.penstock.core.object;

import io.penstock.core.Bytes;

/**
 * An object on its way, in numbered parts. It is there when {@link #complete} has returned, whole, and before that not
 * at all. Whoever does not complete an upload aborts it; what a crash leaves behind costs space until the store's own
 * rule for unfinished uploads removes it.
 *
 * <p>Every method is idempotent, and may throw what {@link ObjectStore} says. Safe for use by many threads, each with
 * parts of its own.
 */
public interface ObjectUpload {
    /** The least that S3 takes for a part which is not the last. */
    int PART_BYTES_MIN = 5 << 20;

    /** How many parts S3 takes. */
    int PARTS_MAX = 10_000;

    /**
     * Sends one part. Sent again, it replaces itself.
     *
     * @param number from 1 to {@link #PARTS_MAX}, without a gap in the end
     * @param part as long as was said at the beginning; the last one may be shorter, not empty
     */
    void part(int number, Bytes part);

    /**
     * Makes the object of the parts from 1 to {@code parts}, replacing what was there.
     *
     * @throws io.penstock.core.OutcomeUnknownException when the answer was lost
     */
    void complete(int parts);

    /** Forgets the parts. */
    void abort();
}
