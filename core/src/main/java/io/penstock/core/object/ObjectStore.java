package io.penstock.core.object;

import io.penstock.core.Bytes;
import java.util.Collection;
import java.util.Optional;

/**
 * A flat map from keys to immutable objects. Keys are 1 to 1,024 bytes of UTF-8; objects are at most 5 GiB, and in
 * practice a few hundred KiB.
 *
 * <p>Every method may throw {@link io.penstock.core.UnavailableException} (nothing was done). A failed write has three
 * outcomes of three types: not done ({@code Unavailable}), refused ({@link io.penstock.core.ConflictException}), and
 * not known ({@link io.penstock.core.OutcomeUnknownException}).
 *
 * <p>Not promised: any order or atomicity across keys; that a reader sees the newest write, in a store that is only
 * eventually consistent (S3 before December 2020).
 *
 * <p>Safe for use by many threads.
 */
public interface ObjectStore extends AutoCloseable {
    /**
     * The whole object, or empty when there is none.
     *
     * @throws io.penstock.core.CorruptDataException when it is larger than {@link ObjectRules#WHOLE_BYTES_MAX}: read
     *     ranges of it
     */
    Optional<StoredObject> get(String key);

    /** Reads an object as {@link #get} does, and returns the store's time too, even when there is no object. */
    TimedObject getTimed(String key);

    /**
     * Bytes of the object from {@code offset} on, as many as there are up to {@code length}, or empty when there is no
     * object. An offset at or beyond the end gives an empty body.
     */
    Optional<StoredObject> getRange(String key, long offset, int length);

    /**
     * The object if its version differs from {@code known}. An unchanged version that the store cannot confirm is sent
     * again whole, up to the same bound.
     */
    Refreshed getIfChanged(String key, ObjectVersion known);

    /**
     * Writes the whole object, replacing any earlier one.
     *
     * @throws io.penstock.core.ConflictException when {@code condition} did not hold, or a concurrent write kept the
     *     store from deciding it (S3's 412, 409, and 404 on a version): nothing was written
     * @throws io.penstock.core.OutcomeUnknownException when the answer was lost
     */
    Written put(String key, Bytes body, WriteCondition condition);

    /**
     * Begins an object that is too large to be held in memory whole. It is written without a condition, so its key must
     * have no other writer.
     *
     * @param partBytes the length of every part except the last, at least {@link ObjectUpload#PART_BYTES_MIN} if there
     *     is more than one
     */
    ObjectUpload upload(String key, int partBytes);

    /** Removes the object; nothing happens when there is none. Idempotent. */
    void delete(String key);

    /** Removes many objects. Not atomic: after a failure some, none or all are gone; repeat it. */
    void deleteAll(Collection<String> keys);

    /**
     * Up to {@code limit} objects whose keys start with {@code prefix} and are greater than {@code startAfter} (empty:
     * from the first), in the order of their keys' UTF-8 bytes. The listing is over when {@link Listing#more} is false;
     * a short page alone says nothing.
     */
    Listing list(String prefix, String startAfter, int limit);

    /** Releases local resources; objects stay. */
    @Override
    void close();
}
