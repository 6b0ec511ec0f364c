package io.penstock.core.object.s3;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.StoredObject;
import io.penstock.core.remote.ObjectAnswers;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** Reads the parts of an answer: the body, the version, the times. */
final class S3Answers {
    private S3Answers() {}

    /** The object of an answer, its body in an array of its exact size. */
    static StoredObject object(String key, GetObjectResponse response, InputStream body) throws IOException {
        return new StoredObject(
                ObjectAnswers.body(key, response.contentLength(), body),
                version(response.eTag()),
                lastModified(response.lastModified()));
    }

    /**
     * The version of an ETag. An ETag is quoted; a version is not.
     *
     * @param eTag of the answer; null when the answer was cut before it
     */
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

    /**
     * Returns the time at which an object was written last, in milliseconds since 1970.
     *
     * @throws InvalidRequestException when the server does not say
     */
    static long lastModified(@Nullable Instant told) {
        if (told == null) {
            throw new InvalidRequestException(
                    ErrorCode.UNSUPPORTED_SERVER,
                    "s3 answered without Last-Modified, which ages are judged by; use a server that sends it, or"
                            + " check proxies on the way");
        }
        return told.toEpochMilli();
    }

    /** The time at which a server answered, in milliseconds since 1970; empty when the server does not say. */
    static OptionalLong millis(SdkHttpResponse response) {
        return ObjectAnswers.millis(response.firstMatchingHeader("Date").orElse(null));
    }
}
