package io.penstock.bench.damage;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.core.Bytes;
import io.penstock.core.object.ObjectStore;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.Tampering;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A copy of the {@link Original} to be damaged, with a client that is alive. Always the same one, to the byte. */
final class Specimen {
    static final Duration DEAD_AFTER = Duration.ofMinutes(5);

    /** A lock that has no token for so long gets another one. */
    static final Duration TOKEN_RENEWED_AFTER = Duration.ofMinutes(3);

    static final int PAGE_BYTES = 512;

    private final Original original;
    private final Simulation simulation;
    private final SimulatedCloud cloud;
    private final Shop.Content content = new Shop.Content();
    private int machines;

    /** @param simulation within which the specimen is used */
    Specimen(Original original, Simulation simulation, SimulatedCloud cloud) {
        this.original = original;
        this.simulation = simulation;
        this.cloud = cloud;
        content.putAll(original.content());
    }

    /** A client that only heartbeats and forwards, with a commit of its own that waits. */
    void live() {
        Penstock living =
                Penstock.open(settings().level(ConsistencyLevel.ATOMIC).checkpointing(false));
        Map<String, String> record = Original.book(11, "living");
        new Shop(living).put(ConsistencyLevel.ATOMIC, record);
        content.putAll(record);
    }

    /** What the store must read as. */
    Shop.Content content() {
        return content;
    }

    /** All contents that each object has had, the present one last; an object that is gone is left out. */
    Map<String, List<Bytes>> versions() {
        Map<String, List<Bytes>> present = new TreeMap<>(original.versions());
        present.keySet().removeIf(key -> cloud.newest(key).isEmpty());
        return present;
    }

    ObjectStore objects() {
        return cloud.objects(simulation.client("hand"));
    }

    void tamper(Tampering tampering) {
        cloud.tamper(tampering);
    }

    /** The messages of all queues in their order. */
    List<Bytes> messages() {
        List<Bytes> bodies = new ArrayList<>();
        cloud.tamper((queue, body, receives) -> {
            bodies.add(body);
            return Optional.of(body);
        });
        return bodies;
    }

    void sleep(Duration duration) {
        simulation.client("hand").sleep(duration);
    }

    /** The settings of a client on a machine of its own. */
    Settings settings() {
        return settings(cloud, simulation.client("m" + machines++));
    }

    static Settings settings(SimulatedCloud cloud, SimulatedClient machine) {
        return Settings.on(cloud.objects(machine), cloud.queues(machine), machine)
                .level(ConsistencyLevel.ATOMIC)
                .pageBytes(PAGE_BYTES)
                .deadAfter(DEAD_AFTER)
                .advanced(advanced -> advanced.sweeping(false));
    }
}
