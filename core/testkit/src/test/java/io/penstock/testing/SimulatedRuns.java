package io.penstock.testing;

import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.util.Objects;
import java.util.function.BiConsumer;

/** Runs a test's body in a fresh simulated cloud for each of some seeds; a failure names the seed. For one thread. */
public final class SimulatedRuns {
    private final Profile profile;
    private final World world;
    private final int seeds;
    private SimulatedClient client;

    public SimulatedRuns(Profile profile, World world, int seeds) {
        this.profile = profile;
        this.world = world;
        this.seeds = seeds;
    }

    /** The client of the run that is going on. */
    public SimulatedClient client() {
        return Objects.requireNonNull(client, "no run is going on");
    }

    /** Runs {@code body} once per seed, after {@code open} has seen the cloud and the client. */
    public void run(BiConsumer<SimulatedCloud, SimulatedClient> open, Runnable body) {
        for (long seed = 1; seed <= seeds; seed++) {
            Simulation simulation = new Simulation(seed);
            client = simulation.client("main");
            open.accept(new SimulatedCloud(simulation, profile, world), client);
            try {
                simulation.run(() -> {
                    body.run();
                    return true;
                });
            } catch (Throwable failure) {
                throw new AssertionError("seed=" + seed + " profile=" + profile.name() + ": " + failure, failure);
            }
        }
    }
}
