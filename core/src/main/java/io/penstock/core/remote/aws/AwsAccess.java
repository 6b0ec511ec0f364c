package io.penstock.core.remote.aws;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.object.BucketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;

/**
 * The part of the settings that all services of AWS share: the server, the credentials and the time-outs. Immutable.
 *
 * @param endpoint null: AWS's own
 * @param region null: that of the SDK's chain; with an endpoint, us-east-1
 * @param credentials null: the SDK's chain
 * @param connectTimeout of making a connection
 * @param readTimeout of a silence of the server
 * @param callTimeout of one request in all
 */
public record AwsAccess(
        @Nullable URI endpoint,
        @Nullable String region,
        @Nullable AwsCredentialsProvider credentials,
        Duration connectTimeout,
        Duration readTimeout,
        Duration callTimeout) {
    public static final AwsAccess STANDARD =
            new AwsAccess(null, null, null, Duration.ofSeconds(2), Duration.ofSeconds(10), Duration.ofSeconds(30));

    private static final Pattern REGION = Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?");

    public AwsAccess {
        if (endpoint != null) {
            BucketAddress.server("endpoint", endpoint.toString());
        }
        if (region != null && !REGION.matcher(region).matches()) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "a region is named by letters, digits and -, such as eu-central-1; correct it",
                    "region",
                    region);
        }
        requirePositive("connectTimeout", connectTimeout);
        requirePositive("readTimeout", readTimeout);
        requirePositive("callTimeout", callTimeout);
    }

    private static void requirePositive(String name, Duration value) {
        if (!value.isPositive()) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING, "a time-out must be positive; raise it", name, value);
        }
    }

    public AwsAccess withEndpoint(URI value) {
        return new AwsAccess(value, region, credentials, connectTimeout, readTimeout, callTimeout);
    }

    public AwsAccess withRegion(String value) {
        return new AwsAccess(endpoint, value, credentials, connectTimeout, readTimeout, callTimeout);
    }

    public AwsAccess withCredentials(AwsCredentialsProvider value) {
        return new AwsAccess(endpoint, region, value, connectTimeout, readTimeout, callTimeout);
    }

    public AwsAccess withConnectTimeout(Duration value) {
        return new AwsAccess(endpoint, region, credentials, value, readTimeout, callTimeout);
    }

    public AwsAccess withReadTimeout(Duration value) {
        return new AwsAccess(endpoint, region, credentials, connectTimeout, value, callTimeout);
    }

    public AwsAccess withCallTimeout(Duration value) {
        return new AwsAccess(endpoint, region, credentials, connectTimeout, readTimeout, value);
    }

    /**
     * The JDK's HTTP client with these time-outs.
     *
     * @param silence added to the time-outs, for requests that the server answers late on purpose
     */
    public SdkHttpClient.Builder<?> http(Duration silence) {
        return OneReaderHttp.over(UrlConnectionHttpClient.builder()
                .connectionTimeout(connectTimeout)
                .socketTimeout(readTimeout.plus(silence)));
    }

    /**
     * Builds a client for this server, with these credentials and time-outs and without retries: {@link
     * io.penstock.core.retry.Retries} is the only layer that repeats requests, so its budget holds.
     *
     * @param silence the longest silence of the server, see {@link #http}
     * @param service the service's name in messages
     * @param place names and values by turns, for the message
     */
    public <B extends AwsClientBuilder<B, C>, C> C build(B builder, Duration silence, String service, Object... place) {
        builder.overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.doNotRetry())
                .apiCallTimeout(callTimeout.plus(silence))
                .addExecutionInterceptor(new WholeAnswers()));
        Optional.ofNullable(credentials).ifPresent(builder::credentialsProvider);
        Optional.ofNullable(endpoint)
                .ifPresent(server -> builder.endpointOverride(server).region(Region.US_EAST_1));
        Optional.ofNullable(region).map(Region::of).ifPresent(builder::region);
        try {
            return builder.build();
        } catch (SdkClientException e) {
            throw new InvalidRequestException(
                    ErrorCode.NO_CREDENTIALS,
                    "no " + service + " client can be built; name region and credentials in the settings or the"
                            + " environment",
                    place);
        }
    }
}
