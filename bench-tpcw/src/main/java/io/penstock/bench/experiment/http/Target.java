package io.penstock.bench.experiment.http;

import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.regions.Region;

/** The server and bucket to read from. */
record Target(URI endpoint, String bucket, AwsCredentialsProvider credentials) {
    static final Region REGION = Region.US_EAST_1;
}
