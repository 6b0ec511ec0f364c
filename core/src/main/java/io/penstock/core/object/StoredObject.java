package io.penstock.core.object;

import io.penstock.core.Bytes;

/**
 * The result of a read.
 *
 * @param version names the content
 * @param modifiedMillis when the store took the write, by its own clock, milliseconds since 1970; whole seconds on S3
 */
public record StoredObject(Bytes body, ObjectVersion version, long modifiedMillis) {}
