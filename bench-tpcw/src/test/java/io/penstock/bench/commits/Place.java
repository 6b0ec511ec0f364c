package io.penstock.bench.commits;

import io.penstock.bench.aws.AwsServers;
import io.penstock.testing.LatencyProxy;
import io.penstock.testing.RealServers;
import io.penstock.testkit.Profile;
import java.net.URI;
import java.util.Map;

/**
 * A cloud on this machine: one server behind a proxy for what is asked of the store, and behind another, as quick as S3
 * Express One Zone, for commit logs that are kept apart.
 */
record Place(Profile profile, RealServers.Endpoint server, LatencyProxy proxy, LatencyProxy express)
        implements AutoCloseable {
    static final String BUCKET = "commits";
    private static final String LOG_BUCKET = "commits-log";
    private static final long SEED = 1;

    static Place open(Profile profile, RealServers.Endpoint server) {
        System.setProperty("aws.accessKeyId", server.accessKey());
        System.setProperty("aws.secretAccessKey", server.secretKey());
        return new Place(
                profile,
                server,
                LatencyProxy.to(server.s3(), profile, SEED),
                LatencyProxy.to(server.s3(), Profile.EXPRESS_2026, SEED));
    }

    AwsServers servers() {
        return at(proxy.address(), BUCKET);
    }

    AwsServers log() {
        return at(express.address(), LOG_BUCKET);
    }

    private static AwsServers at(URI address, String bucket) {
        return new AwsServers(address, address, RealServers.Endpoint.REGION, bucket, true);
    }

    /** The variables of the environment that the SDKs of AWS look for. */
    Map<String, String> credentials() {
        return Map.of(
                "AWS_REGION", RealServers.Endpoint.REGION,
                "AWS_ACCESS_KEY_ID", server.accessKey(),
                "AWS_SECRET_ACCESS_KEY", server.secretKey());
    }

    LatencyProxy.Bill bill() {
        return proxy.bill().and(express.bill());
    }

    @Override
    public void close() {
        proxy.close();
        express.close();
    }
}
