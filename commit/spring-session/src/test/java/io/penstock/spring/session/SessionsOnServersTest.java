package io.penstock.spring.session;

import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.core.object.ObjectStore;
import io.penstock.testing.AwsServers;
import io.penstock.testing.RealServers;
import io.penstock.testing.ShiftedTasks;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sessions in a bucket of LocalStack. */
@Tag("servers")
class SessionsOnServersTest {
    @Test
    void changesOfManyRequestsAtOnceAllSurvive() {
        ShiftedTasks tasks = new ShiftedTasks();
        try (ObjectStore objects = AwsServers.objectsAt(RealServers.localstack(), Duration.ofSeconds(10))) {
            Settings settings = Settings.on(objects, tasks)
                    .prefix("sessions-" + tasks.random().nextInt(1_000_000));
            try (Penstock first = Penstock.open(settings);
                    Penstock second = Penstock.open(settings)) {
                SessionRepositoryTest.changeAtOnce(new Servers(first, second, tasks));
            }
        }
    }
}
