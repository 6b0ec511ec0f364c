package io.penstock.spark;

import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.StoredFields;
import io.penstock.Transaction;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.StoreException;
import io.penstock.core.object.BucketAddress;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.sqs.SqsQueueService;
import io.penstock.core.queue.sqs.SqsSettings;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import io.penstock.query.Condition;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stores that this process reads, one handle for each place and its settings, which all tasks share until the
 * process ends. Safe for use by many threads.
 */
final class OpenStores {
    private static final Logger LOG = LoggerFactory.getLogger(OpenStores.class);
    private static final Map<Map<String, String>, Opened> OPEN = new ConcurrentHashMap<>();

    /** The parts of an open store, in the order in which they are closed. */
    private record Opened(Penstock store, List<AutoCloseable> servers) {}

    private OpenStores() {}

    /** The collection of a read, with its fields. */
    static RecordCollection<?, ?> collection(SourceOptions options) {
        Penstock store = store(options);
        RecordCollection<?, ?> found = options.declaredBy().isEmpty()
                ? stored(store, options)
                : declared(options.declaredBy()).open(store, options.collection());
        if (found.fields().all().isEmpty()) {
            throw new InvalidRequestException(
                    "a collection without declared fields is no table; declare them where it is opened",
                    "collection",
                    options.collection());
        }
        return found;
    }

    private static RecordCollection<?, ?> stored(Penstock store, SourceOptions options) {
        var records = store.rawCollection(options.collection());
        String declared = records.name() + "(" + options.fields() + ")";
        return records.declare(StoredFields.of(records, options.fields().isEmpty() ? List.of() : List.of(declared)));
    }

    private static DeclaredCollections declared(String type) {
        try {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            return (DeclaredCollections)
                    Class.forName(type, true, loader).getConstructor().newInstance();
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "no such class declares collections; name a public one that implements DeclaredCollections, with a"
                            + " public constructor without arguments, that driver and executors have",
                    e,
                    "declared-by",
                    type);
        }
    }

    /** The store of a read. */
    static Penstock store(SourceOptions options) {
        return OPEN.computeIfAbsent(options.store(), place -> open(place, settings -> settings.readOnly(true)))
                .store();
    }

    /**
     * Asks checkpoints to wait for what is read at a position, or at any from now on. A read goes on without, as long
     * as it can.
     */
    static void hold(SourceOptions options) {
        boolean local = options.store().containsKey("directory");
        if (local || options.hold().isZero()) {
            return;
        }
        Opened writer = null;
        try {
            writer = open(options.store(), settings -> settings.checkpointing(false));
            RecordCollection<?, ?> records = writer.store().rawCollection(options.collection());
            String position = options.position().isEmpty() ? records.position() : options.position();
            try (Transaction held = writer.store().at(position, options.hold());
                    var first = held.find(records, Condition.none())) {
                var unused = first.hasNext();
            }
        } catch (StoreException refused) {
            LOG.warn("checkpoints do not wait for this read: {}", refused.getMessage());
        } finally {
            if (writer != null) {
                close(writer);
            }
        }
    }

    private static Opened open(Map<String, String> place, Function<Settings, Settings> use) {
        TreeMap<String, String> left = new TreeMap<>(place);
        String directory = SourceOptions.take(left, "directory");
        String bucket = SourceOptions.take(left, "bucket");
        if (directory.isEmpty() == bucket.isEmpty()) {
            throw new InvalidRequestException(
                    directory.isEmpty() ? ErrorCode.NO_PLACE : ErrorCode.TWO_PLACES,
                    "a store has one place; give one of the options bucket and directory");
        }
        if (!directory.isEmpty()) {
            return new Opened(
                    Penstock.open(use.apply(Settings.local(Path.of(directory))).with(left)), List.of());
        }
        return remote(bucket, left, use);
    }

    private static Opened remote(String bucket, TreeMap<String, String> left, Function<Settings, Settings> use) {
        String region = SourceOptions.take(left, "region");
        String endpoint = SourceOptions.take(left, "endpoints3");
        String endpointSqs = SourceOptions.take(left, "endpointsqs");
        boolean queued = Boolean.parseBoolean(SourceOptions.take(left, "sqs")) || !endpointSqs.isEmpty();
        Tasks tasks = new ThreadTasks();
        ObjectStore objects = new BucketAddress(
                        bucket,
                        Optional.of(region).filter(given -> !given.isEmpty()),
                        Optional.of(endpoint).filter(given -> !given.isEmpty()).map(URI::create),
                        Boolean.parseBoolean(SourceOptions.take(left, "pathstyle")),
                        false)
                .open();
        QueueService queues = null;
        try {
            queues = queued ? queues(region, endpointSqs, tasks) : null;
            Settings on = queues == null ? Settings.on(objects, tasks) : Settings.on(objects, queues, tasks);
            Penstock store = Penstock.open(
                    use.apply(on).advanced(advanced -> advanced.sweeping(false)).with(left));
            return new Opened(store, queues == null ? List.of(objects) : List.of(queues, objects));
        } catch (RuntimeException failure) {
            closeAll(queues == null ? List.of(objects) : List.of(queues, objects));
            throw failure;
        }
    }

    private static QueueService queues(String region, String endpoint, Tasks tasks) {
        SqsSettings sqs = SqsSettings.standard();
        sqs = region.isEmpty() ? sqs : sqs.region(region);
        return SqsQueueService.open(endpoint.isEmpty() ? sqs : sqs.endpoint(URI.create(endpoint)), tasks);
    }

    /** Closes all, for tests. */
    static void closeAll() {
        OPEN.values().forEach(OpenStores::close);
        OPEN.clear();
    }

    private static void close(Opened opened) {
        opened.store().close();
        closeAll(opened.servers());
    }

    private static void closeAll(List<? extends @Nullable AutoCloseable> servers) {
        for (AutoCloseable server : servers) {
            try {
                server.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
