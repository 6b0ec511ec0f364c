package io.penstock.core.object.local;

import io.penstock.core.Bytes;
import io.penstock.core.Durability;
import io.penstock.core.disk.FileAccess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Writes files and directories as durably as asked. Safe for use by many threads. */
final class Disk {
    /** The most directories remembered as durable: a few MB; forgetting one costs a flush. */
    private static final int FLUSHED_MAX = 20_000;

    private final Set<Path> flushed = ConcurrentHashMap.newKeySet();

    /** Directories with names that may not last, since a flush has failed. */
    private final Set<Path> unflushed = ConcurrentHashMap.newKeySet();

    private final Durability durability;
    private final FileAccess access;
    private final boolean directoriesOpen;

    /** @param root an existing directory, for a test whether directories can be flushed here (not on Windows) */
    Disk(Durability durability, FileAccess access, Path root) {
        this.durability = durability;
        this.access = access;
        this.directoriesOpen = canOpen(root);
    }

    private static boolean canOpen(Path directory) {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            return channel.isOpen();
        } catch (IOException e) {
            return false;
        }
    }

    /** Writes a file that does not exist yet, header before body. */
    void writeNew(Path file, ByteBuffer header, Bytes body) throws IOException {
        try (FileChannel channel = access.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
            ByteBuffer[] parts = {header, ByteBuffer.wrap(body.array(), body.offset(), body.length())};
            while (parts[0].hasRemaining() || parts[1].hasRemaining()) {
                channel.write(parts);
            }
            if (durability == Durability.FLUSHED) {
                channel.force(true);
            }
        }
    }

    /** Writes bytes at a position of a file, which is created if it is missing. */
    void writeAt(Path file, long position, Bytes part) throws IOException {
        try (FileChannel channel = access.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
            write(channel, position, ByteBuffer.wrap(part.array(), part.offset(), part.length()));
        }
    }

    /** Writes the header of a file whose body exists already. */
    void writeHeader(Path file, ByteBuffer header) throws IOException {
        try (FileChannel channel = access.open(file, StandardOpenOption.WRITE)) {
            write(channel, 0, header);
            if (durability == Durability.FLUSHED) {
                channel.force(true);
            }
        }
    }

    private static void write(FileChannel channel, long position, ByteBuffer bytes) throws IOException {
        long next = position;
        while (bytes.hasRemaining()) {
            next += channel.write(bytes, next);
        }
    }

    /**
     * Creates a directory below {@code root} with all missing parents. Flushes the whole path even if another task
     * created it, because that task may not have flushed it yet.
     */
    void makeDirectories(Path root, Path directory) throws IOException {
        if (flushed.contains(directory)) {
            return;
        }
        access.createDirectories(directory);
        for (Path at = directory; at != null && !at.equals(root); at = at.getParent()) {
            Path above = at.getParent();
            if (above != null) {
                flushDirectory(above);
            }
        }
        if (flushed.size() >= FLUSHED_MAX) {
            flushed.clear();
        }
        flushed.add(directory);
    }

    /** Makes the names in a directory as durable as its files. */
    void flushDirectory(Path directory) throws IOException {
        if (durability == Durability.FLUSHED && directoriesOpen) {
            try {
                access.flushDirectory(directory);
            } catch (IOException failure) {
                unflushed.add(directory);
                throw failure;
            }
            unflushed.remove(directory);
        }
    }

    /** Flushes again what could not be flushed: what is read, or found to be done, must last. */
    void settle() throws IOException {
        for (Path directory : unflushed) {
            flushDirectory(directory);
        }
    }

    /** Puts a file in its place, over another if there is one. */
    void move(Path from, Path to) throws IOException {
        access.move(from, to);
    }

    boolean deleteIfExists(Path file) throws IOException {
        return access.deleteIfExists(file);
    }

    /** Removes all files of a directory, but not those of its subdirectories. */
    void clear(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                access.deleteIfExists(file);
            }
        }
    }
}
