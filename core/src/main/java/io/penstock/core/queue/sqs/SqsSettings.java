package io.penstock.core.queue.sqs;

import io.penstock.core.InvalidRequestException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * How to reach the queues. Immutable: each method returns changed settings. Everything has a default; region and
 * credentials are those of the SDK's default chains. Safe for use by many threads.
 */
public final class SqsSettings {
    /** How many tags SQS takes on one queue. */
    private static final int TAGS_MAX = 50;

    private @Nullable URI endpoint;
    private @Nullable String region;
    private @Nullable AwsCredentialsProvider credentials;
    private @Nullable SqsClient client;
    private Map<String, String> tags = Map.of();
    private Duration connectTimeout = Duration.ofSeconds(2);
    private Duration readTimeout = Duration.ofSeconds(10);
    private Duration callTimeout = Duration.ofSeconds(30);

    private SqsSettings() {}

    private SqsSettings(SqsSettings from) {
        endpoint = from.endpoint;
        region = from.region;
        credentials = from.credentials;
        client = from.client;
        tags = from.tags;
        connectTimeout = from.connectTimeout;
        readTimeout = from.readTimeout;
        callTimeout = from.callTimeout;
    }

    /** The defaults. */
    public static SqsSettings standard() {
        return new SqsSettings();
    }

    /** A server other than AWS's own, or one of its special endpoints. */
    public SqsSettings endpoint(URI value) {
        SqsSettings next = new SqsSettings(this);
        next.endpoint = value;
        return next;
    }

    /** The queues' region. Default: that of the SDK's chain; with an endpoint, us-east-1. */
    public SqsSettings region(String value) {
        SqsSettings next = new SqsSettings(this);
        next.region = value;
        return next;
    }

    /** Default: the SDK's chain (environment, system properties, profile, container, machine). */
    public SqsSettings credentials(AwsCredentialsProvider value) {
        SqsSettings next = new SqsSettings(this);
        next.credentials = value;
        return next;
    }

    /**
     * A client of the caller's own, which stays open when the service is closed. Endpoint, region, credentials and
     * time-outs are then the client's: it must bear the 20 s of silence of a long poll. So are its retries: switch them
     * off, for the layer above repeats what may be repeated, and the two would multiply.
     */
    public SqsSettings client(SqsClient value) {
        SqsSettings next = new SqsSettings(this);
        next.client = value;
        return next;
    }

    /** Tags for every queue created, at most 50. Default: none. */
    public SqsSettings tags(Map<String, String> value) {
        if (value.size() > TAGS_MAX) {
            throw new InvalidRequestException("a queue has at most 50 tags", "tags", value.size());
        }
        SqsSettings next = new SqsSettings(this);
        next.tags = Map.copyOf(value);
        return next;
    }

    /** How long making a connection may take. Default: 2 s. */
    public SqsSettings connectTimeout(Duration value) {
        SqsSettings next = new SqsSettings(this);
        next.connectTimeout = requirePositive("connectTimeout", value);
        return next;
    }

    /** How long the server may be silent; in a long poll, beyond the wait that was asked for. Default: 10 s. */
    public SqsSettings readTimeout(Duration value) {
        SqsSettings next = new SqsSettings(this);
        next.readTimeout = requirePositive("readTimeout", value);
        return next;
    }

    /** How long one request may take in all; a long poll, beyond its wait. Default: 30 s. */
    public SqsSettings callTimeout(Duration value) {
        SqsSettings next = new SqsSettings(this);
        next.callTimeout = requirePositive("callTimeout", value);
        return next;
    }

    private static Duration requirePositive(String name, Duration value) {
        if (!value.isPositive()) {
            throw new InvalidRequestException("a time-out must be positive; raise it", name, value);
        }
        return value;
    }

    public Optional<URI> endpoint() {
        return Optional.ofNullable(endpoint);
    }

    public Optional<String> region() {
        return Optional.ofNullable(region);
    }

    public Optional<AwsCredentialsProvider> credentials() {
        return Optional.ofNullable(credentials);
    }

    public Optional<SqsClient> client() {
        return Optional.ofNullable(client);
    }

    public Map<String, String> tags() {
        return tags;
    }

    public Duration connectTimeout() {
        return connectTimeout;
    }

    public Duration readTimeout() {
        return readTimeout;
    }

    public Duration callTimeout() {
        return callTimeout;
    }
}
