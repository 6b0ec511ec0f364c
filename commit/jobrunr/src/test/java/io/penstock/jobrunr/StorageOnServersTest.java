package io.penstock.jobrunr;

import io.penstock.Settings;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.AwsServers;
import io.penstock.testing.RealServers;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The same cases in a bucket of LocalStack. */
@Tag("servers")
class StorageOnServersTest extends StorageContractTest {
    private static final Tasks TASKS = new ThreadTasks();
    private static ObjectStore objects;

    @BeforeAll
    static void connect() {
        objects = AwsServers.objectsAt(RealServers.localstack(), Duration.ofSeconds(10));
    }

    @AfterAll
    static void disconnect() {
        objects.close();
    }

    @Override
    Settings place() {
        return Settings.on(objects, TASKS).prefix("jobs-" + TASKS.random().nextInt(1_000_000));
    }
}
