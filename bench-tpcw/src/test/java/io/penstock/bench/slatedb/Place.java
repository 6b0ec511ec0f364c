package io.penstock.bench.slatedb;

import io.penstock.bench.aws.AwsServers;
import io.penstock.testing.LatencyProxy;
import io.penstock.testing.RealServers;
import io.penstock.testkit.Profile;
import java.net.URI;

/**
 * A cloud on this machine: one server behind a proxy for what is asked of the store, and behind another, as quick as S3
 * Express One Zone, for commit logs that are kept apart.
 */
record Place(Profile profile, LatencyProxy proxy, LatencyProxy express) implements AutoCloseable {
    static final String BUCKET = "commits";
    private static final String LOG_BUCKET = "commits-log";
    private static final long SEED = 1;

    static Place open(Profile profile) {
        URI server = RealServers.localstack().s3();
        return new Place(
                profile, LatencyProxy.to(server, profile, SEED), LatencyProxy.to(server, Profile.EXPRESS_2026, SEED));
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

    LatencyProxy.Bill bill() {
        return proxy.bill().and(express.bill());
    }

    @Override
    public void close() {
        proxy.close();
        express.close();
    }
}
