package io.penstock.testing;

import io.penstock.core.disk.FileAccess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A disk with little space, or one that takes no writes at all: it refuses as Linux does, and a write that does not fit
 * is done in part. What is removed gives no space back. Safe for use by many threads.
 */
public final class FullDisk implements FileAccess {
    private final AtomicLong free;
    private volatile boolean readOnly;

    public FullDisk(long free) {
        this.free = new AtomicLong(free);
    }

    /** Somebody removes other files, or fills the disk. */
    public void setFree(long bytes) {
        free.set(bytes);
    }

    public void setReadOnly(boolean is) {
        readOnly = is;
    }

    @Override
    public FileChannel open(Path file, OpenOption... options) throws IOException {
        boolean writes = List.of(options).contains(StandardOpenOption.WRITE);
        if (writes) {
            checkWritable(file);
        }
        FileChannel real = FileChannel.open(file, options);
        return writes ? new Watched(real, file) : real;
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            checkWritable(directory);
        }
        FileAccess.SYSTEM.createDirectories(directory);
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        checkWritable(to);
        FileAccess.SYSTEM.move(from, to);
    }

    @Override
    public boolean deleteIfExists(Path file) throws IOException {
        checkWritable(file);
        return FileAccess.SYSTEM.deleteIfExists(file);
    }

    private void checkWritable(Path file) throws IOException {
        if (readOnly) {
            throw new FileSystemException(file.toString(), null, "Read-only file system");
        }
    }

    private final class Watched extends WatchedChannel {
        private final Path file;

        Watched(FileChannel real, Path file) {
            super(real);
            this.file = file;
        }

        @Override
        int written(ByteBuffer bytes, long position) throws IOException {
            checkWritable(file);
            long grows = Math.max(0, position + bytes.remaining() - real.size());
            long left = free.getAndUpdate(now -> Math.max(0, now - grows));
            if (grows > left) {
                int fits = (int) Math.max(0, bytes.remaining() - (grows - left));
                if (fits > 0) {
                    real.write(bytes.slice(bytes.position(), fits), position);
                }
                throw new IOException("No space left on device");
            }
            return real.write(bytes, position);
        }

        @Override
        void truncated(long size) throws IOException {
            checkWritable(file);
        }

        @Override
        void forced() {}
    }
}
