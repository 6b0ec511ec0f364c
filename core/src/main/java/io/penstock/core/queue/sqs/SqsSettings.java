package io.penstock.core.queue.sqs;

import io.penstock.core.InvalidRequestException;
import io.penstock.core.remote.aws.AwsAccess;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
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

    private AwsAccess access = AwsAccess.STANDARD;
    private @Nullable SqsClient client;
    private Map<String, String> tags = Map.of();

    private SqsSettings() {}

    private SqsSettings(SqsSettings from) {
        access = from.access;
        client = from.client;
        tags = from.tags;
    }

    private SqsSettings with(Consumer<SqsSettings> change) {
        SqsSettings next = new SqsSettings(this);
        change.accept(next);
        return next;
    }

    /** The defaults. */
    public static SqsSettings standard() {
        return new SqsSettings();
    }

    /** A server other than AWS's own, or one of its special endpoints. */
    public SqsSettings endpoint(URI value) {
        return with(next -> next.access = access.withEndpoint(value));
    }

    /** The queues' region. Default: that of the SDK's chain; with an endpoint, us-east-1. */
    public SqsSettings region(String value) {
        return with(next -> next.access = access.withRegion(value));
    }

    /** Default: the SDK's chain (environment, system properties, profile, container, machine). */
    public SqsSettings credentials(AwsCredentialsProvider value) {
        return with(next -> next.access = access.withCredentials(value));
    }

    /**
     * A client of the caller's own, which stays open when the service is closed. Endpoint, region, credentials and
     * time-outs are then the client's: it must bear the 20 s of silence of a long poll. So are its retries: switch them
     * off, for the layer above repeats what may be repeated, and the two would multiply.
     */
    public SqsSettings client(SqsClient value) {
        return with(next -> next.client = value);
    }

    /** Tags for every queue created, at most 50. Default: none. */
    public SqsSettings tags(Map<String, String> value) {
        if (value.size() > TAGS_MAX) {
            throw new InvalidRequestException("a queue has at most 50 tags", "tags", value.size());
        }
        return with(next -> next.tags = Map.copyOf(value));
    }

    /** How long making a connection may take. Default: 2 s. */
    public SqsSettings connectTimeout(Duration value) {
        return with(next -> next.access = access.withConnectTimeout(value));
    }

    /** How long the server may be silent; in a long poll, beyond the wait that was asked for. Default: 10 s. */
    public SqsSettings readTimeout(Duration value) {
        return with(next -> next.access = access.withReadTimeout(value));
    }

    /** How long one request may take in all; a long poll, beyond its wait. Default: 30 s. */
    public SqsSettings callTimeout(Duration value) {
        return with(next -> next.access = access.withCallTimeout(value));
    }

    public Optional<URI> endpoint() {
        return Optional.ofNullable(access.endpoint());
    }

    public Optional<String> region() {
        return Optional.ofNullable(access.region());
    }

    public Optional<AwsCredentialsProvider> credentials() {
        return Optional.ofNullable(access.credentials());
    }

    public Optional<SqsClient> client() {
        return Optional.ofNullable(client);
    }

    public Map<String, String> tags() {
        return tags;
    }

    public Duration connectTimeout() {
        return access.connectTimeout();
    }

    public Duration readTimeout() {
        return access.readTimeout();
    }

    public Duration callTimeout() {
        return access.callTimeout();
    }

    /** Where, as whom and how patiently. */
    AwsAccess access() {
        return access;
    }
}
