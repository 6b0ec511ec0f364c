package io.penstock.commit.upkeep;

import io.penstock.commit.client.StoreIdentity;
import io.penstock.commit.engine.Services;
import io.penstock.commit.queue.QueueNames;
import io.penstock.commit.settings.StoreSettings;
import io.penstock.core.meter.RequestMeters;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.QueueServices;

/**
 * Asks the object store for the store's identity, and the queue service for a queue that is never there: right answers
 * say that they are reachable, and that store and rights are. Without repetitions: whoever asks wants to know now. Safe
 * for use by many threads.
 */
public final class Ping {
    private final ObjectStore objects;
    private final QueueService queues;
    private final StoreIdentity store;
    private final String queue;

    public Ping(Services services, StoreSettings settings, StoreIdentity store) {
        RequestMeters meters = new RequestMeters(settings.calls().meters(), "checkpoint");
        this.objects = ObjectStores.metered(services.objects(), meters, services.tasks());
        this.queues = QueueServices.metered(services.queues(), meters, services.tasks());
        this.store = store;
        // A name that every role may ask for.
        this.queue = new QueueNames(store).puPrefix() + "ping";
    }

    public void run() {
        store.requireThere(objects);
        queues.find(queue);
    }
}
