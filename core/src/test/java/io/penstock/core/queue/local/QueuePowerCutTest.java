package io.penstock.core.queue.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.Durability;
import io.penstock.core.disk.FileAccess;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.testing.CutDisk;
import io.penstock.testing.CutDisk.Loss;
import io.penstock.testing.InlineTasks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The power fails at every moment, and the disk keeps any part of what was not flushed: whatever was acknowledged is
 * there, and nothing half; a torn end is no damage.
 */
class QueuePowerCutTest {
    private static final int SEGMENT_BYTES = 1_500;
    private static final int LIVES = 3;

    @TempDir
    Path directory;

    private SplittableRandom random = new SplittableRandom(0);
    private int made;

    @Test
    void everyMomentOfOneLife() throws IOException {
        Life life = new Life(directory, 1);
        life.run(40);
        for (int moment = 0; moment <= life.disk.moments(); moment++) {
            for (Loss loss : List.of(Loss.ALL, Loss.ANY)) {
                life.cutAndCheck(moment, loss, "every moment");
            }
        }
    }

    @Test
    void manyLives() throws IOException {
        liveFrom(0, 30);
    }

    @Test
    @Tag("long")
    void veryManyLives() throws IOException {
        liveFrom(1_000, 2_000);
    }

    private void liveFrom(long first, int seeds) throws IOException {
        for (long seed = first; seed < first + seeds; seed++) {
            random = new SplittableRandom(seed);
            Path at = Files.createDirectory(directory.resolve("seed" + seed));
            for (int i = 0; i < LIVES; i++) {
                Life life = new Life(at, seed);
                life.run(random.nextInt(5, 60));
                Loss loss = Loss.values()[random.nextInt(Loss.values().length)];
                at = life.cutAndCheck(random.nextInt(life.disk.moments() + 1), loss, "seed " + seed + " life " + i);
            }
        }
    }

    private static LocalQueueService open(Path root, long seed, FileAccess disk) {
        return LocalQueueService.open(
                root.resolve("queues"),
                new InlineTasks(seed),
                disk,
                real -> new SegmentFiles(
                        real,
                        disk,
                        // What only looks at a directory need not wait for the real disk.
                        disk == FileAccess.SYSTEM ? Durability.OS_CACHE : Durability.FLUSHED,
                        SEGMENT_BYTES));
    }

    /** What the queues hold: bodies by queue. */
    private static Map<String, Set<String>> read(LocalQueueService service) {
        Map<String, Set<String>> found = new HashMap<>();
        for (String name : service.list("")) {
            MessageQueue queue = service.find(name).orElseThrow();
            Set<String> bodies = new HashSet<>();
            List<Delivery> some = queue.receive(10, Duration.ofHours(1), Duration.ZERO);
            while (!some.isEmpty()) {
                some.forEach(delivery -> bodies.add(delivery.body().toUtf8()));
                some = queue.receive(10, Duration.ofHours(1), Duration.ZERO);
            }
            found.put(name, bodies);
        }
        return found;
    }

    /** One process: from an opening to a power cut. */
    private final class Life {
        private final CutDisk disk;
        private final long seed;
        private final Path root;
        private final Map<String, Set<String>> before;
        private final List<Step> steps = new ArrayList<>();

        Life(Path root, long seed) throws IOException {
            this.root = root;
            this.seed = seed;
            try (LocalQueueService service = open(root, seed, FileAccess.SYSTEM)) {
                before = read(service);
            }
            disk = new CutDisk(root);
        }

        void run(int count) {
            try (LocalQueueService service = open(root, random.nextLong(), disk)) {
                for (int i = 0; i < count; i++) {
                    int from = disk.moments();
                    Step step = step(service, "q" + random.nextInt(3));
                    steps.add(step.between(from, disk.moments()));
                }
            }
        }

