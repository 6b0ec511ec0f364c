package io.penstock.core.object;

/**
 * What a put returned.
 *
 * @param version names the content just written
 * @param serverMillis the store's clock when it answered, milliseconds since 1970; whole seconds on S3
 */
public record Written(ObjectVersion version, long serverMillis) {}
