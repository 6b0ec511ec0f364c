package io.penstock.core.object;

import java.util.Optional;

/**
 * The result of a read, and the server's time.
 *
 * @param object empty when there is none
 * @param serverMillis the store's clock when it answered, milliseconds since 1970; whole seconds on S3
 */
public record TimedObject(Optional<StoredObject> object, long serverMillis) {}
