package io.penstock.commit.engine;

import io.penstock.commit.client.StoreIdentity;
import io.penstock.commit.settings.StoreSettings;
import io.penstock.core.ClosedException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The state of one handle of a store: whether it is open, what it may do, and the commits that are under way. Safe for
 * use by many threads.
 */
public final class StoreState {
    private final StoreIdentity store;
    private final StoreSettings.Client client;
    private final AtomicInteger committing = new AtomicInteger();
    private final AtomicBoolean closing = new AtomicBoolean();

    private StoreState(StoreIdentity store, StoreSettings.Client client) {
        this.store = store;
        this.client = client;
    }

    /** Finds the store, or makes it, before anything else is begun. */
    static StoreState of(StoreSettings settings, Services services) {
        StoreIdentity.Place place = new StoreIdentity.Place(
                services.tasks(),
                ServerPath.reliable(services.objects(), services.tasks(), settings, "checkpoint"),
                settings.prefix(),
                services.queued());
        return new StoreState(place.open(settings.client().mayDefine()), settings.client());
    }

    /** The name of the store on its servers. */
    public String prefix() {
        return store.prefix();
    }

    /** The identity that distinguishes the store from others of its name. */
    public StoreIdentity identity() {
        return store;
    }

    /** The number of the store in tokens and positions. */
    public long storeNumber() {
        return store.number();
    }

    public boolean isReadOnly() {
        return client.readOnly();
    }

    /** @throws ClosedException when the handle was closed */
    public void requireOpen() {
        if (closing.get()) {
            throw new ClosedException("the store was closed; open it again", "prefix", prefix());
        }
    }

    /** @throws InvalidRequestException when the store was opened to be read only */
    public void requireWritable() {
        requireOpen();
        if (client.readOnly()) {
            throw new InvalidRequestException(
                    ErrorCode.READ_ONLY,
                    "the store was opened to be read only; open it without readOnly to change it",
                    "prefix",
                    prefix());
        }
    }

    /** @throws InvalidRequestException when the store has no queues */
    public void requireQueues() {
        if (!store.queues()) {
            throw new InvalidRequestException(
                    ErrorCode.NEEDS_QUEUES,
                    "collections outside of domains need queues, and the store has none; make a store with a queue"
                            + " service for them",
                    "prefix",
                    prefix());
        }
    }

    /** Whether this client adds definitions to the catalog. */
    public boolean mayDefine() {
        return client.mayDefine();
    }

    /** Runs a commit, so that {@link #close} knows of it and an orderly end waits for it. */
    public <T> T whileOpen(Supplier<T> commit) {
        committing.incrementAndGet();
        try {
            requireOpen();
            return commit.get();
        } finally {
            committing.decrementAndGet();
        }
    }

    /** Closes the store to new commits; false when it was closed already. */
    public boolean close() {
        return !closing.getAndSet(true);
    }

    /** Whether commits that began before {@link #close} are still under way. */
    public boolean isCommitting() {
        return committing.get() > 0;
    }
}
