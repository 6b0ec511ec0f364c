package io.penstock.core.object.s3;

import io.penstock.testing.RealServers.Endpoint;
import java.net.URI;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The contract on any server: {@code -Dpenstock.s3=http://...}, keys in {@code penstock.s3.access-key} and {@code
 * penstock.s3.secret-key}. It reveals servers that let two writers win; {@code docs/findings/servers.md} names two.
 */
@EnabledIfSystemProperty(named = "penstock.s3", matches = ".+", disabledReason = "no server was given: -Dpenstock.s3")
class GivenS3Test extends S3ServerContract {
    @Override
    Endpoint endpoint() {
        return new Endpoint(
                URI.create(System.getProperty("penstock.s3")),
                null,
                System.getProperty("penstock.s3.access-key", "any"),
                System.getProperty("penstock.s3.secret-key", "any"));
    }
}
