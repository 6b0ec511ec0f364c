package io.penstock.core.queue.sqs;

import io.penstock.core.ErrorCode;
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
 * Settings of the queues on SQS: the way to reach them. Immutable: each method returns changed settings. Everything has
 * a default; region and credentials are those of the SDK's default chains. Safe for use by many threads.
 */
public final class SqsSettings {
    /** The most tags of one queue. */
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

    /** The default settings. */
    public static SqsSettings standard() {
        return new SqsSettings();
    }

    /** The server, if it is not AWS's own, or one of AWS's special endpoints. */
    public SqsSettings endpoint(URI value) {
        return with(next -> next.access = access.withEndpoint(value));
    }

    /** The queues' region. Default: that of the SDK's chain; with an endpoint, us-east-1. */
    public SqsSettings region(String value) {
        return with(next -> next.access = access.withRegion(value));
    }

    /** The credentials. Default: the SDK's chain (environment, system properties, profile, container, machine). */
    public SqsSettings credentials(AwsCredentialsProvider value) {
        return with(next -> next.access = access.withCredentials(value));
    }

    /**
     * A client of the caller's own, which stays open when the service is closed. It has its own endpoint, region,
     * credentials, time-outs and retries. Its time-outs must tolerate the 20 s of silence of a long poll. Switch its
     * retries off: the layer above repeats requests already, and the two would multiply.
     */
    public SqsSettings client(SqsClient value) {
        return with(next -> next.client = value);
    }

    /** Tags for every queue created, at most 50. Default: none. */
    public SqsSettings tags(Map<String, String> value) {
        if (value.size() > TAGS_MAX) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING, "a queue takes at most 50 tags; remove some", "tags", value.size());
        }
        return with(next -> next.tags = Map.copyOf(value));
    }

    /** The time limit for making a connection. Default: 2 s. */
    public SqsSettings connectTimeout(Duration value) {
        return with(next -> next.access = access.withConnectTimeout(value));
    }

    /** The longest silence of the server; in a long poll, in addition to its wait. Default: 10 s. */
    public SqsSettings readTimeout(Duration value) {
        return with(next -> next.access = access.withReadTimeout(value));
    }

    /** The time limit of one request; of a long poll, in addition to its wait. Default: 30 s. */
    public SqsSettings callTimeout(Duration value) {
        return with(next -> next.access = access.withCallTimeout(value));
    }

    public Optional<SqsClient> client() {
        return Optional.ofNullable(client);
    }

    public Map<String, String> tags() {
        return tags;
    }

    /** The settings that all services of AWS share. */
    AwsAccess access() {
        return access;
    }
}
