package io.penstock.bench.tpcw.run;

import io.penstock.Settings;
import io.penstock.core.object.ObjectStore;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.util.function.Function;

/**
 * The simulated cloud in virtual time. Each visit is a pure function of the seed. The world is calm: the figures show
 * the cost of the protocols, not the effect of faults.
 */
public record SimulatedVenue(Profile profile, long seed) implements Venue {
    @Override
    public <T> T visit(String name, Function<Site, T> body) {
        Simulation simulation = new Simulation(seed);
        SimulatedCloud cloud = new SimulatedCloud(simulation, profile, World.CALM);
        return simulation.run(() -> body.apply(new SimulatedSite(simulation, cloud)));
    }

    private record SimulatedSite(Simulation simulation, SimulatedCloud cloud) implements Site {
        @Override
        public Machine machine(String name) {
            SimulatedClient client = simulation.client(name);
            ObjectStore objects = cloud.objects(client);
            Settings settings = Settings.on(objects, cloud.queues(client), client)
                    .advanced(advanced -> advanced.sweeping(false))
                    .prefix(Machine.PREFIX);
            return new Machine(settings, objects, client);
        }

        @Override
        public void crash(String name) {
            simulation.client(name).crash();
        }
    }
}
