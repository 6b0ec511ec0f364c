package io.penstock.core.object;

/** An opaque name for one written content of an object (S3's ETag). Equal versions mean equal content, never older. */
public record ObjectVersion(String tag) {}
