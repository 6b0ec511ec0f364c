package io.penstock.bench.aws;

import io.penstock.core.object.BucketAddress;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.sqs.SqsQueueService;
import io.penstock.core.queue.sqs.SqsSettings;
import io.penstock.core.task.Tasks;
import java.net.URI;
import java.util.Optional;
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
        ObjectStore objects = objects(bucket);
        try {
            return new Connection(objects, queues(tasks));
        } catch (RuntimeException e) {
            objects.close();
            throw e;
        }
    }

    /** @param address of a bucket of any cloud that answers at the endpoint */
    public ObjectStore objects(String address) {
        LoopbackCredentials.offerFor(this);
        // Bucket names of AWS are global and owned; a stand-in's bucket may be created at will.
        return new BucketAddress(
                        address,
                        Optional.ofNullable(region),
                        Optional.ofNullable(endpointS3),
                        pathStyle,
                        LoopbackCredentials.isLoopback(endpointS3))
                .open();
    }

    public QueueService queues(Tasks tasks) {
        LoopbackCredentials.offerFor(this);
        SqsSettings sqs = SqsSettings.standard();
        sqs = endpointSqs == null ? sqs : sqs.endpoint(endpointSqs);
        return SqsQueueService.open(region == null ? sqs : sqs.region(region), tasks);
    }
}
