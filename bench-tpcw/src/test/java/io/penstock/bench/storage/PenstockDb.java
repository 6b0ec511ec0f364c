package io.penstock.bench.storage;

import com.fasterxml.jackson.core.type.TypeReference;
import io.penstock.ConsistencyLevel;
import io.penstock.Entry;
import io.penstock.Json;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.Settings;
import io.penstock.bench.aws.AwsServers;
import io.penstock.core.StoreException;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/**
 * The binding of Penstock for YCSB. A table is a collection, a record a map from fields to texts; an update reads the
 * record and writes it in one transaction. All threads of YCSB's client share one store. Its properties:
 *
 * <p>{@code penstock.dir}, a directory; or {@code penstock.bucket}, with {@code penstock.endpoint} of both services if
 * they are not those of AWS; and {@code penstock.level}, SERIALIZABLE without it.
 */
public final class PenstockDb extends DB {
    private static final TypeReference<Map<String, String>> FIELDS = new TypeReference<>() {};
    private static final ReentrantLock OPENING = new ReentrantLock();
    private static @Nullable Shared shared;

    private final Map<String, RecordCollection<String, Map<String, String>>> tables = new ConcurrentHashMap<>();
    private Penstock store;

    /** The store of all threads, and what it is on. */
    private record Shared(Penstock store, AutoCloseable servers, AtomicInteger users) {}

    /** For YCSB's client, which calls {@link #init}. */
    @SuppressWarnings("NullAway.Init")
    public PenstockDb() {}

    /** A binding to a store that is open, and stays so. */
    PenstockDb(Penstock store) {
        this.store = store;
    }

    @Override
    public void init() throws DBException {
        OPENING.lock();
        try {
            Shared open = shared == null ? open(getProperties()) : shared;
            shared = open;
            open.users.incrementAndGet();
            store = open.store;
        } catch (RuntimeException e) {
            throw new DBException(e);
        } finally {
            OPENING.unlock();
        }
    }

    private static Shared open(Properties properties) {
        ConsistencyLevel level = ConsistencyLevel.valueOf(properties.getProperty("penstock.level", "SERIALIZABLE"));
        String directory = properties.getProperty("penstock.dir");
        if (directory != null) {
            return new Shared(
                    Penstock.open(Settings.local(Path.of(directory)).level(level)), () -> {}, new AtomicInteger());
        }
        String bucket = properties.getProperty("penstock.bucket");
        if (bucket == null) {
            throw new IllegalArgumentException("-p penstock.dir or -p penstock.bucket must name a place");
        }
        String given = properties.getProperty("penstock.endpoint");
        URI endpoint = given == null ? null : URI.create(given);
        String region = endpoint == null ? null : "us-east-1";
        Tasks tasks = new ThreadTasks();
        AwsServers.Connection servers =
                new AwsServers(endpoint, endpoint, region, bucket, endpoint != null).connect(tasks);
        Settings settings =
                Settings.on(servers.objects(), servers.queues(), tasks).level(level);
        return new Shared(Penstock.open(settings), servers, new AtomicInteger());
    }

    @Override
    public void cleanup() throws DBException {
        OPENING.lock();
        try {
            Shared open = shared;
            if (open != null && open.users.decrementAndGet() == 0) {
                shared = null;
                open.store.close();
                open.servers.close();
            }
        } catch (Exception e) {
            throw new DBException(e);
        } finally {
            OPENING.unlock();
        }
    }

    /** The collection of a table. */
    RecordCollection<String, Map<String, String>> table(String name) {
        return tables.computeIfAbsent(name, key -> store.collection(key, Keys.string(), Json.of(FIELDS)));
    }

    @Override
    public Status read(String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
        return status(() -> {
            Optional<Map<String, String>> found = table(table).get(key);
            found.ifPresent(record -> copy(record, fields, result));
            return found.isPresent() ? Status.OK : Status.NOT_FOUND;
        });
    }

    @Override
    public Status scan(
            String table,
            String first,
            int count,
            @Nullable Set<String> fields,
            Vector<HashMap<String, ByteIterator>> result) {
        return status(() -> {
            try (Scan<Entry<String, Map<String, String>>> records =
                    table(table).scan(KeySpan.from(first).limit(count))) {
                records.forEachRemaining(found -> {
                    HashMap<String, ByteIterator> record = new HashMap<>();
                    copy(found.value(), fields, record);
                    result.add(record);
                });
            }
            return Status.OK;
        });
    }

    private static void copy(
            Map<String, String> record, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
        record.forEach((field, value) -> {
            if (fields == null || fields.contains(field)) {
                result.put(field, new StringByteIterator(value));
            }
        });
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        Map<String, String> changed = StringByteIterator.getStringMap(values);
        return status(() -> store.transact(transaction -> {
            Optional<Map<String, String>> found = transaction.get(table(table), key);
            found.ifPresent(record -> {
                Map<String, String> merged = new HashMap<>(record);
                merged.putAll(changed);
                transaction.put(table(table), key, merged);
            });
            return found.isPresent() ? Status.OK : Status.NOT_FOUND;
        }));
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        Map<String, String> record = StringByteIterator.getStringMap(values);
        return status(() -> {
            table(table).put(key, record);
            return Status.OK;
        });
    }

    @Override
    public Status delete(String table, String key) {
        return status(() -> {
            table(table).delete(key);
            return Status.OK;
        });
    }

    /** Returns the status of a call; that of one that failed has the code of its exception. */
    private static Status status(Supplier<Status> call) {
        try {
            return call.get();
        } catch (StoreException failure) {
            return new Status(failure.code().name(), String.valueOf(failure.getMessage()));
        }
    }
}
