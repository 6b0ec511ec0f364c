package io.penstock.core.object;

/**
 * The result of a put.
 *
 * @param version names the content just written
 * @param serverMillis the store's clock when it answered, milliseconds since 1970; whole seconds on S3
 */
public record Written(ObjectVersion version, long serverMillis) {}
