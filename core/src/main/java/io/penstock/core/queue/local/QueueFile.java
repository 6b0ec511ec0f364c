package io.penstock.core.queue.local;

import io.penstock.core.ClosedException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.Durability;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Permits;
import io.penstock.core.task.Tasks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.type.ByteArrayDataType;
import org.h2.mvstore.type.StringDataType;

/**
 * The file of all queues: an H2 MVStore with two maps, queues by name and messages by {@link MessageKey}.
 *
 * <p>All use of it goes through {@link #call}, on a task of its own: an interrupt would close the file for all users,
 * and a caller's thread may be interrupted, while a forked task is not. Safe for use by many threads.
 */
final class QueueFile {
    /** The longest wait of a deletion for a commit that it can share. */
    private static final Duration COMMIT_SOON = Duration.ofMillis(50);

    /** Commits between two looks at the file's fill rate: often enough to keep the file near its live size. */
    private static final int COMPACT_EVERY = 512;

    /** Below this share of live bytes, in percent, old chunks are rewritten to free their space. */
    private static final int FILL_RATE_MIN = 50;

    /** The most bytes that one compaction writes: a fraction of a second. */
    private static final int COMPACT_BYTES = 4 << 20;

    /**
     * The time for which the space of dead chunks is kept. A commit makes chunks dead, and is flushed before the next
     * one may begin, so any time keeps the file whole after a power cut. Some seconds spare short readers.
     */
    private static final int RETENTION_MILLIS = 5_000;

    /** The time limit for compacting the file at its closing. */
    private static final int CLOSE_COMPACT_MILLIS = 300;

    private final Path path;
    private final Tasks tasks;
    private final Durability durability;
    private final MVStore store;
    private final MVMap<String, byte[]> queues;
    private final MVMap<byte[], byte[]> messages;
    private final Permits committing;
    private final AtomicLong asked = new AtomicLong();
    private final AtomicBoolean commitIsDue = new AtomicBoolean();
    private long committed;
    private int commits;

    private QueueFile(Path path, Tasks tasks, Durability durability, MVStore store) {
        this.path = path;
        this.tasks = tasks;
        this.durability = durability;
        this.store = store;
        store.setRetentionTime(RETENTION_MILLIS);
        this.committing = new Permits(tasks, 1);
        this.queues = store.openMap(
                "queues",
                new MVMap.Builder<String, byte[]>()
                        .keyType(StringDataType.INSTANCE)
                        .valueType(ByteArrayDataType.INSTANCE));
        this.messages = store.openMap(
                "messages",
                new MVMap.Builder<byte[], byte[]>()
                        .keyType(ByteArrayDataType.INSTANCE)
                        .valueType(ByteArrayDataType.INSTANCE));
    }

    static QueueFile open(Path path, Tasks tasks, Durability durability) {
        return tasks.fork("open queue file", () -> openNow(path, tasks, durability))
                .join();
    }

    private static QueueFile openNow(Path path, Tasks tasks, Durability durability) {
        MVStore store = null;
        try {
            store = new MVStore.Builder()
                    .fileName(path.toString())
                    .autoCommitDisabled()
                    .open();
            return new QueueFile(path, tasks, durability, store);
        } catch (MVStoreException e) {
            if (store != null) {
                store.closeImmediately();
            }
            throw translate(path, e);
        }
    }

    /** Queue attributes by queue name. */
    MVMap<String, byte[]> queues() {
        return queues;
    }

    /** Messages by {@link MessageKey}. */
    MVMap<byte[], byte[]> messages() {
        return messages;
    }

    /** Runs {@code body}, which may use the maps and {@link #commit}. */
    <T> T call(Supplier<T> body) {
        return tasks.shielded("queue file", () -> {
            try {
                return body.get();
            } catch (MVStoreException e) {
                throw translate(path, e);
            }
        });
    }

    /** Runs a long read on one version of the file, whose chunks are kept meanwhile. Must end before {@link #close}. */
    <T> T onOneVersion(Supplier<T> body) {
        MVStore.TxCounter version = store.registerVersionUsage();
        try {
            return body.get();
        } finally {
            store.deregisterVersionUsage(version);
        }
    }

    /**
     * Returns when all changes made before the call are as durable as asked. Callers that arrive while a commit runs
     * share the next one: the first of them writes for all.
     *
     * @throws OutcomeUnknownException when the write failed: it is not known how much of it the disk has
     */
    void commit() {
        long mine = asked.incrementAndGet();
        committing.run(() -> {
            if (committed < mine) {
                long upTo = asked.get();
                write();
                committed = upTo;
            }
        });
    }

    private void write() {
        try {
            store.commit();
            if (durability == Durability.FLUSHED) {
                store.sync();
            }
            if (++commits % COMPACT_EVERY == 0) {
                store.compact(FILL_RATE_MIN, COMPACT_BYTES);
            }
        } catch (MVStoreException e) {
            throw new OutcomeUnknownException(
                    "the queue file could not be written; close and reopen it to find out", e, "file", path);
        }
    }

    /** Schedules a commit within {@link #COMMIT_SOON}, without waiting. */
    void commitSoon() {
        if (commitIsDue.compareAndSet(false, true)) {
            tasks.start("commit deletions", () -> {
                tasks.sleep(COMMIT_SOON);
                commitIsDue.set(false);
                if (!store.isClosed()) {
                    commit();
                }
            });
        }
    }

    /** Commits the remaining changes and closes the file. To be called within {@link #call}. */
    void close() {
        if (store.isClosed()) {
            return;
        }
        try {
            commit();
            compactAndClose();
        } finally {
            store.closeImmediately();
        }
    }

    /**
     * Compacts the file and closes it. All is committed; without space for compacting (the file is rewritten first) it
     * stays large.
     */
    @SuppressWarnings("EmptyCatch")
    private void compactAndClose() {
        try {
            store.close(CLOSE_COMPACT_MILLIS);
        } catch (MVStoreException ignored) {
        }
    }

    private static StoreException translate(Path path, MVStoreException e) {
        return switch (e.getErrorCode()) {
            case DataUtils.ERROR_CLOSED ->
                new ClosedException("the queue file is closed, or failed before; open it again", e, "file", path);
            case DataUtils.ERROR_FILE_LOCKED ->
                new InvalidRequestException(
                        "the queue file is in use by another process or handle; close that one", e, "file", path);
            case DataUtils.ERROR_FILE_CORRUPT,
                    DataUtils.ERROR_UNSUPPORTED_FORMAT,
                    DataUtils.ERROR_SERIALIZATION,
                    DataUtils.ERROR_CHUNK_NOT_FOUND,
                    DataUtils.ERROR_BLOCK_NOT_FOUND ->
                new CorruptDataException("the queue file is damaged; restore it", e, "file", path);
            default ->
                new UnavailableException("the queue file cannot be used; see the cause, then retry", e, "file", path);
        };
    }
}
