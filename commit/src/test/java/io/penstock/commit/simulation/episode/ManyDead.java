package io.penstock.commit.simulation.episode;

import io.penstock.Penstock;
import io.penstock.core.task.Task;
import io.penstock.testkit.SimulatedClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Many clients that live for a commit and die without closing. Once another one has recovered them, whoever opens the
 * store, or keeps it open, makes as many requests as if they had never been.
 */
final class ManyDead implements Episode {
    private static final int OPENINGS = 4;

    /** Of an opening and one read, with all that runs beside it. */
    private static final int OPENING_MAX = 12;

    /** Of a client that does nothing for an hour, but to take the turns at sweeping. */
    private static final int HOUR_MAX = 80;

    private static final Duration APART = Duration.ofMinutes(10);

    @Override
    public String promise() {
        return "requests are bounded by work, not by the number of the dead";
    }

    @Override
    public List<String> play(Stage stage) {
        int dead = 10 + stage.random.nextInt(20);
        List<Task<Boolean>> lives = new ArrayList<>();
        for (int i = 0; i < dead; i++) {
            String key = "k" + i;
            SimulatedClient machine = stage.machine("dead" + i);
            Duration life = stage.drawn(Duration.ofSeconds(5));
            lives.add(machine.startThread("life", () -> live(stage, machine, key, life)));
        }
        lives.forEach(Stage::await);
        stage.sleep(Duration.ofMinutes(1));
        try (Penstock heir = stage.open("heir")) {
            stage.sleep(Duration.ofHours(1));
        }
        List<String> violations = new ArrayList<>();
        for (int i = 0; i < OPENINGS; i++) {
            String name = "visitor" + i;
            try (Penstock visitor = stage.open(name)) {
                stage.checkSeen(violations, visitor, dead);
                stage.sleep(Duration.ofMinutes(1));
                check(violations, dead + " dead, an opening", stage.calls(name), OPENING_MAX);
            }
            stage.sleep(APART);
        }
        try (Penstock idle = stage.open("idle")) {
            stage.sleep(Duration.ofHours(1));
            check(violations, dead + " dead, an idle hour", stage.calls("idle"), HOUR_MAX);
        }
        return violations;
    }

    private static void live(Stage stage, SimulatedClient machine, String key, Duration life) {
        try (Penstock store = stage.open(machine.name())) {
            Stage.words(store).put(key, "1");
            machine.sleep(life);
            machine.crash();
        }
    }

    private static void check(List<String> violations, String what, int requests, int most) {
        if (requests > most) {
            violations.add("beside " + what + " takes " + requests + " requests, of at most " + most);
        }
    }
}