        private Step step(LocalQueueService service, String name) {
            boolean isThere = service.find(name).isPresent();
            if (!isThere || random.nextInt(20) == 0) {
                service.create(name, QueueAttributes.STANDARD);
                return new Step(Kind.CREATE, name, List.of(), 0, 0);
            }
            if (random.nextInt(25) == 0) {
                service.delete(name);
                return new Step(Kind.DROP, name, List.of(), 0, 0);
            }
            MessageQueue queue = service.find(name).orElseThrow();
            if (random.nextInt(5) < 3) {
                List<String> bodies = new ArrayList<>();
                for (int i = random.nextInt(3); i >= 0; i--) {
                    bodies.add("m" + made++ + "x".repeat(random.nextInt(200)));
                }
                queue.send(bodies.stream().map(Bytes::utf8).toList());
                return new Step(Kind.SEND, name, bodies, 0, 0);
            }
            List<Delivery> found = queue.receive(random.nextInt(1, 11), Duration.ofHours(1), Duration.ZERO);
            if (!found.isEmpty()) {
                queue.delete(found.stream().map(Delivery::receipt).toList());
            }
            List<String> bodies =
                    found.stream().map(delivery -> delivery.body().toUtf8()).toList();
            return new Step(Kind.DELETE, name, bodies, 0, 0);
        }

        /** Cuts the power, opens what is left, and returns its directory. */
        Path cutAndCheck(int moment, Loss loss, String where) throws IOException {
            Path left = Files.createDirectory(directory.resolve("left" + made++));
            disk.cut(moment, loss, random, left);
            Expected expected = new Expected(before);
            steps.stream()
                    .filter(step -> step.from < moment || step.to <= moment)
                    .forEach(step -> {
                        if (step.to <= moment) {
                            expected.acknowledge(step);
                        } else {
                            expected.begin(step);
                        }
                    });
            String text = where + " moment " + moment + " of " + disk.moments() + " " + loss;
            for (int opening = 0; opening < 2; opening++) {
                try (LocalQueueService service = open(left, seed, FileAccess.SYSTEM)) {
                    assertThat(service.damage()).as(text).isEmpty();
                    expected.check(read(service), text);
                    // What is written behind a torn end does not bring it back.
                    service.create("behind", QueueAttributes.STANDARD).send(List.of(Bytes.utf8("m" + made++)));
                    expected.sent.add("m" + (made - 1));
                }
            }
            return left;
        }
    }

    private enum Kind {
        CREATE,
        DROP,
        SEND,
        DELETE
    }

    private record Step(Kind kind, String queue, List<String> bodies, int from, int to) {
        Step between(int first, int last) {
            return new Step(kind, queue, bodies, first, last);
        }
    }

    /** What must be there, and what may be. */
    private static final class Expected {
        private final Map<String, Set<String>> sure = new HashMap<>();
        private final Set<String> unsureQueues = new HashSet<>();
        private final Set<String> sent = new HashSet<>();

        Expected(Map<String, Set<String>> before) {
            before.forEach((queue, bodies) -> {
                sure.put(queue, new HashSet<>(bodies));
                sent.addAll(bodies);
            });
            unsureQueues.add("behind");
        }

        void acknowledge(Step step) {
            sent.addAll(step.bodies);
            switch (step.kind) {
                case CREATE -> sure.computeIfAbsent(step.queue, absent -> new HashSet<>());
                case DROP -> sure.remove(step.queue);
                case SEND -> sure.get(step.queue).addAll(step.bodies);
                case DELETE -> sure.get(step.queue).removeAll(step.bodies);
            }
        }

        void begin(Step step) {
            sent.addAll(step.bodies);
            switch (step.kind) {
                case CREATE -> unsureQueues.add(step.queue);
                case DROP -> {
                    sure.remove(step.queue);
                    unsureQueues.add(step.queue);
                }
                case SEND -> {}
                case DELETE -> sure.get(step.queue).removeAll(step.bodies);
            }
        }

        void check(Map<String, Set<String>> found, String text) {
            assertThat(found.keySet()).as(text).containsAll(sure.keySet());
            found.forEach((queue, bodies) -> {
                assertThat(sure.containsKey(queue) || unsureQueues.contains(queue))
                        .as(text + ": " + queue)
                        .isTrue();
                assertThat(bodies).as(text).containsAll(sure.getOrDefault(queue, Set.of()));
                assertThat(sent).as(text).containsAll(bodies);
            });
        }
    }
}
