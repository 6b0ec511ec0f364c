package io.penstock.core.object.local;

import io.penstock.core.Bytes;
import io.penstock.core.ClosedException;
import io.penstock.core.ConflictException;
import io.penstock.core.Durability;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.UnavailableException;
import io.penstock.core.disk.DiskFailure;
import io.penstock.core.disk.FileAccess;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectRules;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectUpload;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.Refreshed;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.TimedObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.Written;
import io.penstock.core.task.MemoryLock;
import io.penstock.core.task.Tasks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * An object store in a directory, for one process: write conditions hold only among the threads that share this handle.
 * {@link io.penstock.core.local.LocalCloud} excludes other processes and handles.
 *
 * <p>Every object is a file (its path is in {@link KeyPaths}), written beside the tree and renamed into it, so a reader
 * or a crash sees the old content or the new, never a mixture. Unlike S3, reads are strongly consistent by nature,
 * times are whole milliseconds, and directories that became empty stay. A listing reads every directory on its way
 * whole: keys with about a thousand objects per slash list fastest.
 *
 * <p>Errors: {@link UnavailableException} when the disk failed and nothing was changed ({@link
 * io.penstock.core.RefusedException} when it is full or read-only), {@link
 * OutcomeUnknownException} when it failed while the change was made durable, {@link
 * io.penstock.core.CorruptDataException} when a file is damaged. Safe for use by many threads.
 */
public final class LocalObjectStore implements ObjectStore {
    /**
     * The directory of files that have no name in the tree yet; it has no mark of {@link KeyPaths}, so a walk ignores
     * it.
     */
    private static final String UNFINISHED = "unfinished";

    /**
     * The number of locks, over which all keys are spread: two writers of different keys seldom meet. A power of two.
     */
    private static final int LOCKS = 256;

    private final Path root;
    private final Path unfinished;
    private final Tasks tasks;
    private final Disk disk;
    private final KeyPaths paths;
    private final List<MemoryLock> locks = new ArrayList<>(LOCKS);
    private volatile boolean closed;

    private LocalObjectStore(Path root, Path unfinished, Tasks tasks, Disk disk) {
        this.root = root;
        this.unfinished = unfinished;
        this.tasks = tasks;
        this.disk = disk;
        this.paths = new KeyPaths(root);
        for (int i = 0; i < LOCKS; i++) {
            locks.add(new MemoryLock());
        }
    }

    /**
     * Opens the store in {@code directory}, creating it if it is missing; flushed to the disk before a write is
     * acknowledged.
     */
    public static LocalObjectStore open(Path directory, Tasks tasks) {
        return open(directory, tasks, Durability.FLUSHED);
    }

    /**
     * Opens the store in {@code directory}, creating it if it is missing, and removes unfinished files of an earlier
     * process.
     *
     * @throws UnavailableException when the directory cannot be created or written
     */
    public static LocalObjectStore open(Path directory, Tasks tasks, Durability durability) {
        return open(directory, tasks, durability, FileAccess.SYSTEM);
    }

    /** Opens the store in {@code directory}, on a disk for tests. */
    public static LocalObjectStore open(Path directory, Tasks tasks, Durability durability, FileAccess access) {
        try {
            access.makeDirectories(directory);
            Path root = directory.toRealPath();
            Path unfinished = root.resolve(UNFINISHED);
            Disk disk = new Disk(durability, access, root);
            disk.makeDirectories(root, unfinished);
            disk.clear(unfinished);
            return new LocalObjectStore(root, unfinished, tasks, disk);
        } catch (IOException e) {
            throw DiskFailure.of("the directory of the object store cannot be opened", e, "directory", directory);
        }
    }

    @Override
    public Optional<StoredObject> get(String key) {
        return read(key, ObjectFile::readAll);
    }

    @Override
    public TimedObject getTimed(String key) {
        // The time first: an object that comes later is not missed at a later time.
        long now = tasks.nowMillis();
        return new TimedObject(get(key), now);
    }

    @Override
    public Optional<StoredObject> getRange(String key, long offset, int length) {
        ObjectRules.checkRange(offset, length);
        return read(key, open -> open.read(offset, length));
    }

    private interface Read {
        StoredObject of(ObjectFile open) throws IOException;
    }

    private Optional<StoredObject> read(String key, Read read) {
        Path file = file(key);
        try (ObjectFile open = ObjectFile.open(file)) {
            return open == null ? Optional.empty() : Optional.of(read.of(open));
        } catch (IOException e) {
            throw notDone("an object cannot be read", key, e);
        }
    }

    @Override
    public Refreshed getIfChanged(String key, ObjectVersion known) {
        Path file = file(key);
        try (ObjectFile open = ObjectFile.open(file)) {
            if (open == null) {
                return new Refreshed.Missing();
            }
            return open.header().version().equals(known)
                    ? new Refreshed.Unchanged()
                    : new Refreshed.Changed(open.readAll());
        } catch (IOException e) {
            throw notDone("an object cannot be read", key, e);
        }
    }

    @Override
    public Written put(String key, Bytes body, WriteCondition condition) {
        Path file = file(key);
        // Decided below, under the lock; a writer that has lost already need not write first.
        check(key, file, condition);
        ObjectHeader header = ObjectHeader.of(tasks.random().nextLong(), tasks.nowMillis(), body);
        Path written = writeUnfinished(key, header, body);
        MemoryLock lock = lock(key);
        lock.lock();
        try {
            check(key, file, condition);
            finish(key, written, file);
        } finally {
            lock.unlock();
            discard(written);
        }
        flush(key, file);
        return new Written(header.version(), header.modifiedMillis());
    }

