package io.penstock.core.local.shared;

import io.penstock.core.Durability;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.queue.QueueService;
import io.penstock.core.task.Tasks;
import io.penstock.testing.MessageQueueContract;
import io.penstock.testing.ShiftedTasks;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What an attached process asks for is done as by its owner. */
class AttachedQueuesTest extends MessageQueueContract {
    @TempDir
    Path directory;

    private final ShiftedTasks tasks = new ShiftedTasks();
    private LocalCloud owner;
    private LocalCloud attached;

    @BeforeEach
    void open() {
        owner = LocalCloud.open(directory, tasks, Durability.OS_CACHE);
        attached = LocalCloud.attach(directory, tasks);
    }

    @AfterEach
    void close() {
        attached.close();
        owner.close();
    }

    @Override
    protected QueueService service() {
        return attached.queues();
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
