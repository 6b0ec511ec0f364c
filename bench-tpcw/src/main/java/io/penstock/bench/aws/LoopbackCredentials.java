package io.penstock.bench.aws;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Fixed credentials for stand-ins on this machine, which accept any. So none have to be set, and real ones are never
 * sent to a stand-in. Used only if both endpoints are on the loopback and the environment names none.
 */
public final class LoopbackCredentials {
    /** The system property that the AWS SDK reads before the environment and files. */
    private static final String KEY = "aws.accessKeyId";

    private static final String SECRET = "aws.secretAccessKey";

    private static final List<String> CHOICES = List.of("AWS_ACCESS_KEY_ID", "AWS_PROFILE");

    /** The hosts that need no name server, which would be slow, and whose answer may change. */
    private static final Pattern NO_NAME_SERVER = Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[[0-9a-fA-F:]+]");

    private LoopbackCredentials() {}

    /** Sets the credentials of these servers, unless some are set. */
    public static void offerFor(AwsServers servers) {
        if (!isLoopback(servers.endpointS3()) || !isLoopback(servers.endpointSqs())) {
            return;
        }
        boolean chosen = CHOICES.stream().anyMatch(name -> System.getenv(name) != null);
        if (!chosen && System.getProperty(KEY) == null) {
            System.setProperty(KEY, "test");
            System.setProperty(SECRET, "test");
        }
    }

    /** Whether an endpoint is on this machine. */
    public static boolean isLoopback(@Nullable URI endpoint) {
        if (endpoint == null || endpoint.getHost() == null) {
            return false;
        }
        String host = endpoint.getHost();
        try {
            return NO_NAME_SERVER.matcher(host).matches()
                    && InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
