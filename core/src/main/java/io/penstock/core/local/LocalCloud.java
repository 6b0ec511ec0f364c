package io.penstock.core.local;

import io.penstock.core.Durability;
import io.penstock.core.UnavailableException;
import io.penstock.core.disk.DirectoryLock;
import io.penstock.core.disk.DiskFailure;
import io.penstock.core.disk.FileAccess;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.local.LocalObjectStore;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.local.LocalQueueService;
import io.penstock.core.task.Tasks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An object store and a queue service in one directory: {@code objects/}, {@code queues/}, and {@code lock}, which
 * excludes other processes and handles until this is closed or the process ends. Any number of stores of one process
 * may share it.
 *
 * <p>Acknowledged writes survive {@code kill -9}, and with {@link Durability#FLUSHED} a power cut. Safe for use by many
 * threads.
 */
public final class LocalCloud implements AutoCloseable {
    private final DirectoryLock lock;
    private final LocalObjectStore objects;
    private final LocalQueueService queues;
    private final AtomicBoolean closed = new AtomicBoolean();

    private LocalCloud(DirectoryLock lock, LocalObjectStore objects, LocalQueueService queues) {
        this.lock = lock;
        this.objects = objects;
        this.queues = queues;
    }

    /** Opens {@code directory}, creating it if it is missing, with {@link Durability#FLUSHED}. */
    public static LocalCloud open(Path directory, Tasks tasks) {
        return open(directory, tasks, Durability.FLUSHED);
    }

    /**
     * Opens {@code directory}, creating it if it is missing.
     *
     * @throws io.penstock.core.InvalidRequestException when another process, or another handle of this one, has it open
     * @throws io.penstock.core.CorruptDataException when the queue file of an earlier release is damaged
     * @throws UnavailableException when the directory cannot be created or written: {@link
     *     io.penstock.core.RefusedException} when the disk is full or read-only
     */
    public static LocalCloud open(Path directory, Tasks tasks, Durability durability) {
        return open(directory, tasks, durability, FileAccess.SYSTEM);
    }

    static LocalCloud open(Path directory, Tasks tasks, Durability durability, FileAccess access) {
        Path real = make(directory, access);
        DirectoryLock lock = DirectoryLock.take(real);
        try {
            LocalObjectStore objects = LocalObjectStore.open(real.resolve("objects"), tasks, durability, access);
            LocalQueueService queues = LocalQueueService.open(real.resolve("queues"), tasks, durability, access);
            return new LocalCloud(lock, objects, queues);
        } catch (RuntimeException failure) {
            lock.close();
            throw failure;
        }
    }

    private static Path make(Path directory, FileAccess access) {
        try {
            access.makeDirectories(directory);
            return directory.toRealPath();
        } catch (IOException e) {
            throw DiskFailure.of("the directory could not be created", e, "directory", directory);
        }
    }

    /** The object store; closed with this. */
    public ObjectStore objects() {
        return objects;
    }

    /** The queue service; closed with this. */
    public QueueService queues() {
        return queues;
    }

    /**
     * What of the queues was damaged when they were opened, or was met since: a line for each. What is damaged is set
     * aside: it is not received, and its bytes are kept.
     */
    public List<String> damage() {
        return queues.damage();
    }

    /** Closes both and releases the directory. Closing again does nothing. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try (lock;
                    queues) {
                objects.close();
            }
        }
    }
}
