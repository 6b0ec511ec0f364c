package io.penstock.core.queue.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueConfiguration;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.queue.QueueService;
import io.penstock.core.task.Tasks;
import io.penstock.testing.ElasticMq;
import io.penstock.testing.MessageQueueContract;
import io.penstock.testing.ShiftedTasks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** The contract on ElasticMQ, whose clock the test pushes forward. */
class ElasticMqTest extends MessageQueueContract {
    private static final ShiftedTasks TASKS = new ShiftedTasks();
    private static ElasticMq server;

    private SqsQueueService service;

    @BeforeAll
    static void start() {
        server = ElasticMq.start(TASKS);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void open() {
        service = SqsQueueService.open(server.settings(), TASKS);
    }

    @AfterEach
    void close() {
        service.list("").forEach(service::delete);
        service.close();
    }

    @Override
    protected QueueService service() {
        return service;
    }

    @Override
    protected Tasks tasks() {
        return TASKS;
    }

    @Override
    protected void advance(Duration duration) {
        TASKS.advance(duration);
    }

    @Override
    protected boolean deliversOnce() {
        return true;
    }

    @Override
    protected boolean findsAll() {
        return true;
    }

    /** It reports a second deletion as an invalid handle, which SQS does not. A caller deletes such a message again. */
    @Override
    @Test
    public void deletingTwiceIsNoError() {
        MessageQueue queue = service.create("q", QueueAttributes.STANDARD);
        queue.send(List.of(Bytes.utf8("m")));
        Delivery delivery =
                queue.receive(1, Duration.ofSeconds(30), Duration.ofSeconds(2)).getFirst();
        assertThat(queue.delete(List.of(delivery.receipt()))).isEmpty();
        assertThat(queue.delete(List.of(delivery.receipt()))).containsExactly(delivery.receipt());
    }

    /** It has no retention: it keeps messages for ever. */
    @Override
    @Test
    public void oldMessagesAreForgotten() {
        Duration hidden = Duration.ofSeconds(30);
        MessageQueue queue = service.create("short", new QueueAttributes(Duration.ofSeconds(60), hidden));
        queue.send(List.of(Bytes.utf8("old")));
        advance(Duration.ofSeconds(65));
        assertThat(queue.receive(1, hidden, Duration.ofSeconds(2))).hasSize(1);
    }

    /** It has no retention to tell of; the rest of what an operator may choose is told. */
    @Override
    @Test
    public void configurationIsThatOfItsCreation() {
        QueueLimits limits = SqsQueueService.LIMITS;
        assertThat(service.create("q", QueueAttributes.STANDARD).configuration())
                .isEqualTo(QueueConfiguration.standard(QueueAttributes.RETENTION_MAX, limits));
        service.create("dead", QueueAttributes.STANDARD);
        try (SqsClients clients = SqsClients.of(server.settings())) {
            clients.ordinary()
                    .createQueue(request -> request.queueName("others")
                            .attributes(Map.of(
                                    QueueAttributeName.DELAY_SECONDS,
                                    "7",
                                    QueueAttributeName.REDRIVE_POLICY,
                                    "{\"deadLetterTargetArn\":\"arn:aws:sqs:elasticmq:000000000000:dead\","
                                            + "\"maxReceiveCount\":5}")));
        }
        QueueConfiguration others = service.find("others").orElseThrow().configuration();
        assertThat(others.delay()).isEqualTo(Duration.ofSeconds(7));
        assertThat(others.redrives()).isTrue();
        assertThat(others.fifo()).isFalse();
    }

    /** It counts what is visible by the machine's clock, not by the one that the test pushes forward. */
    @Override
    @Test
    public void depthCountsVisibleAndHidden() {
        MessageQueue queue = service.create("q", QueueAttributes.STANDARD);
        queue.send(List.of(Bytes.utf8("a"), Bytes.utf8("b"), Bytes.utf8("c")));
        queue.receive(1, Duration.ofSeconds(30), Duration.ofSeconds(2));
        assertThat(queue.depth().visible()).isEqualTo(2);
        assertThat(queue.depth().inFlight()).isEqualTo(1);
    }
}
