package io.penstock.bench.commits;

import io.penstock.ConsistencyLevel;
import io.penstock.Keys;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.bench.aws.AwsServers;
import io.penstock.bench.program.Zipf;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.RealServers;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Commits of Penstock at SERIALIZABLE in a bucket alone, for {@link ProcessCommits}: {@code SERVER BUCKET PREFIX
 * CALLERS RECORDS DRAW}, as those of {@code scripts/lib/ScalarDbCommits.java}.
 */
final class PenstockProgram {
    private static final int KEYS = 1_000;
    private static final Bytes PAYLOAD = Bytes.wrap(new byte[Contender.PAYLOAD_BYTES]);
    private static final Duration WARM_UP = Duration.ofSeconds(10);

    private final Penstock store;
    private final RecordCollection<String, Bytes> records;
    private final int each;
    private final boolean skewed;
    private final Zipf wanted = new Zipf(KEYS);
    private final Queue<Double> millis = new ConcurrentLinkedQueue<>();
    private volatile long since = Long.MAX_VALUE;
    private volatile boolean over;

    private PenstockProgram(Penstock store, int each, boolean skewed) {
        this.store = store;
        this.records = store.collection("commits", Keys.string(), PayloadCodec.bytes());
        this.each = each;
        this.skewed = skewed;
    }

    /** Runs a command line. */
    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws Exception {
        URI server = URI.create(arguments[0]);
        AwsServers servers = new AwsServers(server, server, RealServers.Endpoint.REGION, arguments[1], true);
        ThreadTasks tasks = new ThreadTasks();
        try (ObjectStore objects = servers.objects(arguments[1]);
                Penstock store = Penstock.open(
                        Settings.on(objects, tasks).prefix(arguments[2]).level(ConsistencyLevel.SERIALIZABLE))) {
            new PenstockProgram(store, Integer.parseInt(arguments[4]), arguments[5].equals("zipf"))
                    .run(tasks, Integer.parseInt(arguments[3]));
        }
    }

    private void run(ThreadTasks tasks, int callers) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            threads.add(Thread.ofVirtual().start(this::callAgain));
        }
        tasks.sleep(WARM_UP);
        java.io.PrintStream out = new java.io.PrintStream(
                new java.io.FileOutputStream(java.io.FileDescriptor.out), true, StandardCharsets.UTF_8);
        out.println("warm");
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        double seconds = Double.parseDouble(lines.readLine());
        since = System.nanoTime();
        tasks.sleep(Duration.ofMillis((long) (seconds * 1e3)));
        over = true;
        out.println(List.copyOf(millis));
        for (Thread thread : threads) {
            thread.join();
        }
        String unused = lines.readLine();
    }

    private void callAgain() {
        SplittableRandom random = new SplittableRandom();
        while (!over) {
            Set<String> keys = new LinkedHashSet<>();
            while (keys.size() < each) {
                keys.add("k" + (skewed ? wanted.draw(random) : random.nextInt(KEYS)));
            }
            long began = System.nanoTime();
            while (!commit(keys) && !over) {
                // Others were first too often: it begins anew, and the time counts.
            }
            if (began >= since && !over) {
                millis.add((System.nanoTime() - began) / 1e6);
            }
        }
    }

    private boolean commit(Set<String> keys) {
        try {
            var unused = store.transact(transaction -> {
                long found = 0;
                for (String key : keys) {
                    found += transaction.get(records, key).map(Bytes::length).orElse(0);
                    transaction.put(records, key, PAYLOAD);
                }
                return found;
            });
            return true;
        } catch (ConflictException tooOften) {
            return false;
        }
    }
}
