package io.penstock;

import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;

class SimulatedFrontDoorTest extends FrontDoorContract {
    private final Simulation simulation = new Simulation(1);
    private final SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);

    @Override
    void run(Body body) {
        simulation.run(() -> {
            try {
                body.run();
            } catch (Exception e) {
                throw e instanceof RuntimeException runtime ? runtime : new IllegalStateException(e);
            }
            return true;
        });
    }

    @Override
    Settings settings() {
        SimulatedClient machine = simulation.client("main");
        return Settings.on(cloud.objects(machine), cloud.queues(machine), machine)
                .level(ConsistencyLevel.ATOMIC)
                .pageBytes(1024);
    }

    @Override
    void pause(Duration duration) {
        simulation.client("main").sleep(duration);
    }
}
