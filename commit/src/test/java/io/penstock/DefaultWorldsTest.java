package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Task;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Weeks of a store as users run it: default settings, a few programs that write now and then, are closed, killed,
 * frozen and started again at any age, some under names, with clocks that step by hours to months. What was
 * acknowledged is visible to all within twice {@code deadAfter}, and to a successor by name as soon as it is open.
 *
 * <p>{@code -Dseed=N} runs one seed.
 */
class DefaultWorldsTest {
    private static final int SEEDS = Integer.getInteger("seeds.defaults", 60);
    private static final Duration DEAD_AFTER = Duration.ofMinutes(5);

    static LongStream seeds() {
        Long one = Long.getLong("seed");
        return one != null ? LongStream.of(one) : LongStream.rangeClosed(1, SEEDS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatWasAcknowledgedIsThere(long seed) {
        Random random = new Random(seed);
        World world = random.nextBoolean() ? World.CALM : World.ROUGH;
        new SimulatedStore(seed, world).run(cloud -> {
            Set<String> acknowledged = new TreeSet<>();
            List<Program> programs = new ArrayList<>();
            List<Task<Boolean>> running = new ArrayList<>();
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                Program program = new Program(cloud, "p" + i, new Random(random.nextLong()), acknowledged);
                programs.add(program);
                running.add(cloud.machine("main").start(program.name, program::run));
            }
            running.forEach(Task::join);
            programs.forEach(
                    program -> assertThat(program.missing).as("seed=%d", seed).isEmpty());
            cloud.cloud.setWorld(World.CALM);
            try (Penstock reader = Penstock.open(settings(cloud, "reader"))) {
                cloud.sleep(DEAD_AFTER.multipliedBy(2).plusMinutes(1));
                assertThat(SimulatedStore.content(reader).keySet())
                        .as("seed=%d", seed)
                        .containsAll(acknowledged);
                assertThat(StoreProbe.faults(reader)).as("seed=%d", seed).isEmpty();
            }
        });
    }

    private static Settings settings(SimulatedStore cloud, String machine) {
        SimulatedClient client = cloud.machine(machine);
        return Settings.on(cloud.cloud.objects(client), cloud.cloud.queues(client), client)
                .level(ConsistencyLevel.ATOMIC)
                .pageBytes(1024);
    }

    /** A program that is started again and again, each time as a new process on a machine of its own. */
    private static final class Program {
        final String name;
        private final SimulatedStore cloud;
        private final Random random;
        private final Set<String> acknowledged;
        private final Set<String> own = new TreeSet<>();

        /** What a successor by name did not see as soon as it was open. */
        private final List<String> missing = new ArrayList<>();

        private final boolean named;
        private final ConsistencyLevel level;

        Program(SimulatedStore cloud, String name, Random random, Set<String> acknowledged) {
            this.cloud = cloud;
            this.name = name;
            this.random = random;
            this.acknowledged = acknowledged;
            this.named = random.nextBoolean();
            this.level = random.nextInt(3) == 0 ? ConsistencyLevel.MONOTONIC : ConsistencyLevel.ATOMIC;
        }

        void run() {
            for (int life = 0; life < 2 + random.nextInt(6); life++) {
                SimulatedClient machine = cloud.machine(name + "." + life);
                int number = life;
                Task<Boolean> process = machine.start("program", () -> live(machine, number));
                strike(machine);
                if (random.nextInt(3) > 0) {
                    cloud.sleep(pause(Duration.ofHours(6)));
                    machine.crash();
                } else {
                    process.join();
                }
                cloud.sleep(pause(Duration.ofMinutes(30)));
            }
        }

        /** From a moment to {@code most}, short ones as often as long ones. */
        private Duration pause(Duration most) {
            return Duration.ofMillis((long) StrictMath.exp(random.nextDouble() * StrictMath.log(most.toMillis())));
        }

        /** Freezes the machine for a while, or has its clock step there and back, at any moment. */
        private void strike(SimulatedClient machine) {
            cloud.sleep(pause(Duration.ofMinutes(20)));
            switch (random.nextInt(4)) {
                case 0 -> machine.freeze(pause(Duration.ofMinutes(40)));
                case 1 -> {
                    Duration step = pause(Duration.ofDays(60));
                    machine.skewClock(random.nextBoolean() ? step : step.negated());
                    cloud.sleep(pause(Duration.ofMinutes(5)));
                    machine.skewClock(Duration.ZERO);
                }
                default -> {}
            }
        }

        private void live(SimulatedClient machine, int life) {
            Settings settings = settings(cloud, machine.name()).level(level);
            try (Penstock store = Penstock.open(named ? settings.clientName(name) : settings)) {
                if (named) {
                    Map<String, String> there = SimulatedStore.content(store);
                    own.stream()
                            .filter(key -> !there.containsKey(key))
                            .forEach(key -> missing.add(key + " in life " + life));
                }
                for (int i = 0; i < 2 + random.nextInt(8); i++) {
                    write(store, name + "." + life + "." + i);
                    machine.sleep(pause(Duration.ofMinutes(30)));
                }
            } catch (UnavailableException away) {
                assertThat(away).hasMessageNotContaining("null");
            }
        }

        private void write(Penstock store, String key) {
            try {
                words(store).put(key, key);
                own.add(key);
                acknowledged.add(key);
            } catch (UnavailableException refused) {
                assertThat(refused).hasMessageNotContaining("null");
            } catch (OutcomeUnknownException unknown) {
                assertThat(unknown).hasMessageNotContaining("null");
            }
        }
    }
}
