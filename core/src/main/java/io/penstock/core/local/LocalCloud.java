package io.penstock.core.local;

import io.penstock.core.Durability;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.RefusedException;
import io.penstock.core.UnavailableException;
import io.penstock.core.disk.DirectoryLock;
import io.penstock.core.disk.DiskFailure;
import io.penstock.core.disk.FileAccess;
import io.penstock.core.local.shared.Attachment;
import io.penstock.core.local.shared.Sharing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.local.LocalObjectStore;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.local.LocalQueueService;
import io.penstock.core.task.Tasks;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * An object store and a queue service in one directory: {@code objects/}, {@code queues/}, and {@code lock}, which has
 * one owner until this is closed or the process ends. Any number of stores of one process may share it; other processes
 * of the machine {@linkplain #attach attach} to the owner, by the Unix domain socket {@code socket}.
 *
 * <p>Acknowledged writes survive {@code kill -9}, and with {@link Durability#FLUSHED} a power cut. Safe for use by many
 * threads.
 */
public final class LocalCloud implements AutoCloseable {
    /** A name that people mean as none of this folder: an address, or one that a shell replaces. */
    private static final Pattern NO_PATH = Pattern.compile("~.*|file:.*|.*://.*", Pattern.DOTALL);

    private static final String OBJECTS = "objects";

    /** An owner reads what is in its queues before it listens. */
    private static final Duration OPENING_MAX = Duration.ofMinutes(1);

    private static final Duration PAUSE = Duration.ofMillis(100);

    private final boolean attached;
    private final ObjectStore objects;
    private final QueueService queues;
    private final Supplier<List<String>> damage;
    private final Runnable release;
    private final AtomicBoolean closed = new AtomicBoolean();

    private LocalCloud(
            boolean attached,
            ObjectStore objects,
            QueueService queues,
            Supplier<List<String>> damage,
            Runnable release) {
        this.attached = attached;
        this.objects = objects;
        this.queues = queues;
        this.damage = damage;
        this.release = release;
    }

    /**
     * The directory of this name.
     *
     * @throws InvalidRequestException when there can be none, and when the name has a scheme or begins with {@code ~}:
     *     it would be a directory of that name
     */
    public static Path directory(String name) {
        try {
            if (!NO_PATH.matcher(name).matches()) {
                return Path.of(name);
            }
        } catch (InvalidPathException none) { // told below
        }
        throw new InvalidRequestException(
                ErrorCode.INVALID_SETTING,
                "a directory is named by a path without a scheme or ~; correct it",
                "directory",
                name);
    }

    /** Opens {@code directory}, creating it if it is missing, with {@link Durability#FLUSHED}. */
    public static LocalCloud open(Path directory, Tasks tasks) {
        return open(directory, tasks, Durability.FLUSHED);
    }

    /**
     * Opens {@code directory}, creating it if it is missing.
     *
     * @throws InvalidRequestException when another process, or another handle of this one, has it open: {@link #attach}
     *     to that, or close it; when no directory can be there; or when a build before the first release made it
     * @throws UnavailableException when the directory cannot be written: {@link io.penstock.core.RefusedException} when
     *     the disk is full or read-only
     */
    public static LocalCloud open(Path directory, Tasks tasks, Durability durability) {
        return open(directory, tasks, durability, FileAccess.SYSTEM);
    }

    /**
     * Opens {@code directory} as {@link #open(Path, Tasks, Durability)} does, for an owner that takes all other writers
     * for dead: processes that attach can only read.
     */
    public static LocalCloud openAlone(Path directory, Tasks tasks, Durability durability) {
        return open(directory, tasks, durability, FileAccess.SYSTEM, true);
    }

    /** Opens a directory on a simulated disk, which has no sockets, so that no process can attach. */
    static LocalCloud open(Path directory, Tasks tasks, Durability durability, FileAccess access) {
        return open(directory, tasks, durability, access, false);
    }

    private static LocalCloud open(
            Path directory, Tasks tasks, Durability durability, FileAccess access, boolean alone) {
        Path real = make(directory, access);
        DirectoryLock lock = DirectoryLock.take(real);
        try {
            LocalObjectStore objects = LocalObjectStore.open(real.resolve(OBJECTS), tasks, durability, access);
            LocalQueueService queues = LocalQueueService.open(real.resolve("queues"), tasks, durability, access);
            Runnable unshare = access == FileAccess.SYSTEM
                    ? Sharing.of(real, objects, queues, queues::damage, tasks, alone)::close
                    : () -> {};
            return new LocalCloud(false, objects, queues, queues::damage, () -> {
                try (lock;
                        queues;
                        objects) {
                    unshare.run();
                }
            });
        } catch (RuntimeException failure) {
            lock.close();
            throw failure;
        }
    }

    /**
     * Attaches to the process that has {@code directory} open, which does all that this asks for. An answer that is
     * lost because the owner went away is one whose outcome is unknown; later calls go to the next owner, and are
     * unavailable until there is one. Stores on it are opened by {@code Settings.on}, as on servers.
     *
     * @throws UnavailableException when no process has it open
     * @throws InvalidRequestException when that process is of another release
     */
    public static LocalCloud attach(Path directory, Tasks tasks) {
        Attachment owner = Attachment.to(real(directory), tasks);
        return new LocalCloud(true, owner.objects(), owner.queues(), owner::damage, owner::close);
    }

    /**
     * Opens {@code directory} as {@link #openOrAttach} does, for those who only look: nothing is made.
     *
     * @throws RefusedException when there never was a store in it
     */
    public static LocalCloud look(Path directory, Tasks tasks, Durability durability) {
        if (!Files.isDirectory(directory.resolve(OBJECTS))) {
            throw new RefusedException(
                    ErrorCode.STORE_NOT_FOUND,
                    "there is no store here; check the directory, or open it to write, which makes one",
                    "directory",
                    directory);
        }
        return openOrAttach(directory, tasks, durability);
    }

    /**
     * Opens {@code directory}, creating it if it is missing, or attaches to the process that has it open. An owner that
     * is opening it is waited for.
     *
     * @throws UnavailableException when the owner does not answer
     * @throws InvalidRequestException when there can be no socket in it; or as {@link #open(Path, Tasks, Durability)}
     */
    public static LocalCloud openOrAttach(Path directory, Tasks tasks, Durability durability) {
        for (long begun = tasks.nanoTime(); ; tasks.sleep(PAUSE)) {
            try {
                return open(directory, tasks, durability);
            } catch (InvalidRequestException inUse) {
                if (inUse.code() != ErrorCode.DIRECTORY_IN_USE) {
                    throw inUse;
                }
                try {
                    return attach(directory, tasks);
                } catch (UnavailableException opening) {
                    // An owner listens once it has opened; one that listens and does not answer has stopped.
                    boolean listens = opening.getCause() instanceof SocketTimeoutException;
                    if (listens || tasks.nanoTime() - begun >= OPENING_MAX.toNanos()) {
                        throw opening;
                    }
                    if (!Sharing.isPossible(real(directory))) {
                        inUse.addSuppressed(opening);
                        throw inUse;
                    }
                }
            }
        }
    }

    /** The path below which an owner listens, whatever links lead to it. */
    private static Path real(Path directory) {
        try {
            return directory.toRealPath();
        } catch (IOException missing) {
            return directory.toAbsolutePath().normalize();
        }
    }

    private static Path make(Path directory, FileAccess access) {
        try {
            access.makeDirectories(directory);
            return directory.toRealPath();
        } catch (AccessDeniedException | NoSuchFileException e) {
            throw new InvalidRequestException(
                    ErrorCode.DISK_UNUSABLE,
                    "no directory can be made there; name another, or mend the rights",
                    e,
                    "directory",
                    directory);
        } catch (IOException e) {
            Path there = directory.toAbsolutePath();
            while (there.getParent() != null && !Files.exists(there)) {
                there = there.getParent();
            }
            if (Files.isRegularFile(there)) {
                throw new InvalidRequestException(
                        ErrorCode.DISK_UNUSABLE,
                        "the directory cannot be made: there is a file in its place, or above it; name another",
                        e,
                        "directory",
                        directory,
                        "file",
                        there);
            }
            throw DiskFailure.of("the directory could not be created", e, "directory", directory);
        }
    }

    /** Whether another process owns the directory. */
    public boolean isAttached() {
        return attached;
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
     * Returns the damage of the queues, found when they were opened or since, a line for each. Damaged messages are set
     * aside: they are not received, and their bytes are kept.
     */
    public List<String> damage() {
        return damage.get();
    }

    /** Closes both, and releases the directory or leaves its owner. Closing again does nothing. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            release.run();
        }
    }
}
