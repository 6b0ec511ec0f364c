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
        StaticCredentialsProvider credentials = StaticCredentialsProvider.create(
                AwsBasicCredentials.create(endpoint.accessKey(), endpoint.secretKey()));
        ObjectStore objects = S3ObjectStore.open(S3Settings.bucket(BUCKET)
                .endpoint(endpoint.s3())
                .pathStyle(true)
                .createBucket(true)
                .credentials(credentials)
                .connectTimeout(silence)
                .readTimeout(silence)
                .callTimeout(silence.multipliedBy(2)));
        QueueService queues = SqsQueueService.open(
                SqsSettings.standard()
                        .endpoint(Objects.requireNonNull(endpoint.sqs(), "this server has no queues"))
                        .credentials(credentials)
                        .connectTimeout(silence)
                        .readTimeout(silence)
                        .callTimeout(silence.multipliedBy(2)),
                tasks);
        return new AwsServers(objects, queues);
    }

    @Override
    public void close() {
        queues.close();
        objects.close();
    }
}
