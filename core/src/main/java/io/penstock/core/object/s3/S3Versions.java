package io.penstock.core.object.s3;

import io.penstock.core.object.ObjectVersion;
import java.io.EOFException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Converts ETags to versions and back. An ETag is quoted; a version is not. Does no I/O. */
final class S3Versions {
    private S3Versions() {}

    /** @param eTag of the answer; null when the answer was cut before it */
    static ObjectVersion version(@Nullable String eTag) {
        if (eTag == null) {
            throw new UncheckedIOException(new EOFException("an answer without an ETag"));
        }
        String strong = eTag.startsWith("W/") ? eTag.substring(2) : eTag;
        boolean quoted = strong.length() >= 2 && strong.startsWith("\"") && strong.endsWith("\"");
        return new ObjectVersion(quoted ? strong.substring(1, strong.length() - 1) : strong);
    }

    static String eTag(ObjectVersion version) {
        return '"' + version.tag() + '"';
    }
}
