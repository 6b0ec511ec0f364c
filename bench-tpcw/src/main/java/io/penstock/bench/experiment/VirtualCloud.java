package io.penstock.bench.experiment;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.core.object.ObjectStore;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.function.Function;

/** A simulated cloud without faults, and machines with clients of one store in it, all in virtual time. */
final class VirtualCloud {
    private static final long SEED = 1;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Simulation simulation = new Simulation(SEED);
    private final SimulatedCloud cloud;
    private int machines;

    private VirtualCloud(Profile profile) {
        cloud = cloud(profile);
    }

    /** Runs {@code work} in a simulation of its own. */
    static <T> T run(Profile profile, Function<VirtualCloud, T> work) {
        VirtualCloud cloud = new VirtualCloud(profile);
        return cloud.simulation.run(() -> work.apply(cloud));
    }

    /** Returns a second cloud in the same time. */
    SimulatedCloud cloud(Profile profile) {
        return new SimulatedCloud(simulation, profile, World.CALM);
    }

    SimulatedCloud cloud() {
        return cloud;
    }

    SimulatedClient machine() {
        return simulation.client("m" + machines++);
    }

    ObjectStore objects() {
        return cloud.objects(machine());
    }

    /** Returns the settings of a client at ATOMIC, on a machine of its own, that leaves sweeping to others. */
    Settings settings() {
        return settings(machine()).advanced(advanced -> advanced.sweeping(false));
    }

    /** Returns the settings of a client at ATOMIC, otherwise with the defaults of a user. */
    Settings settings(SimulatedClient machine) {
        return Settings.on(cloud.objects(machine), cloud.queues(machine), machine)
                .level(ConsistencyLevel.ATOMIC);
    }

    /** Returns the settings of a client of a store without queues. */
    Settings bucket(SimulatedClient machine) {
        return Settings.on(cloud.objects(machine), machine);
    }

    Penstock open(Settings settings, Meter meter) {
        return Penstock.open(settings.meters(meter.registry()));
    }

    void sleep(Duration duration) {
        simulation.client("clock").sleep(duration);
    }

    long nanos() {
        return simulation.nowNanos();
    }

    double seconds() {
        return nanos() / NANOS_PER_SECOND;
    }
}
