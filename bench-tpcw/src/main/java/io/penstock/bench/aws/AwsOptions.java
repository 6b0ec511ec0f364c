package io.penstock.bench.aws;

import io.penstock.cli.program.UsageException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that name the S3 and SQS servers. Filled by picocli. */
public final class AwsOptions {
    @Option(names = "--bucket", paramLabel = "NAME", description = "an existing bucket of yours")
    private @Nullable String bucket;

    @Option(
            names = {"--endpoint", "--endpoint-s3"},
            paramLabel = "URI",
            description = "the bucket's server; default: the cloud's own")
    private @Nullable String endpointS3;

    @Option(names = "--endpoint-sqs", paramLabel = "URI", description = "the SQS server; default: that of AWS")
    private @Nullable String endpointSqs;

    @Option(
            names = "--region",
            paramLabel = "R",
            description = "region of S3 and SQS; default: that of your AWS configuration")
    private @Nullable String region;

    @Option(names = "--path-style", description = "puts the bucket's name into the path, as most stand-ins need")
    private boolean pathStyle;

    /** The first of these options that was given, if any. */
    public @Nullable String given() {
        if (endpointS3 != null || endpointSqs != null) {
            return endpointS3 != null ? "--endpoint-s3" : "--endpoint-sqs";
        }
        if (bucket != null || region != null) {
            return bucket != null ? "--bucket" : "--region";
        }
        return pathStyle ? "--path-style" : null;
    }

    /** The server of the bucket; null: the cloud's own. */
    public @Nullable URI endpoint() {
        return endpoint("--endpoint-s3", endpointS3);
    }

    /** The servers that these options name; makes no request. */
    public AwsServers servers() {
        if (bucket == null || bucket.isBlank()) {
            throw new UsageException("no bucket is given; name one of yours with --bucket");
        }
        return new AwsServers(endpoint(), endpoint("--endpoint-sqs", endpointSqs), region, bucket, pathStyle);
    }

    private static @Nullable URI endpoint(String option, @Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            URI uri = new URI(text);
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            if (uri.getHost() != null && (scheme.equals("http") || scheme.equals("https"))) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // Reported below.
        }
        throw new UsageException(option + " is not an address; give one such as http://127.0.0.1:4566");
    }
}
