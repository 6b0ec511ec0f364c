package io.penstock.core.object.s3;

import java.time.Duration;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/**
 * Builds the S3 client of a store that was given none, without features that are superfluous here:
 *
 * <ul>
 *   <li>retries: {@link io.penstock.core.retry.Retries} is the only layer that repeats, so its budget holds;
 *   <li>checksums of bodies, where S3 does not require them: pages and messages have their own CRC32C;
 *   <li>{@code Expect: 100-continue}: a round trip before each body, and bodies are small;
 *   <li>chunks with a signature each: a body is in memory and signed, if at all, in one go.
 * </ul>
 */
final class S3Clients {
    private S3Clients() {}

    static S3Client build(S3Settings settings) {
        return build(settings, settings.http().orElseGet(() -> settings.access().http(Duration.ZERO)));
    }

    /** Builds the same client over any HTTP client, which is closed with it. */
    static S3Client build(S3Settings settings, SdkHttpClient.Builder<?> http) {
        S3ClientBuilder builder = S3Client.builder()
                .httpClientBuilder(http)
                .forcePathStyle(settings.pathStyle())
                .serviceConfiguration(
                        service -> service.chunkedEncodingEnabled(false).expectContinueEnabled(false))
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
        return settings.access().build(builder, Duration.ZERO, "s3", "bucket", settings.bucket());
    }
}
