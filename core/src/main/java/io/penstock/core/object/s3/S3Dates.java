package io.penstock.core.object.s3;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpResponse;

/** Reads when a server answered. */
final class S3Dates {
    private S3Dates() {}

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

    /** Milliseconds since 1970; empty when the server does not say. */
    static OptionalLong millis(SdkHttpResponse response) {
        try {
            String date = response.firstMatchingHeader("Date").orElse("");
            return OptionalLong.of(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date))
                    .toEpochMilli());
        } catch (DateTimeException e) {
            return OptionalLong.empty();
        }
    }
}
