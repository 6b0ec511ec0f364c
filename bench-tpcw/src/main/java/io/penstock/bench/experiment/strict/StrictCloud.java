package io.penstock.bench.experiment.strict;

import io.micrometer.core.instrument.MeterRegistry;
import io.penstock.ConsistencyLevel;
import io.penstock.Keys;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.object.ObjectStore;
import io.penstock.testkit.CallWatcher.Step;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.function.Function;

/** A store at SERIALIZABLE in a simulated cloud whose puts into the commit log are counted. Inside a simulation. */
final class StrictCloud {
    private static final long SEED = 1;
    private static final int PAYLOAD_BYTES = 100;

    private final Simulation simulation = new Simulation(SEED);
    private final SimulatedCloud cloud;

    /** Where the commit log is; {@link #cloud} too, unless it has a place of its own. */
    private final SimulatedCloud logs;

    private long segments;
    private int machines;

    private StrictCloud(Profile profile, Profile log) {
        this.cloud = new SimulatedCloud(simulation, profile, World.CALM);
        this.logs = log == profile ? cloud : new SimulatedCloud(simulation, log, World.CALM);
        logs.watch((step, client, call, on, outcome) -> {
            boolean put = step == Step.DONE && call.equals("put") && on.contains("/log/");
            segments += put && !(outcome instanceof ConflictException) ? 1 : 0;
        });
    }

    /** Runs {@code work} in a simulation of its own. */
    static <T> T run(Profile profile, Function<StrictCloud, T> work) {
        return run(profile, profile, work);
    }

    /** The same, with the commit log in a store of its own. */
    static <T> T run(Profile profile, Profile log, Function<StrictCloud, T> work) {
        StrictCloud strict = new StrictCloud(profile, log);
        return strict.simulation.run(() -> work.apply(strict));
    }

    SimulatedClient machine() {
        return simulation.client("m" + machines++);
    }

    ObjectStore objects(SimulatedClient machine) {
        return cloud.objects(machine);
    }

    Settings settings(SimulatedClient machine) {
        Settings settings = Settings.on(cloud.objects(machine), cloud.queues(machine), machine)
                .level(ConsistencyLevel.SERIALIZABLE)
                .sweeping(false);
        return logs == cloud ? settings : settings.commitLog(logs.objects(machine));
    }

    Penstock open(SimulatedClient machine, MeterRegistry meters) {
        return Penstock.open(settings(machine).meters(meters));
    }

    static RecordCollection<String, Bytes> records(Penstock store) {
        return store.collection("strict", Keys.string(), PayloadCodec.bytes());
    }

    static Bytes payload() {
        return Bytes.wrap(new byte[PAYLOAD_BYTES]);
    }

    /** The segments that were put so far. */
    long segments() {
        return segments;
    }

    void sleep(Duration duration) {
        simulation.client("clock").sleep(duration);
    }
}
