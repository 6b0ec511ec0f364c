package io.penstock.core.object;

import io.penstock.core.Bytes;

/**
 * The result of a read.
 *
 * @param version names the content
 * @param modifiedMillis when the store took the write, by its own clock, milliseconds since 1970; whole seconds on S3
 */
public record StoredObject(Bytes body, ObjectVersion version, long modifiedMillis) {
    /**
     * Returns this object with only {@code length} bytes of the body from {@code offset} on, or as many as there are.
     */
    public StoredObject range(long offset, int length) {
        int from = (int) Math.min(offset, body.length());
        int to = (int) Math.min((long) from + length, body.length());
        return new StoredObject(body.slice(from, to), version, modifiedMillis);
    }
}
