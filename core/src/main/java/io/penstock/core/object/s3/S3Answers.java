package io.penstock.core.object.s3;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.object.StoredObject;
import io.penstock.core.remote.ObjectAnswers;
import java.io.IOException;
import java.io.InputStream;
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
                ObjectAnswers.version(response.eTag()),
                lastModified(response.lastModified()));
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
