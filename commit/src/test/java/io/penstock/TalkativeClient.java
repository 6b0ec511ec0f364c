package io.penstock;

import io.penstock.core.Bytes;
import io.penstock.core.StoreException;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.AwsServers;
import io.penstock.testing.RealServers.Endpoint;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The process of {@link SecrecyTest}: makes every call that a store has, failing ones included, and prints every
 * exception with its causes. Arguments: address of S3, of SQS, prefix, access key, secret key, content of keys, content
 * of payloads.
 */
final class TalkativeClient {
    private static final int ROUNDS = 25;

    private final ThreadTasks tasks = new ThreadTasks();
    private final String key;
    private final String payload;

    /** What objects were damaged to: a repetition after a lost answer must not mend them. */
    private final Map<String, Bytes> damaged = new HashMap<>();

    private TalkativeClient(String key, String payload) {
        this.key = key;
        this.payload = payload;
    }

    public static void main(String[] a) {
        Endpoint endpoint = new Endpoint(URI.create(a[0]), URI.create(a[1]), a[3], a[4]);
        TalkativeClient client = new TalkativeClient(a[5], a[6]);
        AwsServers servers;
        do {
            servers = client.open(endpoint);
        } while (servers == null);
        client.work(servers, a[2]);
        // No server listens on port 1.
        client.open(endpoint.at(URI.create("http://127.0.0.1:1"), URI.create("http://127.0.0.1:1")));
        System.out.println("done");
        System.exit(0);
    }

    private AwsServers open(Endpoint endpoint) {
        try {
            return AwsServers.at(endpoint, Duration.ofSeconds(2), tasks);
        } catch (StoreException e) {
            e.printStackTrace();
            return null;
        }
    }

    private void work(AwsServers servers, String prefix) {
        Settings settings = Settings.on(servers.objects(), servers.queues(), tasks)
                .level(ConsistencyLevel.ATOMIC)
                .prefix(prefix)
                .pageBytes(1024)
                .ttl(Duration.ofMillis(100))
                .checkpointInterval(Duration.ofMillis(300))
                .advanced(advanced -> advanced.forwardInterval(Duration.ofMillis(50)))
                .callBudget(Duration.ofMillis(300))
                .advanced(advanced -> advanced.lease(Duration.ofSeconds(1)))
                .closeWithin(Duration.ofSeconds(2));
        try (Penstock store = Penstock.open(settings)) {
            RecordCollection<String, String> words = store.collection("words", Keys.string(), Json.of(String.class));
            Index<String, String, String> index = words.index("by-text", Keys.string(), text -> text);
            for (int i = 0; i < ROUNDS; i++) {
                String name = key + i;
                for (ConsistencyLevel level : ConsistencyLevel.values()) {
                    tell(() -> store.transact(level, tx -> {
                        tx.put(words, name + level, payload);
                        tx.delete(words, name + "gone");
                        return tx.get(words, name + level);
                    }));
                }
                tell(() -> isolated(store, name));
                tell(() -> index.scan(payload).close());
                tell(() -> words.scan(KeySpan.all()).stream().count());
            }
            tell(store.admin()::checkpoint);
            tell(() -> wrong(store, words));
            persistently(() -> quarantine(servers, prefix));
            // Some requests are lost for good within the small budget of this client.
            for (int i = 0; i < 10; i++) {
                tell(store.admin()::checkpoint);
                tasks.sleep(Duration.ofMillis(500)); // a lock token whose answer was lost shows again after a lease
            }
            persistently(() -> damage(servers, prefix, "pages/"));
            persistently(() -> damage(servers, prefix, "log/"));
            tell(store.admin()::verify);
            tell(store.admin()::verify);
            tell(() -> isolated(store, key));
            tell(() -> store.admin().inspect().page("words", "", "0000000000000001", false)); // past the pool
            tell(() -> words.scan(KeySpan.all()).stream().count());
        }
    }

    /** Wrong calls, each of which must be reported. */
    private void wrong(Penstock store, RecordCollection<String, String> words) {
        tell(() -> store.transact(tx -> {
            tx.put(words, key.repeat(100), payload);
            return true;
        }));
        tell(() -> store.transact(tx -> {
            tx.put(words, key, payload.repeat(1000));
            return true;
        }));
        RecordCollection<String, Integer> numbers = store.collection("words", Keys.string(), Json.of(Integer.class));
        tell(() -> numbers.get(key + "1" + ConsistencyLevel.BASIC));
        tell(() -> {
            try (Scan<Entry<String, Integer>> scan = numbers.scan(KeySpan.all())) {
                scan.forEachRemaining(entry -> {});
            }
        });
    }

    /** Sends a message that is no log record and contains a secret. */
    private void quarantine(AwsServers servers, String prefix) {
        for (String name : servers.queues().list(prefix + "-pu-")) {
            MessageQueue queue = servers.queues().find(name).orElseThrow();
            queue.send(List.of(Bytes.utf8("garbage " + key + payload)));
        }
    }

    /** Transactions that go through a commit log, and some that contradict each other. */
    private void isolated(Penstock store, String name) {
        RecordCollection<String, String> kept =
                store.collection("kept", Keys.string(), Json.of(String.class)).inDomain("shop");
        store.transact(ConsistencyLevel.SERIALIZABLE, tx -> {
            tx.put(kept, name, payload);
            return tx.get(kept, name);
        });
        try (Transaction late = store.begin(ConsistencyLevel.SNAPSHOT)) {
            late.put(kept, name, payload + payload);
            store.transact(ConsistencyLevel.SNAPSHOT, tx -> {
                tx.put(kept, name, payload);
                return true;
            });
            late.commit();
        }
    }

    /** Flips a bit in the middle of every object below a folder; once, however often it is tried. */
    private void damage(AwsServers servers, String prefix, String folder) {
        servers.objects().list(prefix + "/" + folder, "", 1000).entries().forEach(entry -> {
            Bytes bad = damaged.computeIfAbsent(entry.key(), object -> {
                byte[] bytes =
                        servers.objects().get(object).orElseThrow().body().toArray();
                bytes[bytes.length / 2] ^= 1;
                return Bytes.wrap(bytes);
            });
            servers.objects().put(entry.key(), bad, WriteCondition.ALWAYS);
        });
    }

    /** The drivers alone, without the layer that repeats. */
    private static void persistently(Runnable call) {
        for (int i = 0; i < 50; i++) {
            try {
                call.run();
                return;
            } catch (StoreException e) {
                e.printStackTrace();
            }
        }
    }

    private static void tell(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            e.printStackTrace();
        }
    }
}
