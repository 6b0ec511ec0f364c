package io.penstock.core.queue.sqs;

import io.penstock.core.queue.QueueService;
import io.penstock.core.task.Tasks;
import io.penstock.testing.ElasticMq;
import io.penstock.testing.MessageQueueContract;
import io.penstock.testing.ShiftedTasks;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The contract on ElasticMQ, in this JVM. */
class ElasticMqTest extends MessageQueueContract {
    private final ShiftedTasks tasks = new ShiftedTasks();
    private final String prefix = UUID.randomUUID() + "-";
    private SqsQueueService service;

    @BeforeEach
    void open() {
        service = SqsQueueService.open(ElasticMq.settings(), tasks);
    }

    @AfterEach
    void close() {
        service.list(prefix).forEach(service::delete);
        service.close();
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
}
