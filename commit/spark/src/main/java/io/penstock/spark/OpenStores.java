package io.penstock.spark;

import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.StoredFields;
import io.penstock.Transaction;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.StoreException;
import io.penstock.query.Condition;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stores that this process reads, one handle for each place and its settings, which all tasks share until the
 * process ends. Safe for use by many threads.
 */
final class OpenStores {
    private static final Logger LOG = LoggerFactory.getLogger(OpenStores.class);
    private static final Map<Map<String, String>, Penstock> OPEN = new ConcurrentHashMap<>();

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
        return OPEN.computeIfAbsent(options.store(), place -> open(place, settings -> settings.readOnly(true)));
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
        try (Penstock writer = open(options.store(), settings -> settings.checkpointing(false))) {
            RecordCollection<?, ?> records = writer.rawCollection(options.collection());
            String position = options.position().isEmpty() ? records.position() : options.position();
            try (Transaction held = writer.at(position, options.hold());
                    var first = held.find(records, Condition.none())) {
                var unused = first.hasNext();
            }
        } catch (StoreException refused) {
            LOG.warn("checkpoints do not wait for this read: {}", refused.getMessage());
        }
    }

    /** Opens a store by the names of settings; a store on servers leaves dead clients to those that live longer. */
    private static Penstock open(Map<String, String> place, UnaryOperator<Settings> use) {
        Settings settings = use.apply(Settings.from(place));
        boolean remote = place.containsKey("bucket");
        return Penstock.open(remote ? settings.advanced(advanced -> advanced.sweeping(false)) : settings);
    }

    /** Closes all, for tests. */
    static void closeAll() {
        OPEN.values().forEach(Penstock::close);
        OPEN.clear();
    }
}
