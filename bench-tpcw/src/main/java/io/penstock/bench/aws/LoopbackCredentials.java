package io.penstock.bench.aws;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Credentials for stand-ins on this machine, which take any: so that nobody has to set what means nothing, and no real
 * credentials are ever shown to a stand-in. Used only if both endpoints are on the loopback and the environment names
 * none.
 */
final class LoopbackCredentials {
    /** Where the AWS SDK looks first, before the environment and files. */
    private static final String KEY = "aws.accessKeyId";

    private static final String SECRET = "aws.secretAccessKey";

    private static final List<String> CHOICES = List.of("AWS_ACCESS_KEY_ID", "AWS_PROFILE");

    private LoopbackCredentials() {}

    static void offerFor(AwsServers servers) {
        if (!isLoopback(servers.endpointS3()) || !isLoopback(servers.endpointSqs())) {
            return;
        }
        boolean chosen = CHOICES.stream().anyMatch(name -> System.getenv(name) != null);
        if (!chosen && System.getProperty(KEY) == null) {
            System.setProperty(KEY, "test");
            System.setProperty(SECRET, "test");
        }
    }

    static boolean isLoopback(@Nullable URI endpoint) {
        if (endpoint == null || endpoint.getHost() == null) {
            return false;
        }
        String host = endpoint.getHost();
        boolean literal = host.equals("localhost") || host.startsWith("127.") || host.startsWith("[");
        try {
            // Only names that need no name server: asking one would be slow, and its answer may change.
            return literal && InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
