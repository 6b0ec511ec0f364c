package io.penstock.core.queue.sqs;

import io.penstock.core.InvalidRequestException;
import io.penstock.core.queue.QueueRules;
import io.penstock.core.remote.aws.WholeAnswers;
import java.time.Duration;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsClientBuilder;

/**
 * The clients of a service: one for long polls, which bears their silence, and one for the rest, which need not wait
 * that long for a dead server. Those built here have no retries ({@link io.penstock.core.retry.Retries} is the only
 * layer that repeats, so its budget holds) and no MD5 sums of messages, which have a CRC32C of their own. Safe for use
 * by many threads.
 */
record SqsClients(SqsClient ordinary, SqsClient polling, boolean owned) implements AutoCloseable {
    static SqsClients of(SqsSettings settings) {
        return settings.client()
                .map(given -> new SqsClients(given, given, false))
                .orElseGet(() ->
                        new SqsClients(build(settings, Duration.ZERO), build(settings, QueueRules.WAIT_MAX), true));
    }

    private static SqsClient build(SqsSettings settings, Duration silence) {
        return build(
                settings,
                UrlConnectionHttpClient.builder()
                        .connectionTimeout(settings.connectTimeout())
                        .socketTimeout(settings.readTimeout().plus(silence)),
                silence);
    }

    /**
     * A client over any HTTP client, which is closed with it.
     *
     * @param silence how long the server may say nothing, beyond the time-outs of the settings
     */
    static SqsClient build(SqsSettings settings, SdkHttpClient.Builder<?> http, Duration silence) {
        SqsClientBuilder builder = SqsClient.builder()
                .httpClientBuilder(http)
                .checksumValidationEnabled(false)
                .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.doNotRetry())
                        .apiCallTimeout(settings.callTimeout().plus(silence))
                        .addExecutionInterceptor(new WholeAnswers()));
        settings.credentials().ifPresent(builder::credentialsProvider);
        settings.endpoint()
                .ifPresent(endpoint -> builder.endpointOverride(endpoint).region(Region.US_EAST_1));
        settings.region().map(Region::of).ifPresent(builder::region);
        try {
            return builder.build();
        } catch (SdkClientException e) {
            throw new InvalidRequestException(
                    "no sqs client can be built; name region and credentials in the settings or the environment");
        }
    }

    @Override
    public void close() {
        if (owned) {
            ordinary.close();
            polling.close();
        }
    }
}