    private void check(String key, Path file, WriteCondition condition) {
        ObjectHeader found;
        try {
            found = condition instanceof WriteCondition.Always ? null : ObjectFile.readHeader(file);
        } catch (IOException e) {
            throw notDone("an object cannot be read", key, e);
        }
        switch (condition) {
            case WriteCondition.Always always -> {}
            case WriteCondition.IfAbsent absent -> {
                if (found != null) {
                    throw new ConflictException(
                            "an object with this key exists already; read it again", "key", key, "version", tag(found));
                }
            }
            case WriteCondition.IfVersion expected -> {
                if (found == null || !found.version().equals(expected.version())) {
                    throw new ConflictException(
                            "the object is no longer of this version; read it again",
                            "key",
                            key,
                            "expected",
                            expected.version().tag(),
                            "version",
                            found == null ? "none" : tag(found));
                }
            }
        }
    }

    private static String tag(ObjectHeader header) {
        return header.version().tag();
    }

    private Path writeUnfinished(String key, ObjectHeader header, Bytes body) {
        Path written = unfinished.resolve(HexFormat.of().toHexDigits(header.tag()));
        try {
            disk.writeNew(written, header.encode(), body);
            return written;
        } catch (IOException e) {
            discard(written);
            throw notDone("an object cannot be written", key, e);
        }
    }

    private void finish(String key, Path written, Path file) {
        try {
            disk.makeDirectories(root, Objects.requireNonNull(file.getParent()));
        } catch (IOException e) {
            throw notDone("an object's directory could not be created", key, e);
        }
        try {
            disk.move(written, file);
        } catch (IOException e) {
            throw notKnown("an object's file could not be put in its place", key, e);
        }
    }

    /** Removes an unfinished file if it exists. A failure costs only space, until the next open. */
    @SuppressWarnings("EmptyCatch")
    private void discard(Path written) {
        try {
            disk.deleteIfExists(written);
        } catch (IOException ignored) {
        }
    }

    private void flush(String key, Path file) {
        try {
            disk.flushDirectory(Objects.requireNonNull(file.getParent()));
        } catch (IOException e) {
            throw notKnown("an object's directory cannot be flushed", key, e);
        }
    }

    @Override
    public ObjectUpload upload(String key, int partBytes) {
        ObjectRules.checkUpload(key, partBytes);
        Path file = file(key);
        long tag = tasks.random().nextLong();
        Path written = unfinished.resolve(HexFormat.of().toHexDigits(tag));
        return new LocalUpload(key, partBytes, written, disk) {
            @Override
            ObjectHeader header(long bodyBytes) {
                return ObjectHeader.ofUpload(tag, tasks.nowMillis(), bodyBytes);
            }

            @Override
            void place() {
                MemoryLock lock = lock(key);
                lock.run(() -> finish(key, written, file));
            }

            @Override
            void flush() {
                LocalObjectStore.this.flush(key, file);
            }
        };
    }

    @Override
    public void delete(String key) {
        deleteAll(List.of(key));
    }

    @Override
    public void deleteAll(Collection<String> keys) {
        List<Path> files = keys.stream().map(this::file).toList();
        Set<Path> changed = new TreeSet<>();
        int at = 0;
        for (String key : keys) {
            Path file = files.get(at++);
            if (remove(key, file)) {
                changed.add(Objects.requireNonNull(file.getParent()));
            }
        }
        for (Path directory : changed) {
            try {
                disk.flushDirectory(directory);
            } catch (IOException e) {
                throw new OutcomeUnknownException(
                        "a directory cannot be flushed after a delete; repeat it", e, "directory", directory);
            }
        }
    }

    private boolean remove(String key, Path file) {
        MemoryLock lock = lock(key);
        lock.lock();
        try {
            return disk.deleteIfExists(file);
        } catch (IOException e) {
            throw notDone("an object cannot be removed", key, e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Listing list(String prefix, String startAfter, int limit) {
        checkOpen();
        ObjectRules.checkList(prefix, startAfter, limit);
        settle(prefix);
        List<Listing.Entry> entries = new ArrayList<>();
        KeyWalk walk = new KeyWalk(Bytes.utf8(prefix), Bytes.utf8(startAfter), (key, file) -> {
            if (entries.size() == limit) {
                return false;
            }
            Listing.Entry entry = ObjectFile.list(file, key.toUtf8());
            if (entry != null) {
                entries.add(entry);
            }
            return true;
        });
        try {
            boolean toTheEnd = walk.walk(root);
            return new Listing(entries, !toTheEnd);
        } catch (IOException e) {
            throw notDone("the objects cannot be listed", prefix, e);
        }
    }

    private Path file(String key) {
        checkOpen();
        settle(key);
        return paths.file(key);
    }

    private void settle(String key) {
        try {
            disk.settle();
        } catch (IOException e) {
            throw notDone("a directory cannot be flushed", key, e);
        }
    }

    private MemoryLock lock(String key) {
        int hash = key.hashCode();
        return locks.get((hash ^ hash >>> 16) & (LOCKS - 1));
    }

    private void checkOpen() {
        if (closed) {
            throw new ClosedException("the object store was closed; open it again", "directory", root);
        }
    }

    private static UnavailableException notDone(String what, String key, IOException cause) {
        return DiskFailure.of(what, cause, "key", key);
    }

    private static OutcomeUnknownException notKnown(String what, String key, IOException cause) {
        return new OutcomeUnknownException(what + "; read it to find out", cause, "key", key);
    }

    /** Refuses further calls. Acknowledged writes are complete, so nothing is left to write. */
    @Override
    public void close() {
        closed = true;
    }
}
