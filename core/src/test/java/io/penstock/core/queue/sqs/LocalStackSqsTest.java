package io.penstock.core.queue.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.core.Bytes;
import io.penstock.core.meter.RequestMeters;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueConfiguration;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.QueueServices;
import io.penstock.core.retry.RetryPolicy;
import io.penstock.core.task.Tasks;
import io.penstock.testing.MessageQueueContract;
import io.penstock.testing.RealServers;
import io.penstock.testing.RealServers.Endpoint;
import io.penstock.testing.ShiftedTasks;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SqsException;

/** The contract on LocalStack, in real time: the tests run side by side, for most of them mostly wait. */
@Tag("servers")
@Execution(ExecutionMode.CONCURRENT)
class LocalStackSqsTest extends MessageQueueContract {
    private static final Duration LONG_POLL = Duration.ofSeconds(2);

    private final Tasks tasks = new ShiftedTasks();
    private final String prefix = UUID.randomUUID() + "-";
    private SqsQueueService service;

    @BeforeEach
    void open() {
        service = SqsQueueService.open(settings(), tasks);
    }

    private static SqsSettings settings() {
        Endpoint endpoint = RealServers.localstack();
        return SqsSettings.standard()
                .endpoint(Objects.requireNonNull(endpoint.sqs()))
                .region(Endpoint.REGION)
                .credentials(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(endpoint.accessKey(), endpoint.secretKey())));
    }

    @AfterEach
    void close() {
        if (service != null) {
            // A listing fails there while another test makes or removes a queue.
            RequestMeters meters = new RequestMeters(new SimpleMeterRegistry(), "test");
            try (QueueService repeating = QueueServices.retrying(service, RetryPolicy.STANDARD, tasks, meters)) {
                repeating.list(prefix).forEach(repeating::delete);
            }
        }
    }

    @Override
    protected QueueService service() {
        return service;
    }

    @Override
    protected Tasks tasks() {
        return tasks;
    }

    @Override
    protected String prefix() {
        return prefix;
    }

    @Override
    protected boolean deliversOnce() {
        return true;
    }

    @Override
    protected boolean findsAll() {
        return true;
    }

    /** A stale receipt deletes the message here. SQS promises neither that it does nor that it does not. */
    @Override
    @Test
    public void staleReceiptDeletesNothing() {
        MessageQueue queue = service.create(prefix + "q", QueueAttributes.STANDARD);
        queue.send(List.of(Bytes.utf8("m")));
        Delivery first = queue.receive(1, Duration.ofSeconds(1), LONG_POLL).getFirst();
        tasks.sleep(Duration.ofSeconds(2));
        Delivery second = queue.receive(1, Duration.ofSeconds(30), LONG_POLL).getFirst();
        assertThat(second.receipt()).isNotEqualTo(first.receipt());
        assertThat(queue.delete(List.of(first.receipt()))).isEmpty();
    }

    /** It keeps messages for ever, unless it was started with another setting. */
    @Override
    @Test
    public void oldMessagesAreForgotten() {
        QueueAttributes shortest = new QueueAttributes(Duration.ofSeconds(60), Duration.ofSeconds(1));
        MessageQueue queue = service.create(prefix + "short", shortest);
        queue.send(List.of(Bytes.utf8("young")));
        assertThat(queue.receive(1, Duration.ofSeconds(1), LONG_POLL)).hasSize(1);
    }

    /** What tools of infrastructure make by default, and what an operator may add. */
    @Test
    void configurationIsWhatOthersHaveChosen() {
        MessageQueue dead = service.create(prefix + "dead", QueueAttributes.STANDARD);
        try (SqsClients clients = SqsClients.of(settings())) {
            SqsClient client = clients.ordinary();
            String arn = client.getQueueAttributes(request -> request.queueUrl(
                                    client.getQueueUrl(url -> url.queueName(dead.name()))
                                            .queueUrl())
                            .attributeNames(QueueAttributeName.QUEUE_ARN))
                    .attributes()
                    .get(QueueAttributeName.QUEUE_ARN);
            client.createQueue(request -> request.queueName(prefix + "others")
                    .attributes(Map.of(
                            QueueAttributeName.MESSAGE_RETENTION_PERIOD,
                            "345600",
                            QueueAttributeName.MAXIMUM_MESSAGE_SIZE,
                            "262144",
                            QueueAttributeName.DELAY_SECONDS,
                            "7",
                            QueueAttributeName.REDRIVE_POLICY,
                            "{\"deadLetterTargetArn\":\"" + arn + "\",\"maxReceiveCount\":5}")));
        }
        assertThat(service.find(prefix + "others").orElseThrow().configuration())
                .isEqualTo(new QueueConfiguration(
                        Duration.ofDays(4), Duration.ofSeconds(7), 262_144 - SqsBodies.OVERHEAD_BYTES, true, false));
    }

    /** The premise of {@link SqsBodies}: an attribute counts its bytes, a body its characters. */
    @Test
    void attributeCountsAsManyBytesAsItHas() {
        service.create(prefix + "q", QueueAttributes.STANDARD);
        try (SqsClients clients = SqsClients.of(settings())) {
            SqsClient client = clients.ordinary();
            String url = client.getQueueUrl(request -> request.queueName(prefix + "q"))
                    .queueUrl();
            int most = SqsQueueService.WIRE_BYTES_MAX - SqsBodies.OVERHEAD_BYTES;
            sendInAttribute(client, url, most);
            assertThatThrownBy(() -> sendInAttribute(client, url, most + 1)).isInstanceOf(SqsException.class);
            int mostInBody = SqsQueueService.WIRE_BYTES_MAX / 4 * 3;
            sendInBody(client, url, mostInBody);
            assertThatThrownBy(() -> sendInBody(client, url, mostInBody + 1)).isInstanceOf(SqsException.class);
        }
    }

    private static void sendInAttribute(SqsClient client, String url, int bytes) {
        client.sendMessage(request -> request.queueUrl(url)
                .messageBody(SqsBodies.FORMAT)
                .messageAttributes(SqsBodies.attributes(Bytes.wrap(new byte[bytes]))));
    }

    private static void sendInBody(SqsClient client, String url, int bytes) {
        String text = Base64.getEncoder().encodeToString(new byte[bytes]);
        client.sendMessage(request -> request.queueUrl(url).messageBody(text));
    }
}
