package io.penstock.commit.simulation;

import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.StoreProbe;
import io.penstock.core.CorruptDataException;
import io.penstock.core.StoreException;
import io.penstock.core.task.Task;
import io.penstock.testkit.CrashedException;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.Simulation;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * A user that collects garbage again and again while others work, on one machine after another: in some seeds, and most
 * where pages split. In half of these it also merges leaves, so eagerly that many split at once. Its presence,
 * frequency and grace age are drawn apart from all else.
 */
final class GarbageCollectorActor {
    /** The name of the cut that leaves the gardener out. */
    static final String CUT = "no-gardener";

    private static final int JOINED_PERCENT_MAX = 130;

    /** Whether this run has a gardener. */
    final boolean isThere;

    private final Duration every;
    private final Duration grace;
    private final boolean compacting;
    private final SplittableRandom random;
    private int machines;

    GarbageCollectorActor(Scenario scenario) {
        this.random = new SplittableRandom(scenario.seed() * 104_729 + 11);
        boolean splits = scenario.shape().pageBytes() < 1 << 10;
        boolean absent =
                random.nextInt(12) >= (splits ? 8 : 2) || scenario.perils().leisurely();
        this.every = Duration.ofMillis(logarithmic(100, 20_000));
        this.grace = random.nextBoolean() ? Duration.ZERO : Duration.ofMillis(logarithmic(10, 60_000));
        this.compacting = random.nextBoolean();
        this.isThere = !absent && !scenario.cuts().contains(CUT);
    }

    private long logarithmic(int min, int max) {
        double log = StrictMath.log(min) + random.nextDouble() * (StrictMath.log(max) - StrictMath.log(min));
        return (long) StrictMath.exp(log);
    }

    /** Works until the run is over: a crashed machine is replaced. */
    void work(
            Simulation simulation,
            MachineFaults strikes,
            Function<SimulatedClient, Settings> settings,
            BiConsumer<String, String> alarm,
            boolean[] over) {
        while (!over[0]) {
            SimulatedClient machine = simulation.client("gardener." + machines++);
            strikes.plan(machine, random.split());
            Task<Boolean> life = machine.start("gardener", () -> tend(settings.apply(machine), machine, alarm, over));
            try {
                life.join();
            } catch (CrashedException | ForeignException | ForeignError ended) {
                simulation.client("main").sleep(every);
            }
        }
    }

    private void tend(Settings settings, SimulatedClient machine, BiConsumer<String, String> alarm, boolean[] over) {
        try (Penstock store = Penstock.open(settings.checkpointing(false))) {
            while (!over[0]) {
                machine.sleep(every);
                collect(store, alarm);
            }
        }
    }

    private void collect(Penstock store, BiConsumer<String, String> alarm) {
        try {
            if (compacting) {
                StoreProbe.compact(store, JOINED_PERCENT_MAX);
            }
            store.admin().removeGarbage(grace);
        } catch (CorruptDataException e) {
            alarm.accept("no unexpected failure", SimulatedRun.stackOf(e));
        } catch (StoreException e) {
            // The weather is bad; it is done again.
        }
    }
}
