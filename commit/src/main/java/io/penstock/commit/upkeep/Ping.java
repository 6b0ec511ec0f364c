package io.penstock.commit.upkeep;

import io.penstock.commit.engine.Services;
import io.penstock.commit.queue.QueueNames;
import io.penstock.commit.settings.StoreSettings;
import io.penstock.core.meter.RequestMeters;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.QueueServices;

/**
 * Asks both servers for something that is never there: a right answer says that they are reachable, and that bucket
 * and rights are. Without repetitions: whoever asks wants to know now. Safe for use by many threads.
 */
public final class Ping {
    private final ObjectStore objects;
    private final QueueService queues;
    private final String key;
    private final String queue;

    public Ping(Services services, StoreSettings settings) {
        RequestMeters meters = new RequestMeters(settings.calls().meters(), "checkpoint");
        this.objects = ObjectStores.metered(services.objects(), meters, services.tasks());
        this.queues = QueueServices.metered(services.queues(), meters, services.tasks());
        // Names that every role may ask for.
        this.key = settings.prefix() + "/catalog/ping";
        this.queue = new QueueNames(settings.prefix()).puPrefix() + "ping";
    }

    public void run() {
        objects.get(key);
        queues.find(queue);
    }
}
