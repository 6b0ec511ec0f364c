package io.penstock.bench.commits;

import io.penstock.ConsistencyLevel;
import io.penstock.Keys;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.bench.aws.AwsServers;
import io.penstock.core.Bytes;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Commits of Penstock with default settings.
 *
 * @param transact whether each reads the record and writes it in a transaction, and does not only put it
 * @param logApart whether the commit log is on S3 Express One Zone
 */
record PenstockCommits(ConsistencyLevel level, boolean transact, boolean logApart) implements Contender {
    @Override
    public String name() {
        return "Penstock " + level + (transact ? ", reads and writes" : "") + (logApart ? ", log on express" : "");
    }

    @Override
    public Contender.Store open(Place place, int callers) {
        return new Store(this, place, callers);
    }

    private static final class Store implements Contender.Store {
        private static final Bytes PAYLOAD = Bytes.wrap(new byte[PAYLOAD_BYTES]);
        private static final Duration WARM_UP = Duration.ofSeconds(4);

        private final PenstockCommits contender;
        private final List<AutoCloseable> open = new ArrayList<>();
        private final Penstock store;
        private final RecordCollection<String, Bytes> records;
        private final List<Thread> callers = new ArrayList<>();
        private final ConcurrentLinkedQueue<Double> millis = new ConcurrentLinkedQueue<>();

        /** Commits that began before are not counted. */
        private volatile long since = Long.MAX_VALUE;

        private volatile boolean over;

        private volatile @Nullable RuntimeException failure;

        Store(PenstockCommits contender, Place place, int callers) {
            this.contender = contender;
            Tasks tasks = new ThreadTasks();
            AwsServers.Connection servers = place.servers().connect(tasks);
            open.add(servers);
            Settings settings = Settings.on(servers.objects(), servers.queues(), tasks)
                    .prefix("commits-" + UUID.randomUUID().toString().substring(0, 8))
                    .level(contender.level);
            if (contender.logApart) {
                AwsServers.Connection log = place.log().connect(tasks);
                open.add(log);
                settings = settings.commitLog(log.objects());
            }
            store = Penstock.open(settings);
            open.add(store);
            records = store.collection("commits", Keys.string(), PayloadCodec.bytes());
            for (int caller = 0; caller < callers; caller++) {
                String key = String.format(Locale.ROOT, "k%d", caller);
                this.callers.add(Thread.ofVirtual().start(() -> callAgain(key)));
            }
        }

        private void callAgain(String key) {
            try {
                while (!over) {
                    call(key);
                }
            } catch (RuntimeException e) {
                failure = e;
            }
        }

        private void call(String key) {
            long began = System.nanoTime();
            commit(key);
            if (began >= since && !over) {
                millis.add((System.nanoTime() - began) / 1e6);
            }
        }

        private void commit(String key) {
            if (contender.transact) {
                var unused = store.transact(transaction -> {
                    var before = transaction.get(records, key);
                    transaction.put(records, key, PAYLOAD);
                    return before;
                });
            } else {
                records.put(key, PAYLOAD);
            }
        }

        @Override
        public void warm() {
            pause(WARM_UP);
            since = System.nanoTime();
        }

        @Override
        public List<Double> commits(Duration length) {
            pause(length);
            over = true;
            List<Double> done = List.copyOf(millis);
            callers.forEach(Store::join);
            RuntimeException failed = failure;
            if (failed != null) {
                throw failed;
            }
            return done;
        }

        private static void pause(Duration length) {
            try {
                TimeUnit.NANOSECONDS.sleep(length.toNanos());
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted", e);
            }
        }

        private static void join(Thread thread) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted", e);
            }
        }

        @Override
        public void close() {
            over = true;
            callers.forEach(Store::join);
            for (AutoCloseable one : open.reversed()) {
                try {
                    one.close();
                } catch (Exception e) {
                    throw new IllegalStateException("a store does not close", e);
                }
            }
        }
    }
}
