package io.penstock.core.queue.sqs;

import io.penstock.core.queue.QueueRules;
import java.time.Duration;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsClientBuilder;

/**
 * The clients of a service: one for long polls, which tolerates their silence, and one for all other calls, which gives
 * a dead server up sooner. Clients built here have no retries ({@link io.penstock.core.retry.Retries} is the only layer
 * that repeats, so its budget holds) and no MD5 sums of messages, which have a CRC32C of their own. Safe for use by
 * many threads.
 */
record SqsClients(SqsClient ordinary, SqsClient polling, boolean owned) implements AutoCloseable {
    static SqsClients of(SqsSettings settings) {
        return settings.client()
                .map(given -> new SqsClients(given, given, false))
                .orElseGet(() ->
                        new SqsClients(build(settings, Duration.ZERO), build(settings, QueueRules.WAIT_MAX), true));
    }

    private static SqsClient build(SqsSettings settings, Duration silence) {
        return build(settings, settings.access().http(silence), silence);
    }

    /**
     * Builds a client over any HTTP client, which is closed with it.
     *
     * @param silence added to the time-outs of the settings
     */
    static SqsClient build(SqsSettings settings, SdkHttpClient.Builder<?> http, Duration silence) {
        SqsClientBuilder builder = SqsClient.builder().httpClientBuilder(http).checksumValidationEnabled(false);
        return settings.access().build(builder, silence, "sqs");
    }

    @Override
    public void close() {
        if (owned) {
            ordinary.close();
            polling.close();
        }
    }
}
