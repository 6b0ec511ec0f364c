package io.penstock.core.object;

import io.penstock.core.Bytes;

/**
 * An upload of an object in numbered parts. The object appears whole when {@link #complete} returns, and not before. A
 * caller that does not complete an upload must abort it; parts left by a crash cost space until the store's own rule
 * for unfinished uploads removes them.
 *
 * <p>Every method is idempotent, and may throw what {@link ObjectStore} says. Safe for use by many threads, each with
 * parts of its own.
 */
public interface ObjectUpload {
    /** The shortest part that S3 accepts, except for the last. */
    int PART_BYTES_MIN = 5 << 20;

    /** The most parts that S3 accepts. */
    int PARTS_MAX = 10_000;

    /**
     * Sends one part. A repeat replaces it.
     *
     * @param number from 1 to {@link #PARTS_MAX}; without a gap in the end
     * @param part the bytes, as many as was declared at the beginning; the last part may be shorter, not empty
     */
    void part(int number, Bytes part);

    /**
     * Completes the object from the parts 1 to {@code parts}, replacing any earlier one.
     *
     * @throws io.penstock.core.OutcomeUnknownException when the answer was lost
     */
    void complete(int parts);

    /** Drops the parts. */
    void abort();
}
