package io.penstock.bench.aws;

import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.s3.S3ObjectStore;
import io.penstock.core.object.s3.S3Settings;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.sqs.SqsQueueService;
import io.penstock.core.queue.sqs.SqsSettings;
import io.penstock.core.task.Tasks;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The places of S3 and SQS.
 *
 * @param endpointS3 null: AWS itself
 * @param endpointSqs null: AWS itself
 * @param region null: from the environment, as the AWS SDK looks for it
 * @param pathStyle whether the bucket is a part of the path and not of the host name, as most stand-ins want it
 */
public record AwsServers(
        @Nullable URI endpointS3,
        @Nullable URI endpointSqs,
        @Nullable String region,
        String bucket,
        boolean pathStyle) {
    /** Open clients of both services. */
    public record Connection(ObjectStore objects, QueueService queues) implements AutoCloseable {
        @Override
        public void close() {
            try (ObjectStore first = objects) {
                queues.close();
            }
        }
    }

    public Connection connect(Tasks tasks) {
        LoopbackCredentials.offerFor(this);
        // Bucket names of AWS are global and owned; a stand-in's bucket may be created at will.
        S3Settings s3 =
                S3Settings.bucket(bucket).pathStyle(pathStyle).createBucket(LoopbackCredentials.isLoopback(endpointS3));
        SqsSettings sqs = SqsSettings.standard();
        if (endpointS3 != null) {
            s3 = s3.endpoint(endpointS3);
        }
        if (endpointSqs != null) {
            sqs = sqs.endpoint(endpointSqs);
        }
        if (region != null) {
            s3 = s3.region(region);
            sqs = sqs.region(region);
        }
        ObjectStore objects = S3ObjectStore.open(s3);
        try {
            return new Connection(objects, SqsQueueService.open(sqs, tasks));
        } catch (RuntimeException e) {
            objects.close();
            throw e;
        }
    }
}
