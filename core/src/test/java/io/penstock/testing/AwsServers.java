package io.penstock.testing;

import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.s3.S3ObjectStore;
import io.penstock.core.object.s3.S3Settings;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.sqs.SqsQueueService;
import io.penstock.core.queue.sqs.SqsSettings;
import io.penstock.core.task.Tasks;
import io.penstock.testing.RealServers.Endpoint;
import java.time.Duration;
import java.util.Objects;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** The drivers of one client for real servers, with connections of its own. Threads may share it. */
public record AwsServers(ObjectStore objects, QueueService queues) implements AutoCloseable {
    private static final String BUCKET = "penstock-tests";

    /**
     * Connects to servers of both kinds.
     *
     * @param silence how long a server may say nothing; a request may take twice as long in all
     */
    public static AwsServers at(Endpoint endpoint, Duration silence, Tasks tasks) {
        QueueService queues = SqsQueueService.open(
                SqsSettings.standard()
                        .endpoint(Objects.requireNonNull(endpoint.sqs(), "this server has no queues"))
                        .credentials(credentials(endpoint))
                        .connectTimeout(silence)
                        .readTimeout(silence)
                        .callTimeout(silence.multipliedBy(2)),
                tasks);
        return new AwsServers(objectsAt(endpoint, silence), queues);
    }

    /** Connects to the object store alone, as {@link #at} does. */
    public static ObjectStore objectsAt(Endpoint endpoint, Duration silence) {
        return S3ObjectStore.open(S3Settings.bucket(BUCKET)
                .endpoint(endpoint.s3())
                .pathStyle(true)
                .createBucket(true)
                .credentials(credentials(endpoint))
                .connectTimeout(silence)
                .readTimeout(silence)
                .callTimeout(silence.multipliedBy(2)));
    }

    private static StaticCredentialsProvider credentials(Endpoint endpoint) {
        return StaticCredentialsProvider.create(AwsBasicCredentials.create(endpoint.accessKey(), endpoint.secretKey()));
    }

    @Override
    public void close() {
        queues.close();
        objects.close();
    }
}
