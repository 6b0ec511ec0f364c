package io.penstock.core.object.s3;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.OptionalLong;
import software.amazon.awssdk.http.SdkHttpResponse;

/** Reads when a server answered. */
final class S3Dates {
    private S3Dates() {}

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
