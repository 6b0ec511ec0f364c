package io.penstock.bench.aws;

import io.penstock.cli.program.UsageException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say where S3 and SQS are. Filled by picocli. */
public final class AwsOptions {
    @Option(names = "--bucket", paramLabel = "NAME", description = "S3: an existing bucket of yours")
    private @Nullable String bucket;

    @Option(names = "--endpoint-s3", paramLabel = "URI", description = "S3: where it is; default: AWS itself")
    private @Nullable String endpointS3;

    @Option(names = "--endpoint-sqs", paramLabel = "URI", description = "SQS: where it is; default: AWS itself")
    private @Nullable String endpointSqs;

    @Option(names = "--region", paramLabel = "R", description = "S3 and SQS: default: that of your AWS configuration")
    private @Nullable String region;

    @Option(names = "--path-style", description = "S3: the bucket's name is in the path, as most stand-ins want it")
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

    /** What they name; no request is made. */
    public AwsServers servers() {
        if (bucket == null || bucket.isBlank()) {
            throw new UsageException("no bucket is given; name one of yours with --bucket");
        }
        return new AwsServers(
                endpoint("--endpoint-s3", endpointS3),
                endpoint("--endpoint-sqs", endpointSqs),
                region,
                bucket,
                pathStyle);
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
            // Told below.
        }
        throw new UsageException(option + " is no address; give one as http://127.0.0.1:4566");
    }
}
