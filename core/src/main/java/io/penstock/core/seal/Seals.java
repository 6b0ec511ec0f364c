package io.penstock.core.seal;

import io.penstock.core.Bytes;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.pool.PageTier;
import io.penstock.core.queue.QueueService;
import io.penstock.core.task.Tasks;

/**
 * The layers that seal what is written, and open what is read, with the keys of one ring. Closing a layer closes the
 * one below.
 */
public final class Seals {
    private final KeyRing ring;
    private final Sealing sealing;

    public Seals(Tasks tasks, KeyRing ring) {
        this.ring = ring;
        this.sealing = new Sealing(tasks, ring);
    }

    /** Whether an object as it is stored is sealed. */
    public static boolean isSealed(Bytes stored) {
        return Frame.isSealed(stored);
    }

    public KeyRing ring() {
        return ring;
    }

    /**
     * A layer over an object store.
     *
     * @param folder the beginning of keys that objects are not bound to, with a slash at its end: that of the ring
     */
    public ObjectStore objects(ObjectStore inner, String folder) {
        return new SealedObjectStore(inner, sealing, folder);
    }

    public QueueService queues(QueueService inner) {
        return new SealedQueueService(inner, sealing);
    }

    public PageTier tier(PageTier inner) {
        return new SealedTier(inner, sealing);
    }
}
