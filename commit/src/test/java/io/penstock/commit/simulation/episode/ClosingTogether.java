package io.penstock.commit.simulation.episode;

import io.penstock.Penstock;
import io.penstock.core.task.Task;
import io.penstock.testkit.SimulatedClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Many clients that close together, as when a deployment ends them all: each is soon done, none is left to others, and
 * all that they have committed is seen.
 */
final class ClosingTogether implements Episode {
    /** The time for which a close waits for others to apply what it has sent, one pause and the last try. */
    private static final Duration CLOSE_MAX = Duration.ofSeconds(12);

    @Override
    public String promise() {
        return "many close together in time and leave nothing";
    }

    @Override
    public List<String> play(Stage stage) {
        int clients = 20 + stage.random.nextInt(30);
        List<Penstock> stores = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            Penstock store = stage.open("c" + i);
            Stage.words(store).put("k" + i, "1");
            stores.add(store);
        }
        stage.sleep(stage.drawn(Duration.ofSeconds(5)));
        List<Task<Duration>> closing = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            SimulatedClient machine = stage.machine("c" + i);
            Penstock store = stores.get(i);
            closing.add(machine.fork("close", () -> close(stage, store)));
        }
        List<String> violations = new ArrayList<>();
        for (Task<Duration> one : closing) {
            Duration length = one.join();
            if (length.compareTo(CLOSE_MAX) > 0) {
                violations.add("one of " + clients + " closed for " + length);
            }
        }
        violations.addAll(stage.keys("clients/").stream()
                .filter(key -> !key.endsWith("/sweep"))
                .toList());
        violations.addAll(stage.keys("retired/"));
        violations.addAll(stage.queues("at-"));
        try (Penstock later = stage.open("later")) {
            stage.sleep(Stage.RECOVERED);
            stage.checkSeen(violations, later, clients);
        }
        return violations;
    }

    private static Duration close(Stage stage, Penstock store) {
        Duration before = stage.now();
        store.close();
        return stage.now().minus(before);
    }
}
