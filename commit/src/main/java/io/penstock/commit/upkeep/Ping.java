package io.penstock.commit.upkeep;

import io.penstock.commit.client.StoreIdentity;
import io.penstock.commit.engine.Services;
import io.penstock.commit.queue.QueueNames;
import io.penstock.commit.settings.StoreSettings;
import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.RefusedException;
import io.penstock.core.StoreException;
import io.penstock.core.meter.RequestMeters;
import io.penstock.core.object.ObjectProbe;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.QueueServices;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the object store for the store's identity, and the queue service for a queue that is never there: right answers
 * say that they are reachable, and that store and rights are. Without repetitions: the caller wants to know now. Safe
 * for use by many threads.
 */
public final class Ping {
    private static final Logger LOG = LoggerFactory.getLogger(Ping.class);

    /** The beginning of the keys of pings' objects, after the store's prefix. */
    private static final String OBJECT = "/clients/ping.";

    /** The age of an object from which no ping is at work on it. */
    private static final Duration LONGEST = Duration.ofHours(1);

    private final ObjectStore objects;
    private final QueueService queues;
    private final StoreIdentity store;
    private final String queue;

    public Ping(Services services, StoreSettings settings, StoreIdentity store) {
        RequestMeters meters = new RequestMeters(settings.calls().meters(), "checkpoint");
        this.objects = ObjectStores.metered(services.objects(), meters, services.tasks());
        this.queues = services.queues(bare -> QueueServices.metered(bare, meters, services.tasks()));
        this.store = store;
        // A name that every role may ask for.
        this.queue = new QueueNames(store).puPrefix() + "ping";
    }

    public void run() {
        store.requireThere(objects);
        queues.find(queue);
    }

    /**
     * Checks that reads show what was written before them. Costs three requests, and needs the right to write.
     *
     * @param name of an object that is made and removed; no other call may use it
     * @throws RefusedException when a read does not show what was written
     */
    public void requireStrongReads(String name) {
        String key = store.prefix() + OBJECT + name;
        try {
            if (!new ObjectProbe(objects, key).showsLast(Bytes.utf8("ping\n"), WriteCondition.IF_ABSENT)) {
                throw new RefusedException(
                        ErrorCode.UNSUPPORTED_SERVER,
                        "the object store did not show what was just written to it; Penstock needs one whose reads show"
                                + " the last write, as S3, GCS, Azure and MinIO do",
                        "key",
                        key);
            }
        } finally {
            remove(key);
        }
    }

    /** Removes the object of a ping. One that stays is left to a garbage collection, and hides no refusal. */
    private void remove(String key) {
        try {
            objects.delete(key);
        } catch (StoreException failure) {
            LOG.debug("the object of a ping stays for now key={} why={}", key, failure.getMessage());
        }
    }

    /**
     * Removes the objects of pings that were cut short.
     *
     * @param prefix of the store
     * @param nowMillis the servers' time
     */
    static void removeLeftOver(ObjectStore objects, String prefix, long nowMillis) {
        ObjectStores.listing(objects, prefix + OBJECT).forEachRemaining(entry -> {
            if (entry.modifiedMillis() < nowMillis - LONGEST.toMillis()) {
                objects.delete(entry.key());
            }
        });
    }
}
