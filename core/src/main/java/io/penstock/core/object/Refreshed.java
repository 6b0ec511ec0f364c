package io.penstock.core.object;

/** The answer of {@link ObjectStore#getIfChanged}. */
public sealed interface Refreshed {
    /** The known version is still current (S3's 304). */
    record Unchanged() implements Refreshed {}

    record Changed(StoredObject object) implements Refreshed {}

    /** There is no object any more. */
    record Missing() implements Refreshed {}
}
