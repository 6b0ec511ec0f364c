package io.penstock.core.queue.memory;

import io.penstock.core.queue.QueueService;
import io.penstock.core.task.Tasks;
import io.penstock.testing.MessageQueueContract;
import io.penstock.testing.ShiftedTasks;
import java.time.Duration;

class MemoryQueueServiceTest extends MessageQueueContract {
    private final ShiftedTasks tasks = new ShiftedTasks();
    private final QueueService service = new MemoryQueueService(tasks);

    @Override
    protected QueueService service() {
        return service;
    }

    @Override
    protected Tasks tasks() {
        return tasks;
    }

    @Override
    protected void advance(Duration duration) {
        tasks.advance(duration);
    }

    @Override
    protected boolean ordered() {
        return true;
    }

    @Override
    protected boolean deliversOnce() {
        return true;
    }

    @Override
    protected boolean findsAll() {
        return true;
    }
}
