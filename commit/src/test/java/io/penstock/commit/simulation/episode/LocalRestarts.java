package io.penstock.commit.simulation.episode;

import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.StoreProbe;
import io.penstock.testkit.SimulatedClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that counts in a store that only it can reach, as in a directory, is killed at any moment, and goes on
 * counting when it is started again: what it reads as soon as the store is open is what it was acknowledged last.
 */
final class LocalRestarts implements Episode {
    private static final String COUNT = "count";

    /** No call of a process that is killed takes effect after its death. */
    private static final Duration CALL_MAX = Duration.ofSeconds(5);

    @Override
    public String promise() {
        return "a local store that is open shows what was acknowledged before";
    }

    /** The last count that was acknowledged, and the last one that was tried. */
    private static final class Counted {
        long acknowledged;
        long tried;
    }

    @Override
    public List<String> play(Stage stage) {
        List<String> violations = new ArrayList<>();
        Counted counted = new Counted();
        int lives = 2 + stage.random.nextInt(4);
        for (int i = 0; i < lives; i++) {
            SimulatedClient machine = stage.machine("life" + i);
            Duration length = stage.drawn(Duration.ofSeconds(20));
            boolean isKilled = stage.random.nextInt(4) > 0;
            if (isKilled) {
                stage.machine("main").fork("kill", () -> {
                    stage.sleep(length);
                    machine.crash();
                    return true;
                });
            }
            Stage.await(machine.startThread("life", () -> count(stage, machine, length, counted, violations)));
            stage.sleep(CALL_MAX.plus(stage.drawn(Duration.ofSeconds(10))));
            stage.cloud.showAll();
        }
        return violations;
    }

    private static void count(
            Stage stage, SimulatedClient machine, Duration length, Counted counted, List<String> violations) {
        long end = machine.nanoTime() + length.toNanos();
        try (Penstock store = Penstock.open(stage.settings(
                StoreProbe.exclusive(stage.cloud.objects(machine), stage.cloud.queues(machine), machine)))) {
            RecordCollection<String, String> words = Stage.words(store);
            long first = read(words);
            if (first < counted.acknowledged || first > counted.tried) {
                violations.add(machine.name() + " reads " + first + " after " + counted.acknowledged
                        + " was acknowledged and " + counted.tried + " tried");
            }
            while (machine.nanoTime() - end < 0) {
                counted.tried = read(words) + 1;
                words.put(COUNT, String.valueOf(counted.tried));
                counted.acknowledged = counted.tried;
                machine.sleep(stage.drawn(Duration.ofSeconds(2)));
            }
        }
    }

    private static long read(RecordCollection<String, String> words) {
        return words.get(COUNT).map(Long::parseLong).orElse(0L);
    }
}
