package io.penstock;

import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.AwsServers;
import io.penstock.testing.RealServers.Endpoint;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The process of {@link OutageMemoryTest}: commits from many threads, whether the servers are available or not, and
 * prints the outcome. A line on its standard input says that the servers are back. Arguments: address of S3, of SQS,
 * prefix.
 */
final class OutageWorkload {
    /** Those of a collection that belongs to no domain. */
    private static final List<ConsistencyLevel> LEVELS =
            Levels.except(ConsistencyLevel.SNAPSHOT, ConsistencyLevel.SERIALIZABLE);

    private static final int THREADS = 32;

    /** A quarter of a page is the most; JSON adds its quotes. */
    private static final String TEXT = "t".repeat((16 << 10) - 16);

    private OutageWorkload() {}

    public static void main(String[] arguments) throws Exception {
        ThreadTasks tasks = new ThreadTasks();
        Endpoint endpoint =
                new Endpoint(URI.create(arguments[0]), URI.create(arguments[1]), "penstock", "penstock-secret");
        AwsServers servers = AwsServers.at(endpoint, Duration.ofSeconds(5), tasks);
        Settings settings = Settings.on(servers.objects(), servers.queues(), tasks)
                .level(ConsistencyLevel.ATOMIC)
                .prefix(arguments[2])
                .poolBytes(1 << 20)
                .callBudget(Duration.ofMillis(20))
                .checkpointInterval(Duration.ofMillis(500))
                .advanced(advanced -> advanced.forwardInterval(Duration.ofMillis(100)));
        try (Penstock store = Penstock.open(settings)) {
            while (!commits(store, 0)) {
                tasks.sleep(Duration.ofMillis(100));
            }
            System.out.println("ready");
            attempt(store);
            for (int round = 0; round < LEVELS.size(); round++) {
                while (!commits(store, round)) {
                    tasks.sleep(Duration.ofMillis(100));
                }
            }
            System.out.println("committed");
        }
        System.out.println("closed");
        System.exit(0);
    }

    private static void attempt(Penstock store) throws Exception {
        AtomicBoolean back = new AtomicBoolean();
        AtomicInteger failed = new AtomicInteger();
        for (int t = 0; t < THREADS; t++) {
            int first = t;
            Thread.ofPlatform().daemon().start(() -> {
                for (int round = first; !back.get(); round++) {
                    if (!commits(store, round) && failed.incrementAndGet() % 500 == 0) {
                        System.out.println("failed " + failed.get());
                    }
                }
            });
        }
        var unused = System.in.read();
        back.set(true);
    }

    private static boolean commits(Penstock store, int round) {
        ConsistencyLevel level = LEVELS.get(round % LEVELS.size());
        RecordCollection<String, String> words = store.collection("words", Keys.string(), Json.of(String.class));
        try {
            store.transact(level, tx -> {
                tx.put(words, "k" + round % 100, TEXT + round);
                return true;
            });
            return true;
        } catch (UnavailableException | OutcomeUnknownException e) {
            return false;
        }
    }
}
