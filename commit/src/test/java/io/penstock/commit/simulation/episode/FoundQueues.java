package io.penstock.commit.simulation.episode;

import io.penstock.ConsistencyLevel;
import io.penstock.Levels;
import io.penstock.Penstock;
import io.penstock.core.RefusedException;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueConfiguration;
import io.penstock.core.task.Task;
import io.penstock.testkit.SimulatedClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Queues that others have made, with a configuration of theirs. A client may be refused, in words that say what to set
 * right; what was acknowledged is seen when that is done, even if nobody was there for days.
 */
final class FoundQueues implements Episode {
    /** A body, other than what the store may be given. */
    private static final int LARGE = 20_000;

    /** Below what queues should keep, and above what they keep by default. */
    private static final Duration ABSENCE = Duration.ofDays(6);

    private static final int COMMITS = 12;

    /** What others may have chosen, and the word for it in the refusal. */
    private enum Choice {
        RETENTION("MessageRetentionPeriod") {
            @Override
            QueueConfiguration of(QueueConfiguration q) {
                return new QueueConfiguration(Duration.ofDays(4), q.delay(), q.messageBytes(), false, false);
            }
        },
        DELAY("DelaySeconds") {
            @Override
            QueueConfiguration of(QueueConfiguration q) {
                return new QueueConfiguration(q.retention(), Duration.ofMinutes(15), q.messageBytes(), false, false);
            }
        },
        REDRIVES("RedrivePolicy") {
            @Override
            QueueConfiguration of(QueueConfiguration q) {
                return new QueueConfiguration(q.retention(), q.delay(), q.messageBytes(), true, false);
            }
        },
        TINY("MaximumMessageSize") {
            @Override
            QueueConfiguration of(QueueConfiguration q) {
                return new QueueConfiguration(q.retention(), q.delay(), 1 << 10, false, false);
            }
        },
        /** The limit of many years, which is enough. */
        SMALL("") {
            @Override
            QueueConfiguration of(QueueConfiguration q) {
                return new QueueConfiguration(q.retention(), q.delay(), 256 << 10, false, false);
            }
        };

        private final String word;

        Choice(String word) {
            this.word = word;
        }

        abstract QueueConfiguration of(QueueConfiguration made);
    }

    @Override
    public String promise() {
        return "queues of others lose nothing";
    }

    @Override
    public List<String> play(Stage stage) {
        try (Penstock maker = stage.open("maker")) {
            Stage.words(maker).put("made", "1");
        }
        Choice choice = Choice.values()[stage.random.nextInt(Choice.values().length)];
        String part = stage.random.nextBoolean() ? "-pu-" : "-";
        stage.cloud.configure(part, choice::of);
        List<String> violations = new ArrayList<>();
        Map<String, String> acknowledged = new TreeMap<>();
        SimulatedClient machine = stage.machine("author");
        boolean dies = stage.random.nextBoolean();
        Task<Boolean> life =
                machine.startThread("life", () -> write(stage, machine, choice, acknowledged, violations, dies));
        Stage.await(life);
        stage.sleep(ABSENCE);
        stage.cloud.configure(
                "-",
                q -> QueueConfiguration.standard(
                        QueueAttributes.RETENTION_MAX,
                        stage.cloud.queues(machine).limits()));
        try (Penstock reader = stage.open("reader")) {
            stage.sleep(Stage.RECOVERED.plus(Duration.ofMinutes(20)));
            Map<String, String> seen = Stage.content(reader);
            acknowledged.forEach((key, value) -> {
                if (!value.equals(seen.get(key))) {
                    violations.add(key + " is lost, where others chose " + choice);
                }
            });
        }
        return violations;
    }

    private static void write(
            Stage stage,
            SimulatedClient machine,
            Choice choice,
            Map<String, String> acknowledged,
            List<String> violations,
            boolean dies) {
        try (Penstock store = stage.open(machine.name())) {
            boolean large = stage.random.nextBoolean() && choice != Choice.TINY;
            for (int i = 0; i < COMMITS; i++) {
                String value = i + "v".repeat(large ? LARGE : 1);
                try {
                    Stage.words(store).put("k" + i, value);
                    acknowledged.put("k" + i, value);
                } catch (RefusedException refusal) {
                    check(choice, refusal, violations);
                }
            }
            // Half a minute is enough to forward, and to have it applied.
            machine.sleep(Duration.ofMillis(stage.random.nextInt(30_000)));
            if (dies) {
                machine.crash();
            }
        }
        boolean atOnce =
                Levels.except(ConsistencyLevel.NAIVE, ConsistencyLevel.ATOMIC).contains(stage.level);
        if (atOnce && choice != Choice.SMALL && !acknowledged.isEmpty()) {
            violations.add("sent to a queue that loses messages, where others chose " + choice);
        }
    }

    private static void check(Choice choice, RefusedException refusal, List<String> violations) {
        if (choice.word.isEmpty() || !String.valueOf(refusal.getMessage()).contains(choice.word)) {
            violations.add("refused, where others chose " + choice + ": " + refusal.getMessage());
        }
    }
}
