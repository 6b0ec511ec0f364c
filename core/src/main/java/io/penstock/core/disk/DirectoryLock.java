package io.penstock.core.disk;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Sole ownership of a directory, through an operating system lock on a file in it. The lock ends with the process,
 * however that ends.
 *
 * <p>Such a lock belongs to the process, and is lost when the process closes <em>any</em> handle of the file. So the
 * file is not even opened when this process owns the directory already. Safe for use by many threads.
 */
public final class DirectoryLock implements AutoCloseable {
    private static final String FILE = "lock";

    /**
     * The beginning of the names of system properties for the real paths of the directories that this process owns:
     * other class loaders may have copies of this class.
     */
    private static final String OWNED = "io.penstock.owned.";

    private final Path directory;
    private final FileChannel channel;

    private DirectoryLock(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /**
     * Takes ownership.
     *
     * @param directory a real path
     * @throws InvalidRequestException when the directory has an owner
     */
    public static DirectoryLock take(Path directory) {
        if (System.getProperties().putIfAbsent(OWNED + directory, "") != null) {
            throw owned(directory, "this process");
        }
        FileChannel channel = null;
        boolean taken = false;
        try {
            channel = FileChannel.open(directory.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            boolean locked = channel.tryLock() != null;
            if (locked) {
                sign(channel);
            }
            taken = locked;
        } catch (IOException e) {
            throw DiskFailure.of("the directory's lock file cannot be used", e, "directory", directory);
        } finally {
            if (!taken) {
                closeQuietly(channel);
                release(directory);
            }
        }
        if (!taken) {
            throw owned(directory, "another process");
        }
        return new DirectoryLock(directory, channel);
    }

    /** Writes who the owner is, for those who wait for it. Nothing depends on it, unless it ends the lock. */
    @SuppressWarnings("EmptyCatch")
    private static void sign(FileChannel channel) throws ClosedByInterruptException {
        try {
            channel.truncate(0)
                    .write(ByteBuffer.wrap(
                            Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
        } catch (ClosedByInterruptException unlocked) {
            throw unlocked;
        } catch (IOException ignored) {
        }
    }

    /** Returns the id of the process that owns a directory, as far as it is known. Do not ask in that process. */
    public static String owner(Path directory) {
        try {
            boolean own = System.getProperty(OWNED + directory) != null;
            return own ? "this process" : Files.readString(directory.resolve(FILE));
        } catch (IOException e) {
            return "?";
        }
    }

    private static void release(Path directory) {
        System.getProperties().remove(OWNED + directory);
    }

    @SuppressWarnings("EmptyCatch")
    private static void closeQuietly(@Nullable FileChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException ignored) {
        }
    }

    private static InvalidRequestException owned(Path directory, String owner) {
        return new InvalidRequestException(
                ErrorCode.DIRECTORY_IN_USE,
                "the directory is in use and takes one owner; close the other or choose another directory",
                "directory",
                directory,
                "owner",
                owner);
    }

    @Override
    public void close() {
        // In this order: a thread that sees the directory free in this process must find the file's lock free.
        closeQuietly(channel);
        release(directory);
    }
}
