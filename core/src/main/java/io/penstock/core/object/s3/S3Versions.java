package io.penstock.core.object.s3;

import io.penstock.core.object.ObjectVersion;

/** ETags as versions and back. An ETag travels in quotes; a version has none. Does no I/O. */
final class S3Versions {
    private S3Versions() {}

    static ObjectVersion version(String eTag) {
        String strong = eTag.startsWith("W/") ? eTag.substring(2) : eTag;
        boolean quoted = strong.length() >= 2 && strong.startsWith("\"") && strong.endsWith("\"");
        return new ObjectVersion(quoted ? strong.substring(1, strong.length() - 1) : strong);
    }

    static String eTag(ObjectVersion version) {
        return '"' + version.tag() + '"';
    }
}
