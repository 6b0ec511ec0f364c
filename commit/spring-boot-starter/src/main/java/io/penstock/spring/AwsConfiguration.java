package io.penstock.spring;

import io.penstock.Settings;
import io.penstock.core.object.BucketAddress;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.sqs.SqsQueueService;
import io.penstock.core.queue.sqs.SqsSettings;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A bucket, if {@code penstock.bucket} names one, and SQS, if the store has queues. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnExpression("!'${penstock.bucket:}'.isBlank()")
class AwsConfiguration {
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean(Settings.class)
    @ConditionalOnProperty(name = "penstock.in-memory", havingValue = "false", matchIfMissing = true)
    RemoteServers penstockServers(PenstockProperties properties) {
        Tasks tasks = new ThreadTasks();
        ObjectStore objects = new BucketAddress(
                        properties.bucket().orElseThrow(),
                        properties.region(),
                        properties.endpoint(),
                        properties.pathStyle(),
                        properties.createBucket())
                .open();
        try {
            return new RemoteServers(objects, properties.sqs() ? queues(properties, tasks) : null, tasks);
        } catch (RuntimeException failure) {
            objects.close();
            throw failure;
        }
    }

    private static QueueService queues(PenstockProperties properties, Tasks tasks) {
        SqsSettings sqs = SqsSettings.standard();
        if (properties.region().isPresent()) {
            sqs = sqs.region(properties.region().get());
        }
        if (properties.endpointSqs().isPresent()) {
            sqs = sqs.endpoint(properties.endpointSqs().get());
        }
        return SqsQueueService.open(sqs, tasks);
    }
}
