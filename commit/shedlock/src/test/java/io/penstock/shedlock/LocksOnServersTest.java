package io.penstock.shedlock;

import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.AwsServers;
import io.penstock.testing.RealServers;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Locks in a bucket of LocalStack. */
@Tag("servers")
class LocksOnServersTest {
    @Test
    void holdersExcludeEachOther() {
        Tasks tasks = new ThreadTasks();
        try (ObjectStore objects = AwsServers.objectsAt(RealServers.localstack(), Duration.ofSeconds(10))) {
            Settings settings =
                    Settings.on(objects, tasks).prefix("locks-" + tasks.random().nextInt(1_000_000));
            try (Penstock first = Penstock.open(settings);
                    Penstock second = Penstock.open(settings)) {
                LockProviderTest.excludeEachOther(new Place.Clients(first, second, tasks::sleep), 5);
            }
        }
    }
}
