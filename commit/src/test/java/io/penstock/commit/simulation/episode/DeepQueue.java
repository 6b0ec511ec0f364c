package io.penstock.commit.simulation.episode;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.StoreProbe;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.record.RecordChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A queue that holds hundreds of messages of many clients, one record each: it drains at a stated pace. */
final class DeepQueue implements Episode {
    /** What the first and last calls take, and the lease. */
    private static final Duration BASE = Duration.ofMillis(2_000);

    private static final int MESSAGES_A_SECOND = 1_000;
    private static final int BATCH = 10;

    @Override
    public String promise() {
        return "a deep queue drains in time";
    }

    @Override
    public List<String> play(Stage stage) {
        if (stage.level == ConsistencyLevel.NAIVE) {
            return List.of(); // without queues
        }
        int messages = 400 + stage.random.nextInt(600);
        int clients = 1 + stage.random.nextInt(20);
        try (Penstock store =
                Penstock.open(stage.settings(stage.machine("drain")).checkpointInterval(Duration.ofHours(10)))) {
            Stage.words(store).put("first", "1");
            store.admin().checkpoint();
            send(stage, StoreProbe.tree(Stage.words(store)), messages, clients);
            Duration before = stage.now();
            store.admin().checkpoint();
            Duration length = stage.now().minus(before);
            List<String> violations = new ArrayList<>();
            stage.checkSeen(violations, store, messages + 1);
            if (length.compareTo(BASE.plusMillis(1_000L * messages / MESSAGES_A_SECOND)) > 0) {
                violations.add(messages + " messages took " + length);
            }
            return violations;
        }
    }

    private static void send(Stage stage, TreeId tree, int messages, int clients) {
        boolean ordered = stage.level != ConsistencyLevel.BASIC;
        List<Bytes> bodies = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            ClientId id = new ClientId(((long) 1 + i % clients) << Short.SIZE);
            Stamp stamp = Stamp.of(stage.machine("main").nowMillis(), 0, id);
            RecordChange put = new RecordChange.Put(Bytes.utf8("k" + i), Bytes.utf8("\"1\""), stamp);
            long first = ordered ? 1 + i / clients : PuMessage.UNORDERED;
            bodies.add(new PuMessage(id, first, List.of(new LogRecord(tree, put))).encode());
        }
        String name = stage.queues("pu-").getFirst();
        MessageQueue queue =
                stage.cloud.queues(stage.machine("main")).find(name).orElseThrow();
        for (int from = 0; from < messages; from += BATCH) {
            queue.send(bodies.subList(from, Math.min(from + BATCH, messages)));
        }
    }
}
