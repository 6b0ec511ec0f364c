package io.penstock.testing;

import io.penstock.core.queue.sqs.SqsSettings;
import java.net.URI;
import org.apache.pekko.http.scaladsl.Http;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/**
 * An SQS server inside this JVM, on the loopback interface and a free port; one for all tests, from its first use on.
 * Threads may share it.
 */
public final class ElasticMq {
    private ElasticMq() {}

    private static final class Running {
        static final int PORT = start();

        private static int start() {
            SQSRestServer server = SQSRestServerBuilder.withInterface("127.0.0.1")
                    .withDynamicPort()
                    .start();
            Http.ServerBinding binding = server.waitUntilStarted();
            return binding.localAddress().getPort();
        }
    }

    /** How to reach it. */
    public static SqsSettings settings() {
        return SqsSettings.standard()
                .endpoint(URI.create("http://127.0.0.1:" + Running.PORT))
                .credentials(StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any")));
    }
}
